import type { Machinery } from '../registry/machinery.ts';
import { AdmissionChain } from './admission-chain.ts';

/** What plugins decide by. */
export type AdmissionContext = Omit<Machinery, 'admission'>;

/** The plugins that a server has, in the order of kube-apiserver. */
export function createAdmission(_context: AdmissionContext): AdmissionChain {
  return new AdmissionChain([]);
}
