import type {
  DownwardAPIVolumeFile,
  KeyToPath,
  ProjectedVolumeSource,
  ServiceAccountTokenProjection,
  VolumeProjection,
} from 'ots-kubernetes/core/v1';
import { type FieldError, forbidden, invalid, required } from '../../../status/field-error.ts';
import { validateFileMode, validateFilePath } from './path-rules.ts';
import { validateFieldReference, validateResourceReference } from './validate-field-references.ts';
import { validateKeyToPath } from './validate-key-to-path.ts';

const fields = [
  'metadata.annotations',
  'metadata.labels',
  'metadata.name',
  'metadata.namespace',
  'metadata.uid',
];

/** Validates a projected volume. Projections whose feature gates are off are dropped before. */
export function validateProjected(
  { defaultMode, sources }: ProjectedVolumeSource,
  path: string,
): FieldError[] {
  const taken = new Set<string>();
  return [
    ...validateFileMode(`${path}.defaultMode`, defaultMode),
    ...(sources ?? []).flatMap((source, index) => validateProjection(source, index, taken, path)),
  ];
}

/**
 * Validates one projection.
 *
 * @param taken the paths of the files so far; receives those of this one
 * @param path the path of the volume's source
 */
function validateProjection(
  source: VolumeProjection,
  index: number,
  taken: Set<string>,
  path: string,
): FieldError[] {
  const { secret, configMap, downwardAPI, serviceAccountToken } = source;
  const place = `${path}.sources[${index}]`;
  const count = Object.values(source).filter((value) => value !== undefined).length;
  return [
    ...(secret ? validateKeys(secret, taken, path, `${place}.secret`) : []),
    ...(configMap ? validateKeys(configMap, taken, path, `${place}.configMap`) : []),
    ...(downwardAPI?.items ?? []).flatMap((file) => [
      ...validateDownwardFile(file, `${place}.downwardAPI`),
      ...take(file.path, file.path, taken, path),
    ]),
    ...(serviceAccountToken ? validateToken(serviceAccountToken, path, `${place}.serviceAccountToken`) : []),
    ...(count > 1 ? [forbidden(place, 'may not specify more than 1 volume type per source')] : []),
  ];
}

function validateKeys(
  { name = '', items = [] }: { name?: string; items?: KeyToPath[] },
  taken: Set<string>,
  volume: string,
  path: string,
): FieldError[] {
  return [
    ...(name === '' ? [required(`${path}.name`)] : []),
    ...items.flatMap((item, index) => [
      ...validateKeyToPath(item, `${path}.items[${index}]`),
      ...take(item.path, name, taken, volume),
    ]),
  ];
}

/** @param shown the value in the error about a path that is taken */
function take(
  file: string | undefined,
  shown: string | undefined,
  taken: Set<string>,
  volume: string,
): FieldError[] {
  if (!file) return [];
  const errors = taken.has(file) ? [invalid(volume, shown ?? '', 'conflicting duplicate paths')] : [];
  taken.add(file);
  return errors;
}

function validateToken(
  { expirationSeconds, path: file }: ServiceAccountTokenProjection,
  volume: string,
  path: string,
): FieldError[] {
  const seconds = expirationSeconds ?? 3600;
  const field = `${path}.expirationSeconds`;
  return [
    ...(seconds < 600 ? [invalid(field, seconds, 'may not specify a duration less than 10 minutes')] : []),
    ...(seconds > 2 ** 32
      ? [invalid(field, seconds, 'may not specify a duration larger than 2^32 seconds')]
      : []),
    ...(file === '' ? [required(`${volume}.path`)] : validateFilePath(`${volume}.path`, file)),
  ];
}

/** Validates a file from the downward API. */
export function validateDownwardFile(
  { path: file, fieldRef, resourceFieldRef, mode }: DownwardAPIVolumeFile,
  path: string,
): FieldError[] {
  const errors = [
    ...(file === '' ? [required(`${path}.path`)] : []),
    ...validateFilePath(`${path}.path`, file),
  ];
  if (fieldRef) errors.push(...validateFieldReference(fieldRef, `${path}.fieldRef`, fields));
  if (fieldRef && resourceFieldRef)
    errors.push(
      invalid(path, 'resource', 'fieldRef and resourceFieldRef can not be specified simultaneously'),
    );
  if (!fieldRef && resourceFieldRef)
    errors.push(...validateResourceReference(resourceFieldRef, `${path}.resourceFieldRef`, true));
  if (!fieldRef && !resourceFieldRef)
    errors.push(required(path, 'one of fieldRef and resourceFieldRef is required'));
  return [...errors, ...validateFileMode(`${path}.mode`, mode)];
}
