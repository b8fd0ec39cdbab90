import type { Schema } from '../schema/json-schema.ts';
import { itemSchema } from '../schema/json-schema.ts';
import { type Atom, type ListAtom, type MapAtom, type ScalarAtom, deducedAtom, untypedAtom } from './atom.ts';

const text: Atom = { scalar: 'string' };

/**
 * The atom of a custom resource.
 *
 * @param schema the schema of one version
 * @param metadata the atom of every object's metadata
 */
export function customAtom(schema: Schema, metadata: Atom): Atom {
  return {
    map: new CustomMap({ ...schema, type: 'object' }, { metadata, keepsUnknown: false, isObject: true }),
  };
}

interface Context {
  metadata: Atom;
  /** Whether an enclosing schema keeps unknown fields, and so does everything in it. */
  keepsUnknown: boolean;
  /** Whether it is the root: an object with type and metadata. */
  isObject: boolean;
}

function atomOf(schema: Schema, above: Context): Atom {
  const context = { ...above, isObject: schema['x-kubernetes-embedded-resource'] === true };
  switch (schema.type) {
    case undefined:
    case '':
      return {
        scalar: 'untyped',
        list: listOf(schema, keeping(schema, context)),
        map: new CustomMap(schema, context),
      };
    case 'object':
      return { map: new CustomMap(schema, context) };
    case 'array':
      return { list: listOf(schema, keeping(schema, context)) };
    case 'string':
      return { scalar: stringType(schema) };
    default:
      return { scalar: schema.type === 'boolean' ? 'boolean' : 'numeric' };
  }
}

function keeping(schema: Schema, context: Context): Context {
  return schema['x-kubernetes-preserve-unknown-fields'] === true
    ? { ...context, keepsUnknown: true }
    : context;
}

function stringType({ format }: Schema): ScalarAtom {
  return format === undefined || format === '' || format === 'byte' ? 'string' : 'untyped';
}

function listOf(schema: Schema, context: Context): ListAtom {
  const listType = schema['x-kubernetes-list-type'];
  const items = itemSchema(schema);
  let item: Atom | undefined;
  return {
    isAtomic: listType !== 'set' && listType !== 'map',
    keys: listType === 'map' ? (schema['x-kubernetes-list-map-keys'] ?? []) : [],
    get item() {
      return (item ??= items ? atomOf(items, context) : untypedAtom);
    },
  };
}

class CustomMap implements MapAtom {
  readonly isAtomic: boolean;
  readonly zeros = undefined;
  readonly omitsEmpty = false;
  readonly #schema: Schema;
  readonly #context: Context;
  readonly #fields = new Map<string, Atom | undefined>();
  #element: Atom | undefined;

  constructor(schema: Schema, context: Context) {
    this.isAtomic = schema['x-kubernetes-map-type'] === 'atomic';
    this.#schema = schema;
    this.#context = keeping(schema, context);
  }

  get element(): Atom | undefined {
    const { additionalProperties, properties } = this.#schema;
    if (typeof additionalProperties === 'object') {
      return (this.#element ??= atomOf(additionalProperties, this.#context));
    }
    if (additionalProperties !== undefined) return additionalProperties ? deducedAtom : undefined;
    const names = Object.keys(properties ?? {}).length + (this.#context.isObject ? 1 : 0);
    return this.#context.keepsUnknown || names === 0 ? deducedAtom : undefined;
  }

  field(name: string): Atom | undefined {
    if (!this.#fields.has(name)) {
      const atom = this.#readField(name);
      // Names come from clients: only those of the schema are worth caching.
      if (!atom) return undefined;
      this.#fields.set(name, atom);
    }
    return this.#fields.get(name);
  }

  defaultOf(name: string): unknown {
    return this.#property(name)?.default;
  }

  #readField(name: string): Atom | undefined {
    if (this.#context.isObject) {
      if (name === 'metadata') return this.#context.metadata;
      if (name === 'apiVersion' || name === 'kind') return text;
    }
    const property = this.#property(name);
    return property && atomOf(property, this.#context);
  }

  #property(name: string): Schema | undefined {
    const { properties } = this.#schema;
    return properties && Object.hasOwn(properties, name) ? properties[name] : undefined;
  }
}
