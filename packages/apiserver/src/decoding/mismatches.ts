import { isNumber } from '../json/json-number.ts';
import { DecodeError } from './decode-error.ts';
import type { GoField, GoStruct } from './go-type.ts';

/**
 * Type mismatches, of which Go reports the first. Tracks the position of the current value in the form of Go's
 * messages: the enclosing struct and the names of all fields on the path.
 */
export class Mismatches {
  /** The struct that has the current field. */
  struct: GoStruct | undefined;
  readonly #goPath: string[];
  /** The struct that messages name instead of the current one. */
  readonly #outer: GoStruct | undefined;
  #first: DecodeError | undefined;

  constructor(goPath: string[] = [], outer?: GoStruct) {
    this.#goPath = goPath;
    this.#outer = outer;
  }

  /** For values inside of a type with its own JSON decoder: messages name the enclosing struct. */
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

  /** Records a mismatch. Decoding continues, because a fatal error takes precedence. */
  add(value: unknown, goType: string): undefined {
    this.#first ??= this.mismatch(jsonType(value), goType);
  }

  addError(error: DecodeError): undefined {
    this.#first ??= error;
  }

  /** @param found the JSON, such as `number 1.5` */
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

/** The type of a JSON value in Go's messages. */
export function jsonType(value: unknown): string {
  if (Array.isArray(value)) return 'array';
  if (value === null) return 'null';
  if (isNumber(value)) return 'number';
  return typeof value === 'boolean' ? 'bool' : typeof value;
}
