import { cloneJson } from '../json/clone-json.ts';
import { type JsonObject, isObject, setKey } from '../json/json-object.ts';
import { DecodeError } from './decode-error.ts';
import { decodeScalar } from './decode-scalar.ts';
import { JsonNumber } from '../json/json-number.ts';
import { allEntries } from '../json/parse-exact.ts';
import type { GoField, GoList, GoMap, GoStruct, GoType, GoUnion } from './go-type.ts';
import { Mismatches } from './mismatches.ts';
import { StrictErrors } from './strict-errors.ts';

/**
 * Decodes a JSON object as Go decodes it into a struct. Drops unknown fields and reports them; treats null as
 * absent (and as the zero value inside of lists and maps); omits what Go omits when empty; adds what Go writes for
 * absent fields.
 *
 * @param source a value of `JSON.parse` or `parseExact`
 * @param strict receives the strict-decoding errors, in the order of the object
 * @param path the path of the object, if it is part of another
 * @returns a new object, without apiVersion and kind
 * @throws {DecodeError} when a field has the wrong type
 */
export function decodeTyped(
  source: JsonObject,
  struct: GoStruct,
  strict: StrictErrors,
  path = '',
): JsonObject {
  const decoder = new Decoder(strict, new Mismatches(), path === '' ? [] : [path]);
  const object = decoder.decodeStruct(source, struct, {});
  decoder.mismatches.throwFirst();
  return fillAbsent(object, struct);
}

/**
 * Decodes a standalone value, without reporting strict-decoding errors.
 *
 * @param mismatches the value's position, if it is nested in another value after all
 * @throws {DecodeError} when it has the wrong type
 */
export function decodeValue(value: unknown, type: GoType, mismatches = new Mismatches()): unknown {
  const decoder = new Decoder(new StrictErrors(), mismatches);
  const decoded = decoder.decode(value, type);
  decoder.mismatches.throwFirst();
  return decoded;
}

/** The value of a struct with no fields set. */
function emptyStruct(struct: GoStruct): JsonObject {
  return fillAbsent({}, struct);
}

/** Adds what Go writes for absent fields of a struct. Changes the object. */
export function fillAbsent(object: JsonObject, { written }: GoStruct): JsonObject {
  for (const { name, type, whenAbsent } of written) {
    if (object[name] !== undefined) continue;
    object[name] = type.kind === 'struct' && whenAbsent !== null ? emptyStruct(type) : cloneJson(whenAbsent);
  }
  return object;
}

type Entries = readonly (readonly [key: string, value: unknown])[];

/** All entries of an object with duplicate keys; undefined for other objects. */
function repeatedEntries(object: JsonObject & { [allEntries]?: Entries }): Entries | undefined {
  return object[allEntries];
}

class Decoder {
  readonly mismatches: Mismatches;
  readonly #strict: StrictErrors;
  /** The path of the current value. */
  readonly #path: (string | number)[];

  constructor(strict: StrictErrors, mismatches: Mismatches, path: (string | number)[] = []) {
    this.#path = path;
    this.#strict = strict;
    this.mismatches = mismatches;
  }

  /** @param object the fields so far: a duplicate key adds to them */
  decodeStruct(source: JsonObject, struct: GoStruct, object: JsonObject): JsonObject {
    const entries = repeatedEntries(source);
    const outer = this.mismatches.struct;
    if (entries) {
      const seen = new Set<string>();
      for (const [name, value] of entries) this.#decodeEntry(object, struct, name, value, seen);
    } else {
      for (const name of Object.keys(source)) this.#decodeEntry(object, struct, name, source[name]);
    }
    this.mismatches.struct = outer;
    return object;
  }

