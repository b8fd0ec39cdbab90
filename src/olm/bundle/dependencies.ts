import type { GoType } from 'ots-apiserver/decoding';
import type { BundleFile } from './bundle-files.ts';
import { WrongTypeError, decodeLikeGo } from './decode-like-go.ts';
import { type JsonObject, isObject, valueOf } from './json.ts';

/** What a bundle needs. */
export interface Dependency {
  /** Such as `olm.package`; empty where the author left it out. */
  readonly type: string;
  readonly value: unknown;
}

const text: GoType = { kind: 'string', name: 'string' };
const json: GoType = { kind: 'json', name: 'json' };
const field = (name: string, type: GoType) =>
  [name, { name, goPath: name, type, isForgotten: false, keepsZero: false, whenAbsent: undefined }] as const;
const dependencies: GoType = {
  kind: 'list',
  name: '[]Dependency',
  items: {
    kind: 'struct',
    name: 'Dependency',
    fields: new Map([field('type', text), field('value', json)]),
    written: [],
  },
};

/** The dependencies in a file; undefined when it has none, or does not say them in the right form. */
export function dependenciesIn({ document }: BundleFile): Dependency[] | undefined {
  const list = 'value' in document ? valueOf(document.value, 'dependencies') : undefined;
  if (!Array.isArray(list) || list.length === 0) return undefined;
  try {
    const decoded = decodeLikeGo(list, dependencies, { textFromScalars: true }) as JsonObject[];
    return decoded.map(({ type = '', value }, index) => ({
      type: String(type),
      // Null is an object without fields, and something else than nothing.
      value: value ?? (valueOf(list[index], 'value') === null ? {} : undefined),
    }));
  } catch (error) {
    if (error instanceof WrongTypeError) return undefined;
    throw error;
  }
}

/** A field of the value of a dependency: undefined when it is not a text, empty when it is absent. */
export function dependencyText({ value }: Dependency, name: string): string | undefined {
  if (!isObject(value)) return undefined;
  const found = valueOf(value, name) ?? '';
  return typeof found === 'string' ? found : undefined;
}
