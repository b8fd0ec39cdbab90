import type { CertificatePair } from 'ots-apimachinery/certificates/certificate-pair';
import type { Machinery } from '../registry/machinery.ts';
import type { Resource } from '../registry/resource.ts';
import type { ControllerSelection } from './controllers.ts';
import { CertificateSigner } from './certificate-signer.ts';
import { AggregatedRoleController } from './aggregated-role-controller.ts';
import { GarbageCollector } from './garbage-collector.ts';
import { NamespaceController } from './namespace-controller.ts';
import { PolicyStatusController } from './policy-status-controller.ts';
import { ResourceQuotaController } from './resource-quota-controller.ts';
import { NamespaceObjectController } from './namespace-object-controller.ts';

/**
 * Starts controllers on an empty store.
 *
 * @param certificates the certificate that clients trust the server by, as PEM, which is empty for a server without TLS; and
 *   the authority of client certificates
 * @returns a function that stops them
 */
export function startControllers(
  machinery: Machinery,
  selected: Required<ControllerSelection>,
  certificates: { readonly root: string; readonly clientAuthority: () => CertificatePair },
): () => void {
  const namespaces = builtInResource(machinery, '', 'namespaces');
  const clusterRoles = builtInResource(machinery, 'rbac.authorization.k8s.io', 'clusterroles');
  const policies = builtInResource(machinery, 'admissionregistration.k8s.io', 'validatingadmissionpolicies');
  const requests = builtInResource(machinery, 'certificates.k8s.io', 'certificatesigningrequests');
  const keep = (plural: string, name: string, fields: Record<string, unknown>) =>
    new NamespaceObjectController(machinery, namespaces, {
      resource: builtInResource(machinery, '', plural),
      name,
      fields,
    });
  const controllers = [
    ...(selected.garbageCollector ? [new GarbageCollector(machinery)] : []),
    ...(selected.namespaces ? [new NamespaceController(machinery, namespaces)] : []),
    ...(selected.aggregatedRoles ? [new AggregatedRoleController(machinery, clusterRoles)] : []),
    ...(selected.policyStatus ? [new PolicyStatusController(machinery, policies)] : []),
    ...(selected.resourceQuotas
      ? [new ResourceQuotaController(machinery, builtInResource(machinery, '', 'resourcequotas'))]
      : []),
    ...(selected.certificateRequests
      ? [new CertificateSigner(machinery, requests, certificates.clientAuthority)]
      : []),
    ...(selected.serviceAccounts ? [keep('serviceaccounts', 'default', {})] : []),
    ...(selected.rootCertificates
      ? [keep('configmaps', 'kube-root-ca.crt', { data: { 'ca.crt': certificates.root } })]
      : []),
  ];
  return () => {
    for (const controller of controllers) controller.stop();
  };
}

function builtInResource({ registry }: Machinery, group: string, plural: string): Resource {
  const resource = registry.find(group, 'v1', plural);
  if (!resource) throw new Error(`the table of built-in resources lacks ${plural}`);
  return resource;
}
