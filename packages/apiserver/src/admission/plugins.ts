import type { OwnMachinery } from '../registry/machinery.ts';
import type { ServiceEndpoints } from '../webhooks/service-endpoints.ts';
import { AdmissionChain } from './admission-chain.ts';
import { certificateSubjectRestriction } from './certificates/certificate-subject-restriction.ts';
import { certificateApproval, certificateSigning } from './certificates/signer-rights.ts';
import { DefaultIngressClass } from './default-ingress-class.ts';
import { LimitRanger } from './limit-ranger/limit-ranger.ts';
import { NodeRestriction } from './node-restriction/node-restriction.ts';
import { OwnerReferencesPermissionEnforcement } from './owner-references/owner-references-permission.ts';
import { DefaultTolerationSeconds } from './pods/default-toleration-seconds.ts';
import { NodeDeclaredFeatureValidator } from './pods/node-declared-feature-validator.ts';
import { PodResizeValidator } from './pods/pod-resize-validator.ts';
import { PodTopologyLabels } from './pods/pod-topology-labels.ts';
import { Priority } from './pods/priority.ts';
import { RuntimeClass } from './pods/runtime-class.ts';
import { PodSecurity } from './pod-security/pod-security.ts';
import { MutatingAdmissionPolicy } from './policy/mutating-policies.ts';
import { ValidatingAdmissionPolicy } from './policy/validating-policies.ts';
import { ResourceQuota } from './resource-quota/resource-quota.ts';
import { ServiceAccount } from './service-account/service-account.ts';
import { MutatingAdmissionWebhook } from './webhook/mutating-webhooks.ts';
import { ValidatingAdmissionWebhook } from './webhook/validating-webhooks.ts';

/** The plugins that a server has only on request. */
export type OptionalPlugin = 'OwnerReferencesPermissionEnforcement' | 'ServiceAccount';

/** The plugins that a server has, in the order of kube-apiserver. */
export function createAdmission(
  machinery: OwnMachinery,
  services: ServiceEndpoints,
  enabled: readonly OptionalPlugin[],
): AdmissionChain {
  const { registry } = machinery;
  const webhooks = { ...machinery, services };
  return new AdmissionChain([
    new LimitRanger(registry),
    ...(enabled.includes('ServiceAccount') ? [new ServiceAccount(machinery)] : []),
    new NodeRestriction(machinery),
    new PodSecurity(registry),
    new Priority(registry),
    new DefaultTolerationSeconds(),
    ...(enabled.includes('OwnerReferencesPermissionEnforcement')
      ? [new OwnerReferencesPermissionEnforcement(machinery)]
      : []),
    new RuntimeClass(registry),
    certificateApproval(machinery),
    certificateSigning(machinery),
    certificateSubjectRestriction,
    new DefaultIngressClass(registry),
    new PodTopologyLabels(registry),
    new NodeDeclaredFeatureValidator(registry),
    new PodResizeValidator(registry),
    new MutatingAdmissionPolicy(machinery),
    new MutatingAdmissionWebhook(webhooks),
    new ValidatingAdmissionPolicy(machinery),
    new ValidatingAdmissionWebhook(webhooks),
    new ResourceQuota(machinery),
  ]);
}
