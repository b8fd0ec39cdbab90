import { isNumber } from '../json/json-number.ts';
import { DecodeError } from './decode-error.ts';
import type { GoField, GoStruct } from './go-type.ts';

/**
 * Values of wrong types, of which Go reports the first. It keeps where the value at hand stands, as Go's messages have it: the
 * struct that holds it, and the names of all fields on the way.
 */
export class Mismatches {
  /** The struct whose field is at hand. */
  struct: GoStruct | undefined;
  readonly #goPath: string[];
  /** The struct that messages name in place of the one at hand. */
  readonly #outer: GoStruct | undefined;
  #first: DecodeError | undefined;

  constructor(goPath: string[] = [], outer?: GoStruct) {
    this.#goPath = goPath;
    this.#outer = outer;
  }

  /** Those inside of a value whose type reads its JSON by itself: messages name the struct outside of it. */
  within(): Mismatches {
    return new Mismatches(this.#goPath, this.#outer ?? this.struct);
  }

  enter(struct: GoStruct, field: GoField): void {
    this.struct = struct;
    this.#goPath.push(field.goPath);
  }

  leave(outer: GoStruct | undefined): void {
    this.struct = outer;
    this.#goPath.pop();
  }

  /** Notes that a value is not of a type; reading goes on, because an error that ends it has precedence. */
  add(value: unknown, goType: string): undefined {
    this.#first ??= this.mismatch(jsonType(value), goType);
  }

  addError(error: DecodeError): undefined {
    this.#first ??= error;
  }

  /** @param found what the JSON has, such as `number 1.5` */
  mismatch(found: string, goType: string): DecodeError {
    const holder = this.#outer ?? this.struct;
    const place = holder
      ? `struct field ${holder.name.slice(holder.name.indexOf('.') + 1)}.${this.#goPath.join('.')}`
      : 'value';
    return new DecodeError(`json: cannot unmarshal ${found} into Go ${place} of type ${goType}`);
  }

  throwFirst(): void {
    if (this.#first) throw this.#first;
  }
}

/** The type of a JSON value as Go's messages name it. */
export function jsonType(value: unknown): string {
  if (Array.isArray(value)) return 'array';
  if (value === null) return 'null';
  if (isNumber(value)) return 'number';
  return typeof value === 'boolean' ? 'bool' : typeof value;
}
