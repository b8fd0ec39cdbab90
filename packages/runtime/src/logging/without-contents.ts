/** Replaces the Kubernetes objects among the fields of a log line, or all of them, by references to the objects. */
export function withoutContents(fields: object): Record<string, unknown> {
  if (isObject(fields)) return reference(fields);
  return Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, shorten(value)]));
}

interface LoggedObject {
  kind: string;
  metadata: { name?: unknown; namespace?: unknown };
}

function shorten(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(shorten);
  return isObject(value) ? reference(value) : value;
}

function reference({ kind, metadata: { name, namespace } }: LoggedObject): Record<string, unknown> {
  return { kind, namespace, name };
}

function isObject(value: unknown): value is LoggedObject {
  if (typeof value !== 'object' || value === null || !('kind' in value) || !('metadata' in value))
    return false;
  return typeof value.kind === 'string' && typeof value.metadata === 'object' && value.metadata !== null;
}
