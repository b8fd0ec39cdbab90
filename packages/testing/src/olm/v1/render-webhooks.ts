import type { KubernetesObject } from 'ots-kubernetes';
import type { ClusterServiceVersion } from '../v0/kinds.ts';
import { certificateSecret, webhookService } from '../webhooks/certificates.ts';
import { configurationEntry, servicePorts } from '../webhooks/configuration.ts';

const maxNameLength = 63;
const issuerSuffix = '-selfsigned-issuer';

/** The annotation with which cert-manager writes its authority into an object. */
const injection = (deployment: string, namespace: string) => ({
  'cert-manager.io/inject-ca-from': `${namespace}/${certificateSecret(deployment)}`,
});

/** The Services, certificates and configurations of the webhooks of a bundle. OLM v1 needs cert-manager for them. */
export function renderWebhooks({ spec }: ClusterServiceVersion, namespace: string): KubernetesObject[] {
  const { webhookdefinitions = [], install } = spec;
  const deployments = [...new Set(webhookdefinitions.map(({ deploymentName = '' }) => deploymentName))];
  const services = deployments.map((name) => {
    const written = install.spec?.deployments?.find((each) => each.name === name);
    const selector = written?.spec.selector.matchLabels ?? {};
    const service = { ports: servicePorts(webhookdefinitions, name), selector };
    return {
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { name: webhookService(name), namespace },
      spec: service,
    };
  });
  const configurations = webhookdefinitions
    .filter(({ type }) => type !== 'ConversionWebhook')
    .map((webhook) => ({
      apiVersion: 'admissionregistration.k8s.io/v1',
      kind:
        webhook.type === 'MutatingAdmissionWebhook'
          ? 'MutatingWebhookConfiguration'
          : 'ValidatingWebhookConfiguration',
      metadata: {
        name: webhook.generateName.replace(/-$/, ''),
        annotations: injection(webhook.deploymentName ?? '', namespace),
      },
      webhooks: [configurationEntry(webhook, namespace)],
    }));
  return [...services, ...deployments.flatMap((name) => certificate(name, namespace)), ...configurations];
}

function certificate(deployment: string, namespace: string): KubernetesObject[] {
  const name = certificateSecret(deployment);
  const issuer = `${name.slice(0, maxNameLength - issuerSuffix.length)}${issuerSuffix}`;
  const host = `${webhookService(deployment)}.${namespace}`;
  const spec = {
    commonName: host,
    dnsNames: [host, `${host}.svc`, `${host}.svc.cluster.local`],
    duration: '17520h0m0s',
    issuerRef: { name: issuer },
    renewBefore: '24h0m0s',
    secretName: name,
    usages: ['server auth'],
  };
  const apiVersion = 'cert-manager.io/v1';
  const selfSigned = {
    apiVersion,
    kind: 'Issuer',
    metadata: { name: issuer, namespace },
    spec: { selfSigned: {} },
  };
  const signed = { apiVersion, kind: 'Certificate', metadata: { name, namespace }, spec };
  return [selfSigned, signed];
}

/** A definition with the webhook that converts between its versions. */
export function withConversion(
  object: KubernetesObject & { readonly spec?: object },
  { spec }: ClusterServiceVersion,
  namespace: string,
): KubernetesObject {
  const { name = '' } = object.metadata;
  const webhook = (spec.webhookdefinitions ?? []).find(
    ({ type, conversionCRDs = [] }) => type === 'ConversionWebhook' && conversionCRDs.includes(name),
  );
  if (object.kind !== 'CustomResourceDefinition' || !webhook) return object;
  const { clientConfig } = configurationEntry(webhook, namespace);
  const conversionReviewVersions = webhook.admissionReviewVersions;
  const conversion = { strategy: 'Webhook', webhook: { clientConfig, conversionReviewVersions } };
  const annotations = {
    ...object.metadata.annotations,
    ...injection(webhook.deploymentName ?? '', namespace),
  };
  const definition = {
    ...object,
    metadata: { ...object.metadata, annotations },
    spec: { ...object.spec, conversion },
  };
  return definition;
}
