import type { ServiceEndpoints } from '../webhooks/service-endpoints.ts';
import { AdmissionChain } from './admission-chain.ts';
import { LimitRanger } from './limit-ranger/limit-ranger.ts';
import type { AdmissionContext } from './plugin.ts';
import { PodSecurity } from './pod-security/pod-security.ts';
import { MutatingAdmissionWebhook } from './webhook/mutating-webhooks.ts';
import { ValidatingAdmissionWebhook } from './webhook/validating-webhooks.ts';

/** The plugins that a server has, in the order of kube-apiserver. */
export function createAdmission(context: AdmissionContext, services: ServiceEndpoints): AdmissionChain {
  const { registry } = context;
  const webhooks = { ...context, services };
  return new AdmissionChain([
    new LimitRanger(registry),
    new PodSecurity(registry),
    new MutatingAdmissionWebhook(webhooks),
    new ValidatingAdmissionWebhook(webhooks),
  ]);
}
