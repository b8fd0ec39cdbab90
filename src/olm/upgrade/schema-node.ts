import { isObject } from '../bundle/json.ts';

/** A part of an OpenAPI schema, as parsed: anything may be wrong with it. */
export type SchemaNode = Readonly<Record<string, unknown>>;

/** Keywords whose value is one schema. */
const single = ['not', 'additionalProperties', 'additionalItems'];
/** Keywords whose value is a list of schemas. */
const lists = ['allOf', 'anyOf', 'oneOf'];
/** Keywords whose value has schemas by name. `properties` is the one whose name is not part of the path. */
const maps = ['patternProperties', 'definitions', 'dependencies'];

/**
 * All schemas in a schema by their paths, such as `^.spec.racks.items`. Source: the check of OLM v1 names properties so.
 *
 * @param schema of a version; anything else has no parts
 */
export function flatten(schema: unknown): ReadonlyMap<string, SchemaNode> {
  const found = new Map<string, SchemaNode>();
  // A list instead of recursion: a hostile schema may be deep.
  const waiting: (readonly [path: string, schema: unknown])[] = [['^', schema]];
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const [path, node] = next;
    if (!isObject(node)) continue;
    found.set(path, node);
    waiting.push(...partsOf(path, node));
  }
  return found;
}

function partsOf(path: string, node: SchemaNode): (readonly [string, unknown])[] {
  const { items } = node;
  return [
    ...listed(items).map((part, index) => [`${path}.items[${index}]`, part] as const),
    ...[...single, 'items'].map((keyword) => [`${path}.${keyword}`, node[keyword]] as const),
    ...lists.flatMap((keyword) =>
      listed(node[keyword]).map((part, index) => [`${path}.${keyword}[${index}]`, part] as const),
    ),
    ...named(node['properties']).map(([name, part]) => [`${path}.${name}`, part] as const),
    ...maps.flatMap((keyword) =>
      named(node[keyword]).map(([name, part]) => [`${path}.${keyword}[${name}]`, part] as const),
    ),
  ];
}

function listed(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function named(value: unknown): [string, unknown][] {
  return isObject(value) ? Object.entries(value) : [];
}
