import { type JsonObject, isObject } from '../json/json-object.ts';
import { maxRecursion } from '../json/depth.ts';
import { FieldSet } from './field-set.ts';
import { type PathElement, parseElement } from './path-element.ts';

/** Most writes leave the fields of most managers as they are: objects share them from version to version. */
const decoded = new WeakMap<JsonObject, FieldSet>();
const encoded = new WeakMap<FieldSet, { order: StepOrder; fields: JsonObject }>();

/**
 * Decodes a set from `managedFields`. Skips unknown kinds of path elements.
 *
 * @param fields must not change any more
 * @throws {SyntaxError} when a path element is malformed
 */
export function decodeFieldsV1(fields: JsonObject): FieldSet {
  const known = decoded.get(fields);
  if (known) return known;
  const set = decode(fields, 0).set ?? new FieldSet();
  decoded.set(fields, set);
  return set;
}

/** How path elements are sorted: by meaning, or as strings. */
export type StepOrder = (elements: Iterable<PathElement>) => PathElement[];

/** Encodes a set for `managedFields`. `.` marks a path that both ends and continues. */
export function encodeFieldsV1(set: FieldSet, order: StepOrder): JsonObject {
  const known = encoded.get(set);
  if (known?.order === order) return known.fields;
  const fields = encode(set, { includeSelf: false, order });
  encoded.set(set, { order, fields });
  return fields;
}

/** Paths too deep for the stack are cut off at their last element. */
function decode(fields: JsonObject, depth: number): { set: FieldSet | undefined; isMember: boolean } {
  let set: FieldSet | undefined;
  let isMember = false;
  if (depth > maxRecursion) return { set, isMember: true };
  for (const [key, value] of Object.entries(fields)) {
    if (key === '.') {
      isMember = true;
      continue;
    }
    const element = parseElement(key);
    if (element === undefined) continue;
    if (!isObject(value) && value !== null) throw new SyntaxError(`no fields: ${key}`);
    const below = decode(value ?? {}, depth + 1);
    set ??= new FieldSet();
    if (below.isMember) set.members.add(element);
    if (below.set) set.children.set(element, below.set);
  }
  return { set, isMember: isMember || !set };
}

function encode(
  { members, children }: FieldSet,
  { includeSelf, order }: { includeSelf: boolean; order: StepOrder },
): JsonObject {
  const fields: JsonObject = {};
  if (includeSelf) fields['.'] = {};
  const elements = children.size === 0 ? members : new Set([...members, ...children.keys()]);
  for (const element of order(elements)) {
    const child = children.get(element);
    fields[element] = child
      ? encode(child, { includeSelf: members.has(element) && !isBare(child), order })
      : {};
  }
  return fields;
}

function isBare({ members, children }: FieldSet): boolean {
  return members.size === 0 && children.size === 0;
}
