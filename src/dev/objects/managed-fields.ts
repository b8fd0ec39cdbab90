/** How many fields of one manager are listed. */
const maxFields = 200;

/**
 * The fields of an entry of `managedFields`, such as `spec.replicas` and `spec.containers[name=web].image`. The format is that of
 * `FieldsV1` of the Kubernetes API: `f:` names a field, `k:` the keys of a list item, `v:` a value of a set, `.` the item itself.
 */
export function managedFields(fields: unknown): string[] {
  const found: string[] = [];
  collect(fields, '', found);
  return found.slice(0, maxFields);
}

function collect(fields: unknown, path: string, found: string[]): void {
  const entries = Object.entries(isObject(fields) ? fields : {}).filter(([key]) => key !== '.');
  if (entries.length === 0 && path !== '') found.push(path);
  for (const [key, value] of entries) collect(value, `${path}${segment(key, path === '')}`, found);
}

function segment(key: string, isFirst: boolean): string {
  const rest = key.slice(2);
  if (key.startsWith('f:'))
    return /^[\w-]+$/.test(rest) ? `${isFirst ? '' : '.'}${rest}` : `[${JSON.stringify(rest)}]`;
  if (!key.startsWith('k:')) return `[${rest}]`;
  const keys = Object.entries(parsed(rest));
  return `[${keys.map(([name, value]) => `${name}=${String(value)}`).join(',') || rest}]`;
}

function parsed(keys: string): object {
  try {
    const value: unknown = JSON.parse(keys);
    return isObject(value) ? value : {};
  } catch {
    return {};
  }
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}
