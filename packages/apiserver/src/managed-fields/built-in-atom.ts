import type { ObjectSchema } from 'ots-kubernetes/object-schema';
import { type Atom, type ListAtom, type MapAtom, type ScalarAtom, deducedAtom, untypedAtom } from './atom.ts';

const atoms = new WeakMap<ObjectSchema, Atom>();
const noZeros: ReadonlyMap<string, unknown> = new Map();

/** The atom of a built-in kind, or of a part of one. */
export function builtInAtom(schema: ObjectSchema): Atom {
  let atom = atoms.get(schema);
  if (!atom) atoms.set(schema, (atom = readSchema(schema)));
  return atom;
}

function readSchema(schema: ObjectSchema): Atom {
  if (schema.quantity) return { scalar: 'untyped' };
  if (schema.name === 'RawExtension') return untypedAtom;
  switch (schema.type) {
    case 'object':
      return { map: new BuiltInMap(schema) };
    case 'array':
      return { list: listOf(schema) };
    case undefined:
      return deducedAtom;
    case 'string':
      return { scalar: stringType(schema) };
    default:
      return { scalar: schema.type === 'boolean' ? 'boolean' : 'numeric' };
  }
}

function stringType({ format }: ObjectSchema): ScalarAtom {
  return format === undefined || format === 'byte' ? 'string' : 'untyped';
}

function listOf({ items, listType, listMapKeys, patchStrategy, patchMergeKey }: ObjectSchema): ListAtom {
  // Without an annotation for server-side apply, that for strategic merge patches counts.
  const isMerged = listType === undefined && patchStrategy?.includes('merge') === true;
  const mergeKeys = patchMergeKey === undefined ? [] : [patchMergeKey];
  return {
    isAtomic: isMerged ? false : listType === undefined || listType === 'atomic',
    keys: isMerged ? mergeKeys : listType === 'map' ? (listMapKeys ?? []) : [],
    get item() {
      return items ? builtInAtom(items) : untypedAtom;
    },
  };
}

class BuiltInMap implements MapAtom {
  readonly isAtomic: boolean;
  readonly #schema: ObjectSchema;
  #zeros: ReadonlyMap<string, unknown> | undefined;

  constructor(schema: ObjectSchema) {
    this.isAtomic = schema.mapType === 'atomic';
    this.#schema = schema;
  }

  get element(): Atom | undefined {
    const { additionalProperties, properties } = this.#schema;
    if (additionalProperties) return builtInAtom(additionalProperties);
    return properties && properties.size > 0 ? undefined : deducedAtom;
  }

  get zeros(): ReadonlyMap<string, unknown> {
    return (this.#zeros ??= zerosOf(this.#schema));
  }

  get omitsEmpty(): boolean {
    return this.#schema.additionalProperties !== undefined;
  }

  field(name: string): Atom | undefined {
    const schema = this.#schema.properties?.get(name);
    return schema && builtInAtom(schema);
  }

  defaultOf(name: string): unknown {
    return this.#schema.properties?.get(name)?.default;
  }
}

/** The fields that Go writes even if they are not set: structs, strings and numbers without `omitempty`, and null for others. */
function zerosOf({ properties }: ObjectSchema): ReadonlyMap<string, unknown> {
  if (!properties) return noZeros;
  const zeros = new Map<string, unknown>();
  for (const [name, { whenAbsent }] of properties) if (isZero(whenAbsent)) zeros.set(name, whenAbsent);
  return zeros;
}

function isZero(value: unknown): boolean {
  if (value === '' || value === 0 || value === false || value === null) return true;
  return typeof value === 'object' && Object.keys(value).length === 0;
}
