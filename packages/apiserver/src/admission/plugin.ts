import type { AdmissionAttributes } from '../registry/admission.ts';
import type { Reinvocation } from './reinvocation.ts';

/**
 * A part of admission. A plugin has one phase or both: the mutating one may change `attributes.object` or replace it,
 * the validating one sees the result of all others.
 */
export interface AdmissionPlugin {
  /** The name of the plugin in kube-apiserver, such as `LimitRanger`. */
  readonly name: string;
  /** Whether a phase may have to wait, for a webhook for example. Default false. */
  readonly mayWait?: boolean;
  /** Whether the plugin has anything to do with a request. Cheap, because every write asks. */
  handles(attributes: AdmissionAttributes): boolean;
  /**
   * @returns undefined when it is done at once
   * @throws {StatusError} when it refuses the request
   */
  mutate?(attributes: AdmissionAttributes, reinvocation: Reinvocation): Promise<void> | undefined;
  /**
   * @returns undefined when it is done at once
   * @throws {StatusError} when it refuses the request
   */
  validate?(attributes: AdmissionAttributes): Promise<void> | undefined;
}