  #decodeEntry(object: JsonObject, struct: GoStruct, name: string, value: unknown, seen?: Set<string>): void {
    const field = struct.fields.get(name);
    if (!field) {
      this.#strict.unknownField(this.#pathOf(name));
      return;
    }
    if (seen?.has(name)) this.#strict.duplicateField(this.#pathOf(name));
    seen?.add(name);
    if (value === undefined) return;
    if (value === null) {
      if (!isPlain(field)) delete object[name];
      return;
    }
    this.mismatches.enter(struct, field);
    this.#path.push(name);
    const decoded = this.decode(value, field.type, object[name]);
    this.#path.pop();
    this.mismatches.leave(struct);
    if (decoded === undefined || field.isForgotten) return;
    if (isLeftOut(decoded, field)) delete object[name];
    else object[name] = decoded;
  }

  /**
   * @param known the earlier value of the same key, if it is a duplicate
   * @returns undefined where the type is wrong
   */
  decode(value: unknown, type: GoType, known?: unknown): unknown {
    switch (type.kind) {
      case 'struct':
        if (!isObject(value) || value instanceof JsonNumber) return this.mismatches.add(value, type.name);
        return fillAbsent(this.decodeStruct(value, type, isObject(known) ? known : {}), type);
      case 'list':
        return this.#decodeList(value, type);
      case 'map':
        return this.#decodeMap(value, type, known);
      case 'union':
        return this.#decodeUnion(value, type);
      default:
        return decodeScalar(value, type, this.mismatches);
    }
  }

  #decodeList(value: unknown, { name, items }: GoList): unknown {
    if (!Array.isArray(value)) return this.mismatches.add(value, name);
    return value.map((item, index) => {
      this.#path.push(index);
      const decoded = this.#decodeItem(item, items);
      this.#path.pop();
      return decoded;
    });
  }

  #decodeMap(value: unknown, { name, items }: GoMap, known: unknown): unknown {
    if (!isObject(value) || value instanceof JsonNumber) return this.mismatches.add(value, name);
    const map: JsonObject = isObject(known) ? known : {};
    const entries = repeatedEntries(value);
    const seen = entries && new Set<string>();
    for (const [key, item] of entries ?? Object.entries(value)) {
      if (seen?.has(key)) this.#strict.duplicateField(this.#pathOf(key));
      seen?.add(key);
      this.#path.push(key);
      setKey(map, key, this.#decodeItem(item, items));
      this.#path.pop();
    }
    return map;
  }

  /** Inside of lists and maps Go reads null as the zero value. */
  #decodeItem(item: unknown, type: GoType): unknown {
    return item === null ? zeroOf(type) : this.decode(item, type);
  }

  /** Such a type has its own JSON decoder: it reports no strict-decoding errors, and stops at the first wrong type. */
  #decodeUnion(value: unknown, { choices }: GoUnion): unknown {
    const choice = choices.find(({ kind }) => hasKind(value, kind));
    if (!choice && choices.some(({ kind }) => kind === 'bool'))
      throw new DecodeError('boolean or JSON schema expected');
    if (!choice) return null;
    return decodeValue(value, choice, this.mismatches.within());
  }

  #pathOf(name: string): string {
    const start = this.#path.map((step) => (typeof step === 'number' ? `[${step}]` : `.${step}`)).join('');
    return `${start}.${name}`.slice(1);
  }
}

function hasKind(value: unknown, kind: GoType['kind']): boolean {
  if (kind === 'bool') return typeof value === 'boolean';
  if (kind === 'list') return Array.isArray(value);
  return kind === 'struct' && isObject(value) && !(value instanceof JsonNumber);
}

/** Whether null leaves values of the type unchanged. */
function isPlain({ type, keepsZero }: GoField): boolean {
  return type.kind === 'struct' || (!keepsZero && type.kind !== 'list' && type.kind !== 'map');
}

/** Whether Go omits the decoded value because it is empty. */
function isLeftOut(value: unknown, { type: { kind }, keepsZero }: GoField): boolean {
  if (value === null) return (kind !== 'time' && kind !== 'microTime') || !keepsZero;
  if (kind === 'list') return Array.isArray(value) && value.length === 0;
  if (kind === 'map') return isObject(value) && isEmpty(value);
  return (
    !keepsZero &&
    (value === '' || value === false || value === 0) &&
    kind !== 'intOrString' &&
    kind !== 'json'
  );
}

function isEmpty(object: JsonObject): boolean {
  return Object.keys(object).length === 0;
}

/** The value Go decodes from null inside of a list or a map. */
function zeroOf(type: GoType): unknown {
  switch (type.kind) {
    case 'struct':
      return emptyStruct(type);
    case 'string':
    case 'bytes':
      return '';
    case 'bool':
      return false;
    case 'int32':
    case 'int64':
    case 'float64':
    case 'intOrString':
      return 0;
    case 'quantity':
      return '0';
    case 'list':
      return [];
    default:
      return null;
  }
}
