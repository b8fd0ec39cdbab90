import type { StrategyFactories } from '../strategy-factory.ts';
import { MutatingPolicyStrategy } from './admission/mutating-policy-strategy.ts';
import {
  MutatingPolicyBindingStrategy,
  ValidatingPolicyBindingStrategy,
} from './admission/policy-binding-strategy.ts';
import { ValidatingPolicyStrategy } from './admission/validating-policy-strategy.ts';
import { WebhookConfigurationStrategy } from './admission/webhook-configuration-strategy.ts';
import { ApiServiceStrategy } from './api-service-strategy.ts';
import { CertificateSigningRequestStrategy } from './certificates/certificate-signing-request-strategy.ts';
import { FlowSchemaStrategy } from './flow-control/flow-schema-strategy.ts';
import { PriorityLevelStrategy } from './flow-control/priority-level-strategy.ts';
import { LeaseStrategy } from './lease-strategy.ts';
import { IngressClassStrategy } from './networking/ingress-class-strategy.ts';
import { IngressStrategy } from './networking/ingress-strategy.ts';
import { IpAddressStrategy } from './networking/ip-address-strategy.ts';
import { NetworkPolicyStrategy } from './networking/network-policy-strategy.ts';
import { ServiceCidrStrategy } from './networking/service-cidr-strategy.ts';
import { PriorityClassStrategy } from './priority-class-strategy.ts';
import { ClusterRoleStrategy } from './rbac/cluster-role-strategy.ts';
import { RoleBindingStrategy } from './rbac/role-binding-strategy.ts';
import { RoleStrategy } from './rbac/role-strategy.ts';
import { RuntimeClassStrategy } from './runtime-class-strategy.ts';
import { CsiDriverStrategy } from './storage/csi-driver-strategy.ts';
import { CsiNodeStrategy } from './storage/csi-node-strategy.ts';
import { CsiStorageCapacityStrategy } from './storage/csi-storage-capacity-strategy.ts';
import { StorageClassStrategy } from './storage/storage-class-strategy.ts';
import { VolumeAttachmentStrategy } from './storage/volume-attachment-strategy.ts';
import { VolumeAttributesClassStrategy } from './storage/volume-attributes-class-strategy.ts';

export const clusterStrategies: StrategyFactories = {
  'admissionregistration.k8s.io/mutatingadmissionpolicies': (traits) => new MutatingPolicyStrategy(traits),
  'admissionregistration.k8s.io/mutatingadmissionpolicybindings': (traits) =>
    new MutatingPolicyBindingStrategy(traits),
  'admissionregistration.k8s.io/mutatingwebhookconfigurations': (traits) =>
    new WebhookConfigurationStrategy(traits),
  'admissionregistration.k8s.io/validatingadmissionpolicies': (traits) =>
    new ValidatingPolicyStrategy(traits),
  'admissionregistration.k8s.io/validatingadmissionpolicybindings': (traits) =>
    new ValidatingPolicyBindingStrategy(traits),
  'admissionregistration.k8s.io/validatingwebhookconfigurations': (traits) =>
    new WebhookConfigurationStrategy(traits),
  'apiregistration.k8s.io/apiservices': (traits) => new ApiServiceStrategy(traits),
  'certificates.k8s.io/certificatesigningrequests': (traits, { clock }) =>
    new CertificateSigningRequestStrategy(traits, clock),
  'coordination.k8s.io/leases': (traits) => new LeaseStrategy(traits),
  'flowcontrol.apiserver.k8s.io/flowschemas': (traits) => new FlowSchemaStrategy(traits),
  'flowcontrol.apiserver.k8s.io/prioritylevelconfigurations': (traits) => new PriorityLevelStrategy(traits),
  'networking.k8s.io/ingressclasses': (traits) => new IngressClassStrategy(traits),
  'networking.k8s.io/ingresses': (traits) => new IngressStrategy(traits),
  'networking.k8s.io/ipaddresses': (traits) => new IpAddressStrategy(traits),
  'networking.k8s.io/networkpolicies': (traits) => new NetworkPolicyStrategy(traits),
  'networking.k8s.io/servicecidrs': (traits) => new ServiceCidrStrategy(traits),
  'node.k8s.io/runtimeclasses': (traits) => new RuntimeClassStrategy(traits),
  'rbac.authorization.k8s.io/clusterrolebindings': (traits) => new RoleBindingStrategy(traits),
  'rbac.authorization.k8s.io/clusterroles': (traits) => new ClusterRoleStrategy(traits),
  'rbac.authorization.k8s.io/rolebindings': (traits) => new RoleBindingStrategy(traits),
  'rbac.authorization.k8s.io/roles': (traits) => new RoleStrategy(traits),
  'scheduling.k8s.io/priorityclasses': (traits, { table }) => new PriorityClassStrategy(traits, table),
  'storage.k8s.io/csidrivers': (traits) => new CsiDriverStrategy(traits),
  'storage.k8s.io/csinodes': (traits) => new CsiNodeStrategy(traits),
  'storage.k8s.io/csistoragecapacities': (traits) => new CsiStorageCapacityStrategy(traits),
  'storage.k8s.io/storageclasses': (traits) => new StorageClassStrategy(traits),
  'storage.k8s.io/volumeattachments': (traits) => new VolumeAttachmentStrategy(traits),
  'storage.k8s.io/volumeattributesclasses': (traits) => new VolumeAttributesClassStrategy(traits),
};
