/** How many differences a message shows. */
const maxShown = 5;

/**
 * What differs between two JSON values, a line for each.
 *
 * @returns such as `spec.replicas: 3 instead of 2`
 */
export function differences(actual: unknown, expected: unknown): string[] {
  const all = differencesAt('', actual, expected);
  const more = all.length - maxShown;
  return more > 0 ? [...all.slice(0, maxShown), `and ${more} more`] : all;
}

function differencesAt(path: string, actual: unknown, expected: unknown): string[] {
  if (Object.is(actual, expected)) return [];
  if (!isNode(actual) || !isNode(expected) || Array.isArray(actual) !== Array.isArray(expected))
    return [`${path}: ${shown(actual)} instead of ${shown(expected)}`];
  const keys = [...new Set([...Object.keys(expected), ...Object.keys(actual)])];
  return keys.flatMap((key) =>
    differencesAt(pathTo(path, key, Array.isArray(expected)), actual[key], expected[key]),
  );
}

function pathTo(path: string, key: string, isIndex: boolean): string {
  if (path === '') return key;
  if (isIndex) return `${path}[${key}]`;
  // The name of an object comes first.
  return path.includes(' ') && !path.includes(': ') ? `${path}: ${key}` : `${path}.${key}`;
}

function isNode(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

function shown(value: unknown): string {
  if (value === undefined) return 'nothing';
  const text = JSON.stringify(value);
  return text.length > 200 ? `${text.slice(0, 200)}…` : text;
}
