import { isDeepStrictEqual } from 'node:util';
import { isObject } from '../bundle/json.ts';
import { type SchemaNode, flatten } from './schema-node.ts';

/** A change of a schema that objects or clients of the older one may not survive. */
export interface SchemaChange {
  /** Where, such as `^.spec.size`. */
  readonly path: string;
  /** The keyword that changed, or `unhandled` for those that have no rule of their own. */
  readonly rule: string;
  readonly message: string;
}

/** Says what is unsafe about a change of a keyword; undefined for a safe one. */
type Rule = (older: unknown, newer: unknown) => string | undefined;

const maximum: Rule = (older, newer) => bound(older, newer, (a, b) => b < a, 'lowered');
const minimum: Rule = (older, newer) => bound(older, newer, (a, b) => b > a, 'raised');

/**
 * The rules by keyword. Source: the CRD upgrade safety check of OLM v1, which allows new values of an enum, and ignores descriptions.
 * What is only relaxed is safe, except for what readers of objects may rely on: a default, a pattern, that a value is not null.
 */
const rules: Readonly<Record<string, Rule>> = {
  default: (older, newer) => changed(older, newer),
  description: () => undefined,
  enum: enumeration,
  maximum,
  maxItems: maximum,
  maxLength: maximum,
  maxProperties: maximum,
  minimum,
  minItems: minimum,
  minLength: minimum,
  minProperties: minimum,
  nullable: (older, newer) => changed(older || undefined, newer || undefined),
  pattern: (older, newer) => changed(older || undefined, newer || undefined),
  required: newlyRequired,
  type: (older, newer) => changed(older || undefined, newer || undefined),
};
/**
 * The other keywords that a schema of a definition can have. Those with paths of their own, `properties` and `items`, are compared there.
 * What means the same as no value differs, because Go's types have pointers for some.
 */
const others: Readonly<Record<string, (value: unknown) => boolean>> = {
  ...keywords(isZero, [
    'id',
    '$schema',
    'title',
    'format',
    'uniqueItems',
    'exclusiveMaximum',
    'exclusiveMinimum',
  ]),
  ...keywords(isZero, ['x-kubernetes-embedded-resource', 'x-kubernetes-int-or-string']),
  ...keywords(isEmpty, ['allOf', 'anyOf', 'oneOf', 'patternProperties', 'definitions', 'dependencies']),
  ...keywords(isEmpty, ['x-kubernetes-list-map-keys', 'x-kubernetes-validations']),
  ...keywords(isNull, [
    '$ref',
    'multipleOf',
    'not',
    'additionalProperties',
    'additionalItems',
    'externalDocs',
    'example',
  ]),
  ...keywords(isNull, [
    'x-kubernetes-preserve-unknown-fields',
    'x-kubernetes-list-type',
    'x-kubernetes-map-type',
  ]),
};

/**
 * Compares the schemas of a version, or of two. A schema that is new is safe; one that is gone is compared with an empty one.
 *
 * @returns one change per path and rule
 */
export function compareSchemas(older: unknown, newer: unknown): SchemaChange[] {
  const now = flatten(newer);
  return [...flatten(older)].flatMap(([path, before]) => compareNodes(path, before, now.get(path) ?? {}));
}

function compareNodes(path: string, older: SchemaNode, newer: SchemaNode): SchemaChange[] {
  const changes: SchemaChange[] = [];
  for (const [rule, compare] of Object.entries(rules)) {
    const message = compare(older[rule], newer[rule]);
    if (message !== undefined) changes.push({ path, rule, message });
  }
  const differing = differences(older, newer);
  if (differing.length > 0)
    changes.push({ path, rule: 'unhandled', message: `${differing.join(', ')} changed` });
  return changes;
}

/** The keywords without a rule of their own whose values differ. */
function differences(older: SchemaNode, newer: SchemaNode): string[] {
  return Object.entries(others)
    .filter(([keyword, isAbsent]) => {
      const [before, after] = [older[keyword], newer[keyword]].map((value) =>
        isAbsent(value) ? undefined : value,
      );
      return !isDeepStrictEqual(before, after);
    })
    .map(([keyword]) => keyword);
}

function keywords(
  isAbsent: (value: unknown) => boolean,
  names: readonly string[],
): Record<string, (value: unknown) => boolean> {
  return Object.fromEntries(names.map((name) => [name, isAbsent]));
}

function isNull(value: unknown): boolean {
  return value === null || value === undefined;
}

function isZero(value: unknown): boolean {
  return isNull(value) || value === false || value === '';
}

function isEmpty(value: unknown): boolean {
  if (Array.isArray(value)) return value.length === 0;
  return isNull(value) || (isObject(value) && Object.keys(value).length === 0);
}

function changed(older: unknown, newer: unknown): string | undefined {
  if (isDeepStrictEqual(older, newer)) return undefined;
  if (older === undefined) return `${text(newer)} is new`;
  return newer === undefined ? `${text(older)} was removed` : `${text(older)} became ${text(newer)}`;
}

function bound(
  older: unknown,
  newer: unknown,
  isStricter: (older: number, newer: number) => boolean,
  what: string,
): string | undefined {
  if (typeof newer !== 'number') return undefined;
  if (typeof older !== 'number') return `${newer} is new`;
  return isStricter(older, newer) ? `${what} from ${older} to ${newer}` : undefined;
}

function enumeration(older: unknown, newer: unknown): string | undefined {
  const [before, after] = [valuesOf(older), valuesOf(newer)];
  const removed = [...before].filter((value) => !after.has(value)).toSorted();
  if (removed.length > 0) return `removed ${removed.join(', ')}`;
  return before.size === 0 && after.size > 0 ? `${[...after].toSorted().join(', ')} are new` : undefined;
}

function newlyRequired(older: unknown, newer: unknown): string | undefined {
  const before = valuesOf(older);
  const added = [...valuesOf(newer)].filter((name) => !before.has(name)).toSorted();
  return added.length > 0 ? `new: ${added.join(', ')}` : undefined;
}

/** The values of a list as JSON. */
function valuesOf(list: unknown): ReadonlySet<string> {
  return new Set(Array.isArray(list) ? list.map(text) : []);
}

function text(value: unknown): string {
  return JSON.stringify(value);
}
