import type { ApiObject } from '../json/api-object.ts';
import { type JsonObject, getKey, isObject } from '../json/json-object.ts';
import { compareTyped } from './compare-typed.ts';
import { type Applied, type Writer, applyConfiguration } from './field-manager.ts';
import { ConflictsError } from './conflict.ts';
import type { FieldSet } from './field-set.ts';
import { fieldSetOf } from './field-set-of.ts';
import { goJson } from '../json/go-json.ts';
import { ListItemError } from './list-element.ts';
import { TypedError } from './typed-error.ts';
import { validateTyped } from './validate-typed.ts';

/** Where kubectl's client-side apply stores the applied object. */
const annotation = 'kubectl.kubernetes.io/last-applied-configuration';
const maxAnnotationBytes = 256 * 1024;

/**
 * {@link applyConfiguration} for the manager `kubectl`, which may have applied the object client-side before. It
 * owns the fields that are unchanged since then, and the annotation is updated.
 *
 * @throws {ConflictsError} when others own what would change, unless it is forced
 */
export function applyAsKubectl(
  writer: Writer,
  live: ApiObject | undefined,
  configuration: JsonObject,
  force: boolean,
): Applied {
  try {
    return followed(applyConfiguration(writer, live, configuration, force), live, configuration);
  } catch (error) {
    const own = error instanceof ConflictsError && live ? lastAppliedFields(writer, live) : undefined;
    if (!own || !(error instanceof ConflictsError)) throw error;
    const foreign = error.conflicts.filter(({ path }) => !own.has(path));
    if (foreign.length > 0) throw new ConflictsError(foreign);
    return followed(applyConfiguration(writer, live, configuration, true), live, configuration);
  }
}

/** The fields that are unchanged since the annotation was written; undefined without a valid annotation. */
function lastAppliedFields({ versions, apiVersion }: Writer, live: ApiObject): FieldSet | undefined {
  const text = annotationsOf(live)?.[annotation];
  const atom = versions.atomOf(apiVersion);
  if (typeof text !== 'string' || text === '' || !atom) return undefined;
  try {
    const last: unknown = JSON.parse(text);
    if (!isObject(last) || last['apiVersion'] !== apiVersion) return undefined;
    validateTyped(last, atom);
    const { added, modified, removed } = compareTyped(last, live, atom);
    return fieldSetOf(last, atom).difference(modified).difference(added).difference(removed);
  } catch (error) {
    const isExpected =
      error instanceof SyntaxError || error instanceof TypedError || error instanceof ListItemError;
    if (isExpected) return undefined;
    throw error;
  }
}

/** Updates the annotation, if there is one. */
function followed(applied: Applied, live: ApiObject | undefined, configuration: JsonObject): Applied {
  const object = applied.object ?? live;
  const annotations = object && annotationsOf(object);
  if (!object || !annotations?.[annotation]) return applied;
  const { [annotation]: _, ...rest } = annotations;
  const updated = { ...rest, [annotation]: `${goJson(withoutAnnotation(configuration))}\n` };
  const size = Object.entries(updated).reduce(
    (sum, [name, value]) => sum + Buffer.byteLength(name) + Buffer.byteLength(value),
    0,
  );
  const metadata = getKey(object, 'metadata') as JsonObject;
  return {
    ...applied,
    object: { ...object, metadata: { ...metadata, annotations: size > maxAnnotationBytes ? rest : updated } },
  };
}

function withoutAnnotation(configuration: JsonObject): JsonObject {
  const annotations = annotationsOf(configuration);
  const metadata = getKey(configuration, 'metadata');
  if (!annotations || !isObject(metadata)) return configuration;
  const { [annotation]: _, ...rest } = annotations;
  return { ...configuration, metadata: { ...metadata, annotations: rest } };
}

function annotationsOf(object: JsonObject): JsonObject | undefined {
  const metadata = getKey(object, 'metadata');
  const annotations = isObject(metadata) ? getKey(metadata, 'annotations') : undefined;
  return isObject(annotations) ? annotations : undefined;
}
