import type { PodSpec, Volume, VolumeMount } from 'ots-kubernetes/core/v1';
import type { Csv, DeploymentDescription } from '../bundle/csv.ts';
import type { JsonObject } from '../bundle/json.ts';
import { certificateName } from './certificates.ts';
import { configuredMetadata, configuredPod } from './configured-pod.ts';
import type { RenderContext } from './render-for-olm-v1.ts';
import { typedObject } from './typed-object.ts';

/** The Deployments of an operator, with the namespaces that it watches, its certificates, and the changes of its user. */
export function renderDeployments(csv: Csv, context: RenderContext): JsonObject[] {
  const { webhookdefinitions = [], install } = csv.spec ?? {};
  const withWebhooks = new Set(webhookdefinitions.map(({ deploymentName = '' }) => deploymentName));
  return (install?.spec?.deployments ?? []).map((deployment) => {
    const needsCertificate = withWebhooks.has(deployment.name ?? '') && context.certificates !== 'none';
    return renderDeployment(deployment, csv.metadata?.annotations ?? {}, needsCertificate, context);
  });
}

function renderDeployment(
  { name = '', label, spec = {} }: DeploymentDescription,
  csvAnnotations: Readonly<Record<string, string>>,
  needsCertificate: boolean,
  { namespace, targets, config }: RenderContext,
): JsonObject {
  const { template } = spec;
  const pod = template?.spec ?? {};
  const mounted = needsCertificate ? withCertificate(pod, certificateName(name)) : pod;
  const annotations = {
    ...csvAnnotations,
    ...template?.metadata?.annotations,
    'olm.targetNamespaces': targets.join(','),
    'olm.operatorNamespace': namespace,
  };
  return typedObject('apps/v1', 'Deployment', {
    metadata: configuredMetadata({ name, namespace, ...(label && { labels: label }) }, config),
    spec: {
      ...spec,
      // As with OLM v0.
      revisionHistoryLimit: 1,
      template: {
        ...template,
        metadata: configuredMetadata({ ...template?.metadata, annotations }, config),
        spec: configuredPod(mounted, config),
      },
    },
  });
}

/** Where programs expect a certificate: webhooks by the conventions of controller-runtime, API servers by theirs. */
const certificateVolumes = [
  {
    name: 'webhook-cert',
    mountPath: '/tmp/k8s-webhook-server/serving-certs',
    certificate: 'tls.crt',
    key: 'tls.key',
  },
  {
    name: 'apiservice-cert',
    mountPath: '/apiserver.local.config/certificates',
    certificate: 'apiserver.crt',
    key: 'apiserver.key',
  },
];

/** Mounts the certificate into every container, instead of what their author mounts there. */
function withCertificate(pod: Partial<PodSpec>, secretName: string): Partial<PodSpec> {
  const paths = new Set(certificateVolumes.map(({ mountPath }) => mountPath));
  const replaced = new Set([
    ...certificateVolumes.map(({ name }) => name),
    ...(pod.containers ?? [])
      .flatMap(({ volumeMounts = [] }) => volumeMounts)
      .filter(({ mountPath }) => paths.has(mountPath))
      .map(({ name }) => name),
  ]);
  const volumes: Volume[] = certificateVolumes.map(({ name, certificate, key }) => ({
    name,
    secret: {
      secretName,
      items: [
        { key: 'tls.crt', path: certificate },
        { key: 'tls.key', path: key },
      ],
    },
  }));
  const mounts: VolumeMount[] = certificateVolumes.map(({ name, mountPath }) => ({ name, mountPath }));
  return {
    ...pod,
    volumes: [...(pod.volumes ?? []).filter(({ name }) => !replaced.has(name)), ...volumes],
    ...(pod.containers && {
      containers: pod.containers.map((container) => ({
        ...container,
        volumeMounts: [
          ...(container.volumeMounts ?? []).filter(({ name }) => !replaced.has(name)),
          ...mounts,
        ],
      })),
    }),
  };
}
