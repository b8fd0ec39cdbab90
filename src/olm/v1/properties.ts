import type { GoType } from 'ots-apiserver/decoding';
import type { Csv } from '../bundle/csv.ts';
import { WrongTypeError, decodeLikeGo } from '../bundle/decode-like-go.ts';
import { goStruct, list } from '../bundle/go-struct.ts';
import { goJson, sortedJson } from './go-json.ts';
import { UnreadableBundleError } from './registry-v1.ts';

const annotation = 'olm.properties';
const properties = list(
  goStruct('Property', { type: { kind: 'string', name: 'string' }, value: { kind: 'json', name: 'json' } }),
);
/** The file `metadata/properties.yaml`. */
const propertiesFile: GoType = goStruct('RegistryV1Properties', { properties });

/**
 * Adds the properties of a bundle to those in the annotation of its ClusterServiceVersion, from where they reach the pods.
 *
 * @param content what `metadata/properties.yaml` has; undefined without that file
 * @throws {UnreadableBundleError} when properties do not have the right form
 */
export function withProperties(
  csv: Csv,
  content: unknown,
  { csv: csvFile, properties: file }: Readonly<Record<'csv' | 'properties', string>>,
): Csv {
  const annotations = csv.metadata?.annotations ?? {};
  const own = annotated(annotations[annotation], csvFile);
  if (content === undefined) return csv;
  const further = decoded(() => stated(content), file);
  const all = [
    ...own.map(({ type = '', value = null }) => ({ type, value })),
    ...further.map(({ type = '', value = null }) => ({ type, value: sortedJson(value) })),
  ];
  const text = all.length === 0 ? 'null' : goJson(all);
  return { ...csv, metadata: { ...csv.metadata, annotations: { ...annotations, [annotation]: text } } };
}

interface Property {
  readonly type?: string;
  readonly value?: unknown;
}

function stated(content: unknown): readonly Property[] {
  const { properties: items = [] } = decodeLikeGo(content ?? {}, propertiesFile, {
    textFromScalars: true,
  }) as { properties?: readonly Property[] };
  return items;
}

function annotated(text: string | undefined, file: string): readonly Property[] {
  const path = `metadata.annotations[${annotation}]`;
  if (text === undefined) return [];
  let value: unknown;
  try {
    value = JSON.parse(text) ?? [];
  } catch {
    throw new UnreadableBundleError(`${path} is not JSON`, file);
  }
  return decoded(
    () => decodeLikeGo(value, properties, { textFromScalars: false }, path) as readonly Property[],
    file,
  );
}

function decoded<Result>(decode: () => Result, file: string): Result {
  try {
    return decode();
  } catch (error) {
    if (!(error instanceof WrongTypeError)) throw error;
    throw new UnreadableBundleError(error.message, file);
  }
}
