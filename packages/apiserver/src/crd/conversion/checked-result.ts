import type { ApiObject } from '../../json/api-object.ts';
import { type JsonObject, isObject } from '../../json/json-object.ts';
import { validateAnnotations, validateLabels } from '../../metadata/validate-metadata.ts';
import { goTypeName } from '../../patch/go-value.ts';
import type { FieldError } from '../../status/field-error.ts';

/** What a webhook returned for an object cannot be used. The message follows `returned invalid`. */
export class InvalidResultError extends Error {
  override readonly name = 'InvalidResultError';
}

/**
 * Checks what a webhook returned for an object. Of the metadata a webhook may change only labels and annotations.
 *
 * @returns the result with the other metadata of the object
 * @throws {InvalidResultError} when it is another object, or its labels or annotations are invalid
 */
export function checkedResult(original: JsonObject, result: JsonObject, apiVersion: string): ApiObject {
  const metadata = isObject(original['metadata']) ? original['metadata'] : {};
  const returned = isObject(result['metadata']) ? result['metadata'] : {};
  checkType(original, result, apiVersion);
  for (const [field, name] of identity) {
    const [before, after] = [textOf(metadata[field]), textOf(returned[field])];
    if (before !== after)
      throw new InvalidResultError(`object: must have the same ${name}: ${before} != ${after}`);
  }
  checkMetadata(original, result);
  const { labels: _labels, annotations: _annotations, ...kept } = metadata;
  const [labels, annotations] = [
    textsOf('labels', metadata, returned),
    textsOf('annotations', metadata, returned),
  ];
  const restored = { ...kept, ...(labels && { labels }), ...(annotations && { annotations }) };
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- type and metadata have just been checked
  return { ...result, metadata: restored } as unknown as ApiObject;
}

/** An object that field managers compare may have lost its metadata. */
function checkMetadata({ metadata: before }: JsonObject, { metadata: after }: JsonObject): void {
  if (after === undefined) throw new InvalidResultError('metadata: missing metadata in converted object');
  if (!isObject(after))
    throw new InvalidResultError(`metadata: invalid metadata of type ${goTypeOf(after)} in converted object`);
  if (before !== undefined && !isObject(before))
    throw new InvalidResultError(`metadata: invalid metadata of type ${goTypeOf(before)} in input object`);
}

function goTypeOf(value: unknown): string {
  return value === null ? '<nil>' : goTypeName(value);
}

const identity = [
  ['name', 'name'],
  ['namespace', 'namespace'],
  ['uid', 'UID'],
] as const;

function checkType(original: JsonObject, result: JsonObject, apiVersion: string): void {
  const { apiVersion: version, kind } = result;
  if (version !== apiVersion)
    throw new InvalidResultError(
      `object at index 0: invalid groupVersion (expected ${apiVersion}, received ${textOf(version)})`,
    );
  if (kind !== original['kind'])
    throw new InvalidResultError(
      `object at index 0: invalid kind (expected ${textOf(original['kind'])}, received ${textOf(kind)})`,
    );
}

/** The labels or annotations of a result, if it has any. They are validated only when they changed. */
function textsOf(
  field: 'labels' | 'annotations',
  before: JsonObject,
  { [field]: texts }: JsonObject,
): Record<string, string> | undefined {
  if (texts === undefined || texts === null) return undefined;
  if (!isObject(texts))
    throw new InvalidResultError(
      `metadata: invalid metadata.${field} of type ${goTypeOf(texts)} in converted object`,
    );
  const old = isObject(before[field]) ? before[field] : {};
  const entries = Object.entries(texts);
  for (const [key, value] of entries)
    if (typeof value !== 'string')
      throw new InvalidResultError(
        `metadata: metadata.${field}[${key}] must be a string, but is ${goTypeOf(value)} in converted object`,
      );
  const checked = texts as Record<string, string>;
  const isChanged =
    Object.keys(old).length !== entries.length || entries.some(([key, value]) => old[key] !== value);
  const errors = isChanged ? validateTexts(field, checked) : [];
  if (errors.length > 0) throw new InvalidResultError(`metadata: ${aggregated(errors)}`);
  return entries.length > 0 ? checked : undefined;
}

function validateTexts(field: 'labels' | 'annotations', texts: Record<string, string>): FieldError[] {
  // A real server names the field of annotations so.
  return field === 'labels' ? validateLabels(texts) : validateAnnotations(texts, 'metadata.annotation');
}

function aggregated(errors: readonly FieldError[]): string {
  const texts = [...new Set(errors.map(({ field, message }) => `${field}: ${message}`))];
  return texts.length === 1 ? (texts[0] ?? '') : `[${texts.join(', ')}]`;
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
