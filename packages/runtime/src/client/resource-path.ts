import type { Kind } from 'ots-kubernetes';
import { UsageError } from '../errors/usage-error.ts';

/**
 * The URL path of a kind's collection: of one namespace, or of the whole cluster when none is given.
 * Cluster-scoped kinds pass over the namespace.
 */
export function collectionPath(kind: Kind, namespace?: string): string {
  const root = kind.group === '' ? `/api/${kind.version}` : `/apis/${kind.group}/${kind.version}`;
  const scope =
    kind.scope === 'Namespaced' && namespace ? `/namespaces/${encodeURIComponent(namespace)}` : '';
  return `${root}${scope}/${kind.plural}`;
}

/**
 * The URL path of one object, or of a subresource of it.
 * @throws {UsageError} when the name, or the namespace of a namespaced kind, is missing.
 */
export function objectPath(
  kind: Kind,
  key: { name?: string | undefined; namespace?: string | undefined },
  subresource?: 'status',
): string {
  if (!key.name) throw missing(kind, 'name');
  const path = `${collectionPath(kind, requiredNamespace(kind, key.namespace))}/${encodeURIComponent(key.name)}`;
  return subresource ? `${path}/${subresource}` : path;
}

/** @throws {UsageError} when the kind is namespaced and there is no namespace. */
export function requiredNamespace(kind: Kind, namespace: string | undefined): string | undefined {
  if (kind.scope === 'Namespaced' && !namespace) throw missing(kind, 'namespace');
  return namespace;
}

function missing(kind: Kind, what: string): UsageError {
  return new UsageError(
    `the ${what} of the ${kind.kind} is missing`,
    `Set the ${what} in its key or metadata.`,
  );
}
