import type { ServiceEndpoints } from '../webhooks/service-endpoints.ts';
import { AdmissionChain } from './admission-chain.ts';
import type { AdmissionContext } from './plugin.ts';
import { MutatingAdmissionWebhook } from './webhook/mutating-webhooks.ts';
import { ValidatingAdmissionWebhook } from './webhook/validating-webhooks.ts';

/** The plugins that a server has, in the order of kube-apiserver. */
export function createAdmission(context: AdmissionContext, services: ServiceEndpoints): AdmissionChain {
  const webhooks = { ...context, services };
  return new AdmissionChain([
    new MutatingAdmissionWebhook(webhooks),
    new ValidatingAdmissionWebhook(webhooks),
  ]);
}
