import type { CelResult, CelValue } from './cel-value.ts';
import { JsonList } from './json-list.ts';
import { JsonMap } from './json-map.ts';
import { JsonObject } from './json-object.ts';
import { CelList } from './list.ts';
import { CelMap } from './map.ts';

/**
 * A value without its schema: strings stay strings, and properties have their unescaped names. This is how the API
 * server treats a value from an optional.
 */
export function dynamicValue(value: CelValue): CelValue {
  const hasSchema = value instanceof JsonList || value instanceof JsonMap || value instanceof JsonObject;
  return hasSchema ? fromPlainJson(value.json) : value;
}

/** A JSON value without a schema. The content of an object or a list is converted on demand. */
export function fromPlainJson(json: unknown): CelValue {
  if (Array.isArray(json)) return new PlainList(json);
  if (typeof json === 'object' && json !== null) return new PlainMap(json as Record<string, unknown>);
  if (typeof json === 'number' && Number.isSafeInteger(json)) return BigInt(json);
  return json as boolean | string | number | bigint | null;
}

class PlainList extends CelList {
  readonly json: readonly unknown[];

  constructor(json: readonly unknown[]) {
    super();
    this.json = json;
  }

  get size(): number {
    return this.json.length;
  }

  at(index: number): CelResult {
    return fromPlainJson(this.json[index]);
  }
}

class PlainMap extends CelMap {
  readonly json: Readonly<Record<string, unknown>>;

  constructor(json: Readonly<Record<string, unknown>>) {
    super();
    this.json = json;
  }

  get size(): number {
    return Object.keys(this.json).length;
  }

  find(key: CelValue): CelResult | undefined {
    return typeof key === 'string' && Object.hasOwn(this.json, key)
      ? fromPlainJson(this.json[key])
      : undefined;
  }

  keys(): string[] {
    return Object.keys(this.json);
  }
}
