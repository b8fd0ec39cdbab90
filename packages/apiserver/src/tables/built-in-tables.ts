import {
  bindingTable,
  certificateSigningRequestTable,
  configMapTable,
  controllerRevisionTable,
  eventTable,
  leaseTable,
  nameAndAgeTable,
  namespaceTable,
  nodeTable,
  plainTable,
  runtimeClassTable,
  secretTable,
} from './cluster-tables.ts';
import {
  endpointSliceTable,
  endpointsTable,
  ingressClassTable,
  ingressTable,
  networkPolicyTable,
  serviceTable,
} from './network-tables.ts';
import { podTable } from './pod-table.ts';
import {
  admissionPolicyBindingTable,
  admissionPolicyTable,
  horizontalPodAutoscalerTable,
  podDisruptionBudgetTable,
  resourceQuotaTable,
} from './policy-tables.ts';
import {
  countTable,
  persistentVolumeClaimTable,
  persistentVolumeTable,
  priorityClassTable,
  storageClassTable,
  volumeAttachmentTable,
} from './storage-tables.ts';
import type { TableKind } from './table-kind.ts';
import {
  cronJobTable,
  daemonSetTable,
  deploymentTable,
  jobTable,
  podTemplateTable,
  replicaSetTable,
  replicationControllerTable,
  statefulSetTable,
} from './workload-tables.ts';

const tables: ReadonlyMap<string, TableKind> = new Map([
  ['/ConfigMap', configMapTable],
  ['/Endpoints', endpointsTable],
  ['/Event', eventTable],
  ['/Namespace', namespaceTable],
  ['/Node', nodeTable],
  ['/PersistentVolume', persistentVolumeTable],
  ['/PersistentVolumeClaim', persistentVolumeClaimTable],
  ['/Pod', podTable],
  ['/PodTemplate', podTemplateTable],
  ['/ReplicationController', replicationControllerTable],
  ['/ResourceQuota', resourceQuotaTable],
  ['/Secret', secretTable],
  ['/Service', serviceTable],
  ['/ServiceAccount', nameAndAgeTable],
  ['admissionregistration.k8s.io/MutatingAdmissionPolicy', admissionPolicyTable('Mutations')],
  ['admissionregistration.k8s.io/MutatingAdmissionPolicyBinding', admissionPolicyBindingTable],
  ['admissionregistration.k8s.io/MutatingWebhookConfiguration', countTable('Webhooks', 'webhooks')],
  ['admissionregistration.k8s.io/ValidatingAdmissionPolicy', admissionPolicyTable('Validations')],
  ['admissionregistration.k8s.io/ValidatingAdmissionPolicyBinding', admissionPolicyBindingTable],
  ['admissionregistration.k8s.io/ValidatingWebhookConfiguration', countTable('Webhooks', 'webhooks')],
  ['apps/ControllerRevision', controllerRevisionTable],
  ['apps/DaemonSet', daemonSetTable],
  ['apps/Deployment', deploymentTable],
  ['apps/ReplicaSet', replicaSetTable],
  ['apps/StatefulSet', statefulSetTable],
  ['autoscaling/HorizontalPodAutoscaler', horizontalPodAutoscalerTable],
  ['batch/CronJob', cronJobTable],
  ['batch/Job', jobTable],
  ['certificates.k8s.io/CertificateSigningRequest', certificateSigningRequestTable],
  ['coordination.k8s.io/Lease', leaseTable],
  ['discovery.k8s.io/EndpointSlice', endpointSliceTable],
  ['events.k8s.io/Event', eventTable],
  ['networking.k8s.io/Ingress', ingressTable],
  ['networking.k8s.io/IngressClass', ingressClassTable],
  ['networking.k8s.io/NetworkPolicy', networkPolicyTable],
  ['node.k8s.io/RuntimeClass', runtimeClassTable],
  ['policy/PodDisruptionBudget', podDisruptionBudgetTable],
  ['rbac.authorization.k8s.io/ClusterRoleBinding', bindingTable],
  ['rbac.authorization.k8s.io/RoleBinding', bindingTable],
  ['resource.k8s.io/DeviceClass', nameAndAgeTable],
  ['resource.k8s.io/ResourceClaimTemplate', nameAndAgeTable],
  ['scheduling.k8s.io/PriorityClass', priorityClassTable],
  ['storage.k8s.io/CSINode', countTable('Drivers', 'spec', 'drivers')],
  ['storage.k8s.io/StorageClass', storageClassTable],
  ['storage.k8s.io/VolumeAttachment', volumeAttachmentTable],
]);

/** The columns and cells of a built-in kind. */
export function builtInTable(group: string, kind: string): TableKind {
  return tables.get(`${group}/${kind}`) ?? plainTable;
}
