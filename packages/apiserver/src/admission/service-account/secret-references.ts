import type { Container, EphemeralContainer, PodSpec, ServiceAccount } from 'ots-kubernetes/core/v1';

type AnyContainer = Container | EphemeralContainer;

/** The first Secret that a pod uses and its ServiceAccount does not name, in one line; undefined if there is none. */
export function foreignSecretOf(spec: PodSpec, account: ServiceAccount): string | undefined {
  const name = account.metadata?.name;
  const mountable = mountableBy(account);
  for (const { secret } of spec.volumes ?? []) {
    if (secret && !mountable.has(secret.secretName ?? ''))
      return `volume with secret.secretName="${secret.secretName ?? ''}" is not allowed because service account ${name} does not reference that secret`;
  }
  const found =
    foreignSecretIn(spec.initContainers ?? [], 'init container', account) ??
    foreignSecretIn(spec.containers, 'container', account);
  if (found !== undefined) return found;
  const pullable = new Set((account.imagePullSecrets ?? []).map((secret) => secret.name));
  const index = (spec.imagePullSecrets ?? []).findIndex((secret) => !pullable.has(secret.name));
  if (index === -1) return undefined;
  return `imagePullSecrets[${index}].name="${spec.imagePullSecrets?.[index]?.name}" is not allowed because service account ${name} does not reference that imagePullSecret`;
}

/**
 * The first Secret in the environment of containers that the ServiceAccount does not name, in one line.
 *
 * @param type such as `init container`
 */
export function foreignSecretIn(
  containers: readonly AnyContainer[],
  type: string,
  account: ServiceAccount,
): string | undefined {
  const mountable = mountableBy(account);
  for (const container of containers) {
    const used = environmentSecrets(container).find(({ secret }) => !mountable.has(secret));
    if (used)
      return `${type} ${container.name} with ${used.place} referencing secret.secretName="${used.secret}" is not allowed because service account ${account.metadata?.name} does not reference that secret`;
  }
  return undefined;
}

/** The Secrets in the environment of a container, and where they are. */
export function environmentSecrets({
  env = [],
  envFrom = [],
}: AnyContainer): { place: string; secret: string }[] {
  return [
    ...env.flatMap(({ name, valueFrom }) =>
      valueFrom?.secretKeyRef ? { place: `envVar ${name}`, secret: valueFrom.secretKeyRef.name ?? '' } : [],
    ),
    ...envFrom.flatMap(({ secretRef }) =>
      secretRef ? { place: 'envFrom', secret: secretRef.name ?? '' } : [],
    ),
  ];
}

function mountableBy({ secrets = [] }: ServiceAccount): ReadonlySet<string> {
  return new Set(secrets.map(({ name = '' }) => name));
}
