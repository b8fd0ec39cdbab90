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
 * Reads a JSON object as Go reads it into a struct: unknown fields are dropped and reported, null counts as absent (and as the
 * zero value inside of lists and maps), what Go leaves out is left out, and what it writes where nothing is is written.
 *
 * @param source as `JSON.parse` or `parseExact` made it
 * @param strict takes what is odd, in the order of the object
 * @param path of the object, where it is part of another
 * @returns a new object, without the type of a kind
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
 * Reads a value that stands alone. Nobody is told what is odd about it.
 *
 * @param mismatches has its place, where it stands in something else all the same
 * @throws {DecodeError} when it has the wrong type
 */
export function decodeValue(value: unknown, type: GoType, mismatches = new Mismatches()): unknown {
  const decoder = new Decoder(new StrictErrors(), mismatches);
  const decoded = decoder.decode(value, type);
  decoder.mismatches.throwFirst();
  return decoded;
}

/** Makes the value of a struct of which no field is set. */
function emptyStruct(struct: GoStruct): JsonObject {
  return fillAbsent({}, struct);
}

/** Gives an object what Go writes where a field of its struct is not set. Changes the object. */
export function fillAbsent(object: JsonObject, { written }: GoStruct): JsonObject {
  for (const { name, type, whenAbsent } of written) {
    if (object[name] !== undefined) continue;
    object[name] = type.kind === 'struct' && whenAbsent !== null ? emptyStruct(type) : cloneJson(whenAbsent);
  }
  return object;
}

type Entries = readonly (readonly [key: string, value: unknown])[];

/** All entries of an object that has a key twice; undefined for others. */
function repeatedEntries(object: JsonObject & { [allEntries]?: Entries }): Entries | undefined {
  return object[allEntries];
}

class Decoder {
  readonly mismatches: Mismatches;
  readonly #strict: StrictErrors;
  /** Where the value at hand stands. */
  readonly #path: (string | number)[];

  constructor(strict: StrictErrors, mismatches: Mismatches, path: (string | number)[] = []) {
    this.#path = path;
    this.#strict = strict;
    this.mismatches = mismatches;
  }

  /** @param object what the struct has already: a key that is there twice adds to it */
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
   * @param known what the same key gave before, if it is there twice
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

  /** Such a type reads its JSON by itself, so nobody is told what is odd there, and the first wrong type is the end. */
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

/** Whether the type is one whose values null does not change. */
function isPlain({ type, keepsZero }: GoField): boolean {
  return type.kind === 'struct' || (!keepsZero && type.kind !== 'list' && type.kind !== 'map');
}

/** Whether what was read is nothing to Go, or what it leaves out. */
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

/** What Go makes of null inside of a list or a map. */
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
