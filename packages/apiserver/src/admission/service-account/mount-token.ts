import type { Container, PodSpec, Volume } from 'ots-kubernetes/core/v1';
import type { Random } from '../../random/random.ts';
import { randomSuffix } from '../../registry/random-suffix.ts';

const prefix = 'kube-api-access-';
const mountPath = '/var/run/secrets/kubernetes.io/serviceaccount';
/** One hour and some seconds, by which a server recognizes these tokens. */
const tokenSeconds = 3607;

/** Mounts a token of the ServiceAccount into every container that mounts nothing at its place. Changes the spec. */
export function mountToken(spec: PodSpec, random: Random): void {
  const existing = (spec.volumes ?? []).find(({ name }) => name.startsWith(prefix))?.name;
  const name = existing ?? `${prefix}${randomSuffix(random)}`;
  const lacking = [...(spec.initContainers ?? []), ...spec.containers].filter(
    ({ volumeMounts }) => !volumeMounts?.some((mount) => mount.mountPath === mountPath),
  );
  for (const container of lacking) addMount(container, name);
  if (existing === undefined && lacking.length > 0)
    spec.volumes = [...(spec.volumes ?? []), tokenVolume(name)];
}

function addMount(container: Container, name: string): void {
  container.volumeMounts = [...(container.volumeMounts ?? []), { mountPath, name, readOnly: true }];
}

/** The token, the certificate of the server, and the namespace of the pod. */
function tokenVolume(name: string): Volume {
  const fieldRef = { apiVersion: 'v1', fieldPath: 'metadata.namespace' };
  return {
    name,
    projected: {
      defaultMode: 0o644,
      sources: [
        { serviceAccountToken: { expirationSeconds: tokenSeconds, path: 'token' } },
        { configMap: { items: [{ key: 'ca.crt', path: 'ca.crt' }], name: 'kube-root-ca.crt' } },
        { downwardAPI: { items: [{ fieldRef, path: 'namespace' }] } },
      ],
    },
  };
}
