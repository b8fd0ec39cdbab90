import { appendAll } from '../../json/append-all.ts';
import type { ApiObject } from '../../json/api-object.ts';
import { type JsonObject, isObject } from '../../json/json-object.ts';
import { type Atom, fieldAtom, partFor, untypedAtom } from '../../managed-fields/atom.ts';
import { ListItemError } from '../../managed-fields/list-element.ts';
import { mergeTyped } from '../../managed-fields/merge-typed.ts';
import { type Violation, TypedError } from '../../managed-fields/typed-error.ts';
import { validateTyped } from '../../managed-fields/validate-typed.ts';
import type { Resource } from '../../registry/resource.ts';
import { atomOfResource } from '../../registry/resource-versions.ts';
import { MutationError } from './mutation-error.ts';

/**
 * Merges a configuration into an object like a server-side apply without field managers.
 *
 * @param configuration states only what it changes
 * @throws {MutationError} when it does not fit the schema, or would replace a list or map that is owned as a whole
 */
export function applyConfiguration(object: ApiObject, kind: Resource, configuration: JsonObject): JsonObject {
  const { apiVersion, kind: kindName } = object;
  const applied = { ...configuration, apiVersion, kind: kindName };
  const atom = atomOfResource(kind);
  translate('failed to convert patch object to typed object', () => {
    validateTyped(applied, atom);
    const nulls = findNulls(applied, atom, '');
    if (nulls.length > 0) throw new TypedError(nulls);
  });
  const atomics = findAtomics(applied, atom, '');
  if (atomics.length > 0)
    throw new MutationError(
      `error applying patch: invalid ApplyConfiguration: may not mutate atomic arrays, maps or structs: ${atomics.join(', ')}`,
    );
  const merged = translate('failed to merge patch', () => mergeTyped(object, applied, atom));
  return isObject(merged) ? merged : object;
}

function translate<Result>(context: string, work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof TypedError) && !(error instanceof ListItemError)) throw error;
    throw new MutationError(`error applying patch: ${context}: ${error.message}`, { cause: error });
  }
}

/** How Go prints the null of an expression in the place of another type. */
const nullMessages = {
  string: 'expected string, got &value.valueUnstructured{Value:0}',
  boolean: 'expected boolean, got &{NULL_VALUE}',
  numeric: 'expected numeric (int or float), got structpb.NullValue',
  map: 'expected map, got &{NULL_VALUE}',
  list: 'expected list, got &{NULL_VALUE}',
};

/** A null in an expression has no type that a field accepts. */
function findNulls(value: unknown, atom: Atom, path: string): Violation[] {
  if (value === null) {
    const part = partFor(atom, null);
    const name = part === 'scalar' ? atom.scalar : part;
    return name === undefined || name === 'untyped' ? [] : [{ path, message: nullMessages[name] }];
  }
  const { map, list } = atom;
  if (Array.isArray(value) && list)
    return value.flatMap((item, index) => findNulls(item, list.item, `${path}[${index}]`));
  if (!isObject(value) || !map) return [];
  return Object.entries(value).flatMap(([name, item]) =>
    findNulls(item, fieldAtom(map, name) ?? untypedAtom, `${path}.${name}`),
  );
}

/** The paths of lists and maps that a value would replace as a whole. Entries without a name of their own may be anything. */
function findAtomics(value: unknown, { map, list }: Atom, path: string): string[] {
  const found: string[] = [];
  if (isObject(value) && map) {
    if (map.isAtomic) found.push(path);
    for (const [name, item] of Object.entries(value)) {
      const field = map.field(name);
      if (field) appendAll(found, findAtomics(item, field, `${path}.${name}`));
    }
  } else if (Array.isArray(value) && list) {
    if (list.isAtomic) found.push(path);
    for (const [index, item] of value.entries())
      appendAll(found, findAtomics(item, list.item, `${path}[${index}]`));
  }
  return found;
}
