import { type ExactInteger, isInteger } from '../../json/exact-integer.ts';
import { type JsonObject, getKey, isObject } from '../../json/json-object.ts';
import { formatLabels, formatSelector } from '../../selectors/format-selector.ts';
import { goTypeName, printGo } from '../../patch/go-value.ts';
import type { Resource } from '../resource.ts';

/** Where an object has the parts of its Scale. */
export interface ScaleShape {
  readonly specReplicas: readonly string[];
  readonly statusReplicas: readonly string[];
  /** The selector of the pods as text. */
  selectorOf(object: JsonObject): string;
}

/** The value at a path does not have the type that a Scale needs. */
export class ScalePathError extends Error {
  override readonly name = 'ScalePathError';

  constructor(path: readonly string[], value: unknown, expected: string) {
    super(
      `.${path.join('.')} accessor error: ${printGo(value)} is of the type ${value === null ? '<nil>' : goTypeName(value)}, expected ${expected}`,
    );
  }
}

/** Where objects of a resource have the parts of their Scale; undefined for a resource without scale. */
export function scaleShapeOf(resource: Resource): ScaleShape | undefined {
  if (!resource.custom) {
    return {
      specReplicas: ['spec', 'replicas'],
      statusReplicas: ['status', 'replicas'],
      selectorOf: resource.kind === 'ReplicationController' ? labelsOf : selectorOf,
    };
  }
  const scale = resource.definition?.subresources?.scale;
  if (!scale) return undefined;
  const { specReplicasPath, statusReplicasPath, labelSelectorPath } = scale;
  return {
    specReplicas: stepsOf(specReplicasPath),
    statusReplicas: stepsOf(statusReplicasPath),
    selectorOf: (object) => (labelSelectorPath ? (textAt(object, stepsOf(labelSelectorPath)) ?? '') : ''),
  };
}

/** @param path such as `.spec.replicas` */
export function stepsOf(path: string): string[] {
  return path.replace(/^\./, '').split('.');
}

/** @throws {ScalePathError} when the value is not an integer */
export function integerAt(object: JsonObject, path: readonly string[]): ExactInteger | undefined {
  const value = valueAt(object, path);
  if (value === undefined || isInteger(value)) return value;
  throw new ScalePathError(path, value, 'int64');
}

/** @throws {ScalePathError} when the value is not a string */
export function textAt(object: JsonObject, path: readonly string[]): string | undefined {
  const value = valueAt(object, path);
  if (value === undefined || typeof value === 'string') return value;
  throw new ScalePathError(path, value, 'string');
}

function valueAt(object: JsonObject, path: readonly string[]): unknown {
  let value: unknown = object;
  for (const [index, step] of path.entries()) {
    if (!isObject(value)) throw new ScalePathError(path.slice(0, index), value, 'map[string]interface {}');
    value = getKey(value, step);
    if (value === undefined) return undefined;
  }
  return value;
}

function selectorOf({ spec }: JsonObject): string {
  return formatSelector(isObject(spec) ? spec['selector'] : undefined);
}

function labelsOf({ spec }: JsonObject): string {
  const labels = isObject(spec) ? spec['selector'] : undefined;
  return isObject(labels) && Object.keys(labels).length > 0 ? formatLabels(labels) : '';
}
