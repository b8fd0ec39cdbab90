import type { PodSpec } from 'ots-kubernetes/core/v1';

/** OLM mounts the certificate of webhooks at two places, for two generations of libraries. */
export function mountCertificates(pod: PodSpec, deployment: string): void {
  const mounts = [
    {
      name: 'webhook-cert',
      mountPath: '/tmp/k8s-webhook-server/serving-certs',
      files: ['tls.crt', 'tls.key'],
    },
    {
      name: 'apiservice-cert',
      mountPath: '/apiserver.local.config/certificates',
      files: ['apiserver.crt', 'apiserver.key'],
    },
  ];
  const names = mounts.map(({ name }) => name);
  const paths = mounts.map(({ mountPath }) => mountPath);
  pod.volumes = [
    ...(pod.volumes ?? []).filter(({ name }) => !names.includes(name)),
    ...mounts.map(({ name, files }) => ({
      name,
      secret: {
        secretName: certificateSecret(deployment),
        items: files.map((path, index) => ({ key: index === 0 ? 'tls.crt' : 'tls.key', path })),
      },
    })),
  ];
  for (const container of pod.containers)
    container.volumeMounts = [
      ...(container.volumeMounts ?? []).filter(
        ({ name, mountPath }) => !names.includes(name) && !paths.includes(mountPath),
      ),
      ...mounts.map(({ name, mountPath }) => ({ name, mountPath })),
    ];
}

/** The Service in front of the webhooks of a Deployment. */
export const webhookService = (deployment: string): string => `${deployment.replaceAll('.', '-')}-service`;

/** The Secret with the certificate of a Deployment. */
export const certificateSecret = (deployment: string): string => `${webhookService(deployment)}-cert`;
