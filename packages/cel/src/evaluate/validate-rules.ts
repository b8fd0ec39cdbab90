import { withObjectMeta } from '../values/with-object-meta.ts';
import type { StructuralSchema, ValidationRule } from '../schema/structural-schema.ts';
import { Change } from './change.ts';
import { correlateItems } from './correlate-items.ts';
import { RuleRunner } from './rule-runner.ts';
import type { RuleFailure } from './rule-runner.ts';

/** The path of a value in an object. */
type Path = readonly (string | number)[];

/** The value to run rules on. */
interface Place {
  readonly schema: StructuralSchema;
  /** Whether it is a whole Kubernetes object with metadata. */
  readonly root: boolean;
  readonly path: Path;
  readonly value: unknown;
  /** The old value; undefined when it is not known. */
  readonly old: unknown;
  readonly change: Change;
}

/** Options of {@link validateRules}. */
export interface ValidateRulesOptions {
  /** Whether the value has apiVersion, kind and metadata, which rules may use without a schema for them. */
  readonly root?: boolean;
  /** Receives failures in parts that an update did not change, which the API server tolerates with a warning. */
  readonly ratcheted?: (failure: RuleFailure) => void;
  /**
   * Rules of the schema that do not compile, and why. Each value they apply to reports the error. A validated
   * schema has none.
   */
  readonly broken?: ReadonlyMap<ValidationRule, string>;
}

/**
 * Runs the rules of a structural schema (`x-kubernetes-validations`) on a value, as the API server does on a
 * write.
 *
 * @param schema the structural schema in its JSON form
 * @param value the new value; it should otherwise conform to the schema
 * @param oldValue the value before an update; rules about `oldSelf` run only on values that existed
 * @returns the failures, in the order of the API server: a value before its parts
 */
export function validateRules(
  schema: StructuralSchema,
  value: unknown,
  oldValue?: unknown,
  { root = false, ratcheted, broken = new Map() }: ValidateRulesOptions = {},
): RuleFailure[] {
  const runner = new RuleRunner(broken);
  // Rules within an allOf alone are ignored.
  if (!hasRules(schema)) return runner.failures;
  const old = oldValue ?? undefined;
  new Walker(runner).walk({ schema, root, path: [], value, old, change: Change.ofRoot(schema, value, old) });
  if (ratcheted) runner.ratcheted.forEach(ratcheted);
  return runner.failures;
}

class Walker {
  readonly #runner: RuleRunner;
  readonly #hasRules = new Map<StructuralSchema, boolean>();

  constructor(runner: RuleRunner) {
    this.#runner = runner;
  }

  walk(place: Place): void {
    const { schema, root, path, value, old } = place;
    if (value === null || value === undefined || this.#runner.exhausted || !this.#anyRules(schema)) return;
    const typed = root ? withObjectMeta(schema) : schema;
    this.#runner.run(schema['x-kubernetes-validations'] ?? [], typed, path, value, old, place.change);
    for (const part of schema.allOf ?? []) this.#walkPart(part, typed, place);
    this.#walkChildren(place);
  }

  /** Runs the rules within an `allOf`, whose values have the types of the enclosing schema. */
  #walkPart(part: StructuralSchema, schema: StructuralSchema, place: Place): void {
    this.walk({ ...place, root: false, schema: mergePart(schema, part), change: place.change.ofAllOf() });
  }

  #walkChildren(place: Place): void {
    const { schema, path, value, old, change } = place;
    const child = (
      key: string | number,
      childSchema: StructuralSchema,
      childValue: unknown,
      childOld: unknown,
    ) =>
      this.walk({
        schema: childSchema,
        root: childSchema['x-kubernetes-embedded-resource'] ?? false,
        path: [...path, key],
        value: childValue,
        old: childOld ?? undefined,
        change: change.ofChild(key),
      });
    if (Array.isArray(value)) {
      if (!schema.items) return;
      const oldItemOf = correlateItems(schema, old);
      for (const [i, item] of value.entries()) child(i, schema.items, item, oldItemOf(item));
    } else if (typeof value === 'object') {
      const oldObject =
        typeof old === 'object' && !Array.isArray(old) ? (old as Record<string, unknown>) : {};
      for (const [name, item] of Object.entries(value as Record<string, unknown>)) {
        const childSchema = schemaOf(schema, name);
        if (childSchema)
          child(name, childSchema, item, Object.hasOwn(oldObject, name) ? oldObject[name] : undefined);
      }
    }
  }

  #anyRules(schema: StructuralSchema): boolean {
    const known = this.#hasRules.get(schema);
    if (known !== undefined) return known;
    const result =
      hasRules(schema, (part) => this.#anyRules(part)) ||
      (schema.allOf ?? []).some((part) => this.#anyRules(part));
    this.#hasRules.set(schema, result);
    return result;
  }
}

/** Whether a schema or its parts have rules; those of an `allOf` do not count. */
function hasRules(schema: StructuralSchema, ofPart: (part: StructuralSchema) => boolean = hasRules): boolean {
  const { items, additionalProperties, properties = {} } = schema;
  const parts = [items, additionalProperties, ...Object.values(properties)];
  const own = (schema['x-kubernetes-validations']?.length ?? 0) > 0;
  return own || parts.some((part) => typeof part === 'object' && ofPart(part));
}

function schemaOf(
  { properties, additionalProperties }: StructuralSchema,
  name: string,
): StructuralSchema | undefined {
  if (typeof additionalProperties === 'object') return additionalProperties;
  return properties && Object.hasOwn(properties, name) ? properties[name] : undefined;
}

const merged = new WeakMap<StructuralSchema, WeakMap<StructuralSchema, StructuralSchema>>();

/** A schema with the rules of a part of its `allOf` in place of its own. */
function mergePart(schema: StructuralSchema, part: StructuralSchema): StructuralSchema {
  const byPart = merged.get(schema) ?? new WeakMap<StructuralSchema, StructuralSchema>();
  merged.set(schema, byPart);
  const known = byPart.get(part);
  if (known) return known;
  const { items, additionalProperties, properties } = schema;
  const nested = (own: StructuralSchema, theirs: StructuralSchema | boolean | undefined) =>
    mergePart(own, typeof theirs === 'object' ? theirs : {});
  const result: StructuralSchema = {
    ...schema,
    allOf: part.allOf ?? [],
    'x-kubernetes-validations': part['x-kubernetes-validations'] ?? [],
    ...(items && { items: nested(items, part.items) }),
    ...(typeof additionalProperties === 'object' && {
      additionalProperties: nested(additionalProperties, part.additionalProperties),
    }),
    ...(properties && {
      properties: Object.fromEntries(
        Object.entries(properties).map(([name, own]) => [name, nested(own, part.properties?.[name])]),
      ),
    }),
  };
  byPart.set(part, result);
  return result;
}
