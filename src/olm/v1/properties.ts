import type { Csv } from '../bundle/csv.ts';
import { isObject, valueOf } from '../bundle/json.ts';
import { goJson, sortedJson } from './go-json.ts';
import { UnreadableBundleError } from './registry-v1.ts';

const annotation = 'olm.properties';

/**
 * Adds the properties of a bundle to those in the annotation of its ClusterServiceVersion, from where they reach the pods.
 *
 * @param properties undefined without a file
 * @throws {UnreadableBundleError} when properties do not have the right form
 */
export function withProperties(csv: Csv, properties: unknown, csvFile: string, propertiesFile: string): Csv {
  const annotations = csv.metadata?.annotations ?? {};
  const stated = annotations[annotation];
  const own = stated === undefined ? [] : annotated(stated, csvFile);
  if (properties === undefined) return csv;
  const further = listed(properties, (problem) => new UnreadableBundleError(problem, propertiesFile));
  const all = [
    ...own.map(({ type, value }) => ({ type, value })),
    ...further.map(({ type, value }) => ({ type, value: sortedJson(value) })),
  ];
  const text = all.length === 0 ? 'null' : goJson(all);
  return { ...csv, metadata: { ...csv.metadata, annotations: { ...annotations, [annotation]: text } } };
}

interface Property {
  readonly type: string;
  readonly value: unknown;
}

function annotated(text: string, file: string): Property[] {
  const refuse = (problem: string) =>
    new UnreadableBundleError(`metadata.annotations[${annotation}] ${problem}`, file);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw refuse('is not JSON');
  }
  return listed(value, refuse);
}

function listed(value: unknown, refuse: (problem: string) => UnreadableBundleError): Property[] {
  if (value === null) return [];
  if (!Array.isArray(value)) throw refuse('is not a list of properties');
  return value.map((item: unknown, index) => {
    const type = valueOf(item, 'type') ?? '';
    if ((item !== null && !isObject(item)) || typeof type !== 'string')
      throw refuse(`has an item ${index + 1} that is not a property with a type and a value`);
    return { type, value: valueOf(item, 'value') ?? null };
  });
}
