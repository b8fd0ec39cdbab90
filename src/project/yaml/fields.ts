import { type Document, type YAMLMap, isMap, isScalar, isSeq } from 'yaml';
import { OtsError } from '../../errors/ots-error.ts';
import { quoted } from '../names/quoted.ts';
import { type Data, isData } from './data.ts';
import { sourceError } from './source-error.ts';

/** Reads the known keys of a YAML map with their types. Every error has a position. Null counts as absent. */
export class Fields {
  readonly #text: string;
  readonly #document: Document.Parsed;
  readonly #map: YAMLMap;
  /** Name of the map in messages: `resources[1].webhooks`, '' for the whole file. */
  readonly #name: string;

  constructor(text: string, document: Document.Parsed, map: YAMLMap, name = '') {
    this.#text = text;
    this.#document = document;
    this.#map = map;
    this.#name = name;
  }

  string(key: string): string | undefined {
    const value = this.#scalar(key);
    if (value === undefined || typeof value === 'string') return value;
    throw this.#wrongType(key, 'a string', 'Put quotes around the value.');
  }

  requiredString(key: string): string {
    const value = this.string(key);
    if (value !== undefined) return value;
    throw this.error(
      undefined,
      `${this.#called(key)} is missing`,
      'Add the key, or restore PROJECT from version control.',
    );
  }

  boolean(key: string): boolean {
    const value = this.#scalar(key);
    if (value === undefined || typeof value === 'boolean') return value ?? false;
    throw this.#wrongType(key, 'true or false', 'Write true or false, without quotes.');
  }

  map(key: string): Fields | undefined {
    const node = this.#node(key);
    if (node === undefined) return undefined;
    if (isMap(node)) return new Fields(this.#text, this.#document, node, this.#called(key));
    throw this.#wrongType(key, 'a map', 'Write keys and values below it.');
  }

  strings(key: string): string[] {
    return this.#items(key).map((item) => {
      if (isScalar(item) && typeof item.value === 'string') return item.value;
      throw this.#wrongType(key, 'a list of strings', 'Write one "- name" per line.', item);
    });
  }

  maps(key: string): Fields[] {
    return this.#items(key).map((item, index) => {
      const name = `${this.#called(key)}[${index}]`;
      if (isMap(item)) return new Fields(this.#text, this.#document, item, name);
      throw this.#wrongType(key, 'a list of maps', 'Write keys and values after every "-".', item);
    });
  }

  /** Whether the value is a string, where a list is also allowed. */
  holdsString(key: string): boolean {
    const node = this.#node(key);
    return isScalar(node) && typeof node.value === 'string';
  }

  /** The whole map as plain data. */
  data(): Data {
    const data: unknown = this.#map.toJS(this.#document);
    return isData(data) ? data : {};
  }

  /** Runs a check of the value of a key and adds the position of the value to its error. */
  check(key: string, rule: () => void): void {
    try {
      rule();
    } catch (error) {
      if (!(error instanceof OtsError)) throw error;
      const { code, message, hint } = error;
      throw sourceError(this.#text, this.#offset(key), { code, message, hint, cause: error });
    }
  }

  /** @param key the key whose value is wrong; undefined for the map itself */
  error(key: string | undefined, message: string, hint: string, code = 'INVALID_PROJECT'): OtsError {
    return sourceError(this.#text, this.#offset(key), { code, message, hint });
  }

  #scalar(key: string): unknown {
    const node = this.#node(key);
    if (node === undefined) return undefined;
    if (isScalar(node)) return node.value;
    throw this.#wrongType(key, 'a plain value', 'Write the value on the line of the key.');
  }

  #items(key: string): unknown[] {
    const node = this.#node(key);
    if (node === undefined) return [];
    if (isSeq(node)) return node.items;
    throw this.#wrongType(key, 'a list', 'Write one "- " per line below it.');
  }

  /** @returns the value node, or undefined for a missing key and for null */
  #node(key: string): unknown {
    const node = this.#map.get(key, true);
    return node === undefined || (isScalar(node) && node.value === null) ? undefined : node;
  }

  #called(key: string): string {
    return this.#name === '' ? key : `${this.#name}.${key}`;
  }

  #wrongType(key: string, wanted: string, hint: string, node: unknown = this.#node(key)): OtsError {
    const shown = isScalar(node)
      ? describeScalar(node.value)
      : isMap(node)
        ? 'a map'
        : isSeq(node)
          ? 'a list'
          : 'empty';
    const offset = rangeStart(node) ?? this.#offset(key);
    const message = `${this.#called(key)} must be ${wanted}, not ${shown}`;
    return sourceError(this.#text, offset, { code: 'INVALID_PROJECT', message, hint });
  }

  #offset(key: string | undefined): number {
    const node = key === undefined ? undefined : this.#map.get(key, true);
    return rangeStart(node) ?? rangeStart(this.#map) ?? 0;
  }
}

function rangeStart(node: unknown): number | undefined {
  return isScalar(node) || isMap(node) || isSeq(node) ? node.range?.[0] : undefined;
}

function describeScalar(value: unknown): string {
  return typeof value === 'string' ? quoted(value, 40) : `the ${typeof value} ${String(value)}`;
}
