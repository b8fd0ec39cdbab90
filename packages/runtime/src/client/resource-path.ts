import type { Kind } from 'ots-kubernetes';
import { UsageError } from '../errors/usage-error.ts';

/**
 * The URL path of a kind's collection, in one namespace, or in the whole cluster without one. Cluster-scoped kinds
 * ignore the namespace.
 * @throws {UsageError} if the namespace cannot be a path segment.
 */
export function collectionPath(kind: Kind, namespace?: string): string {
  const root = kind.group === '' ? `/api/${kind.version}` : `/apis/${kind.group}/${kind.version}`;
  const scope =
    kind.scope === 'Namespaced' && namespace ? `/namespaces/${segment(kind, 'namespace', namespace)}` : '';
  return `${root}${scope}/${kind.plural}`;
}

/**
 * The URL path of one object, or of a subresource of it.
 * @throws {UsageError} if the name, or the namespace of a namespaced kind, is missing or cannot be a path segment.
 */
export function objectPath(
  kind: Kind,
  key: { name?: string | undefined; namespace?: string | undefined },
  subresource?: string,
): string {
  if (!key.name) throw missing(kind, 'name');
  const collection = collectionPath(kind, requiredNamespace(kind, key.namespace));
  const path = `${collection}/${segment(kind, 'name', key.name)}`;
  return subresource ? `${path}/${segment(kind, 'subresource', subresource)}` : path;
}

/** @throws {UsageError} if the kind is namespaced and the namespace is missing. */
export function requiredNamespace(kind: Kind, namespace: string | undefined): string | undefined {
  if (kind.scope === 'Namespaced' && !namespace) throw missing(kind, 'namespace');
  return namespace;
}

/**
 * Names often come from a spec that a user wrote. A name with a slash, which servers decode before they split the path,
 * or with dots, which they resolve, would turn this into another request, with other permissions and effects.
 */
function segment(kind: Kind, what: string, text: string): string {
  if (text === '.' || text === '..' || /[/%]/.test(text)) {
    throw new UsageError(
      `${JSON.stringify(text)} cannot be the ${what} of a ${kind.kind}`,
      "A path segment must not be '.' or '..', or contain '/' or '%'.",
    );
  }
  return encodeURIComponent(text);
}

function missing(kind: Kind, what: string): UsageError {
  return new UsageError(
    `The ${what} of the ${kind.kind} is missing`,
    `Set the ${what} in its key or metadata.`,
  );
}
