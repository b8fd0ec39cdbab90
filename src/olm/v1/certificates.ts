import type { Csv } from '../bundle/csv.ts';
import type { JsonObject } from '../bundle/json.ts';
import { objectName } from './names.ts';
import type { RenderContext } from './render-for-olm-v1.ts';

/** What makes the certificates of webhooks. */
export type CertificateProvider = 'cert-manager' | 'service-ca';

/** The Service in front of the webhooks of a Deployment. */
export function serviceName(deployment: string): string {
  return objectName(deployment.replaceAll('.', '-'), 'service');
}

/** The Secret with the certificate of that Service, and the Certificate. */
export function certificateName(deployment: string): string {
  return objectName(serviceName(deployment), 'cert');
}

/** Annotations by which the provider adds its certificate authority to a webhook configuration or a CRD. */
export function authorityAnnotations(
  deployment: string,
  { certificates, namespace }: RenderContext,
): Record<string, string> {
  if (certificates === 'none') return {};
  if (certificates === 'service-ca') return { 'service.beta.openshift.io/inject-cabundle': 'true' };
  return { 'cert-manager.io/inject-ca-from': `${namespace}/${certificateName(deployment)}` };
}

/** Annotations by which the provider makes a certificate for a Service. */
export function serviceAnnotations(
  deployment: string,
  { certificates }: RenderContext,
): Record<string, string> {
  if (certificates !== 'service-ca') return {};
  return { 'service.beta.openshift.io/serving-cert-secret-name': certificateName(deployment) };
}

/** An Issuer and a Certificate for each Deployment with webhooks, if cert-manager makes them. */
export function renderCertificates({ spec }: Csv, { certificates, namespace }: RenderContext): JsonObject[] {
  if (certificates !== 'cert-manager') return [];
  const deployments = new Set(
    (spec?.webhookdefinitions ?? []).map(({ deploymentName = '' }) => deploymentName),
  );
  return [...deployments].flatMap((deployment) => issuerAndCertificate(deployment, namespace));
}

function issuerAndCertificate(deployment: string, namespace: string): JsonObject[] {
  const name = certificateName(deployment);
  const issuer = objectName(name, 'selfsigned-issuer');
  const host = `${serviceName(deployment)}.${namespace}`;
  const apiVersion = 'cert-manager.io/v1';
  return [
    {
      apiVersion,
      kind: 'Issuer',
      metadata: { name: issuer, namespace },
      spec: { selfSigned: {} },
      status: {},
    },
    {
      apiVersion,
      kind: 'Certificate',
      metadata: { name, namespace },
      spec: {
        commonName: host,
        dnsNames: [host, `${host}.svc`, `${host}.svc.cluster.local`],
        // As with OLM v0: two years, and a day to renew it.
        duration: '17520h0m0s',
        renewBefore: '24h0m0s',
        issuerRef: { name: issuer },
        secretName: name,
        usages: ['server auth'],
      },
      status: {},
    },
  ];
}
