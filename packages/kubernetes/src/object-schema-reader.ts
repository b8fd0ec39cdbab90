import { definitionAt } from './object-schema-index.ts';
import { objectSchemaLines } from './object-schema-table.ts';
import type { ObjectSchema } from './object-schema.ts';

type Attributes = Omit<ObjectSchema, 'properties' | 'items' | 'additionalProperties'>;

/** A reference to a schema: the number of its line and, if it has one, its default. */
type Pointer = readonly [line: number, fallback?: unknown];

/** The schemas below a schema, as encoded on its line. */
interface Parts {
  /** The names of fields, with the references to their schemas. */
  readonly properties?: readonly (readonly [name: string, pointer: string])[] | undefined;
  readonly items?: Pointer | undefined;
  readonly additionalProperties?: Pointer | undefined;
}

/** The content of a line. */
interface Line extends Attributes, Parts {
  /** The line of the definition that the schema is based on. */
  readonly ref?: number;
}

/** Has the same shape for every schema, which makes walks along schemas fast. */
class LazySchema implements ObjectSchema {
  readonly type: ObjectSchema['type'] = undefined;
  readonly format: ObjectSchema['format'] = undefined;
  readonly intOrString: ObjectSchema['intOrString'] = undefined;
  readonly quantity: ObjectSchema['quantity'] = undefined;
  readonly required: ObjectSchema['required'] = undefined;
  readonly default: unknown = undefined;
  readonly whenAbsent: unknown = undefined;
  readonly enum: ObjectSchema['enum'] = undefined;
  readonly listType: ObjectSchema['listType'] = undefined;
  readonly listMapKeys: ObjectSchema['listMapKeys'] = undefined;
  readonly mapType: ObjectSchema['mapType'] = undefined;
  readonly patchStrategy: ObjectSchema['patchStrategy'] = undefined;
  readonly patchMergeKey: ObjectSchema['patchMergeKey'] = undefined;
  readonly preserveUnknownFields: ObjectSchema['preserveUnknownFields'] = undefined;
  readonly name: ObjectSchema['name'] = undefined;
  readonly definition: ObjectSchema['definition'] = undefined;
  /** Where the schemas below come from: for a field that refers to a definition, the definition. */
  readonly #parts: Parts | LazySchema;
  #properties: ReadonlyMap<string, ObjectSchema> | undefined;
  #items: ObjectSchema | undefined;
  #additionalProperties: ObjectSchema | undefined;

  /** @param layers attributes; later ones take precedence */
  constructor(parts: Parts | LazySchema, ...layers: Attributes[]) {
    Object.assign(this, ...layers);
    this.#parts = parts;
  }

  get properties(): ReadonlyMap<string, ObjectSchema> | undefined {
    const parts = this.#parts;
    if (parts instanceof LazySchema) return parts.properties;
    return (this.#properties ??=
      parts.properties && new Map(parts.properties.map(([name, pointer]) => [name, schemaOf(pointer)])));
  }

  get items(): ObjectSchema | undefined {
    const parts = this.#parts;
    if (parts instanceof LazySchema) return parts.items;
    return (this.#items ??= parts.items && schemaOf(pointerText(parts.items)));
  }

  get additionalProperties(): ObjectSchema | undefined {
    const parts = this.#parts;
    if (parts instanceof LazySchema) return parts.additionalProperties;
    return (this.#additionalProperties ??=
      parts.additionalProperties && schemaOf(pointerText(parts.additionalProperties)));
  }
}

/** By reference. */
const schemas = new Map<string, LazySchema>();
let lines: readonly string[] | undefined;

/** The schema on a line: the same at every call. */
export function objectSchemaAt(line: number): ObjectSchema {
  return schemaOf(`${line}`);
}

function schemaOf(pointer: string): LazySchema {
  let schema = schemas.get(pointer);
  if (!schema) {
    schema = makeSchema(pointer);
    schemas.set(pointer, schema);
  }
  return schema;
}

/** @param pointer a number, optionally with a default after `=` and with what is written instead of it after `?` */
function makeSchema(pointer: string): LazySchema {
  const [line = '', fallback, written = fallback] = /^(\d+)(?:=([^?]*))?(?:\?(.*))?$/.exec(pointer)!.slice(1);
  if (line === pointer) return readSchema(Number(line));
  const base = schemaOf(line);
  return new LazySchema(base, base, { default: valueOf(fallback), whenAbsent: valueOf(written) });
}

/** @param json shared by all callers, so its value must not change; empty for none */
function valueOf(json: string | undefined): unknown {
  return json ? Object.freeze(JSON.parse(json)) : undefined;
}

function readSchema(line: number): LazySchema {
  const { ref, properties, items, additionalProperties, ...own } = readLine(line);
  if (ref !== undefined) {
    const base = schemaOf(`${ref}`);
    return new LazySchema(base, base, own);
  }
  const definition = definitionAt(line);
  const name = definition?.slice(definition.lastIndexOf('.') + 1);
  return new LazySchema({ properties, items, additionalProperties }, own, { name, definition });
}

function readLine(number: number): Line {
  lines ??= objectSchemaLines.split('\n');
  const text = lines[number]!;
  return text.startsWith('{') ? (JSON.parse(text) as Line) : readObject(text);
}

function readObject(text: string): Line {
  const words = text === '' ? [] : text.split(' ');
  const mapType = words[0] === '~' ? 'atomic' : undefined;
  const properties: [string, string][] = [];
  const required: string[] = [];
  for (let i = mapType ? 1 : 0; i < words.length; i += 2) {
    const [name = '', mark] = words[i]!.split('!');
    if (mark !== undefined) required.push(name);
    properties.push([name, words[i + 1]!]);
  }
  return { type: 'object', mapType, properties, required: required.length > 0 ? required : undefined };
}

function pointerText([line, ...fallback]: Pointer): string {
  return [line, ...fallback.map((value) => JSON.stringify(value))].join('=');
}
