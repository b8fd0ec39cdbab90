import type { ISCSIVolumeSource, Volume } from 'ots-kubernetes/core/v1';
import { dnsLabel, subdomain } from 'ots-apimachinery/names';
import { type FieldError, duplicate, forbidden, invalid, required } from '../../../status/field-error.ts';
import { errorsOfRule } from '../../validation/errors-of-rule.ts';
import type { Volumes } from './validate-mounts.ts';
import { type VolumeKind, validateVolumeSource, volumeKinds } from './validate-volume-source.ts';

/** Where the real server reports a surplus source, if not at the source itself. */
const reportedAt: Partial<Record<VolumeKind, string>> = { cephfs: 'cephFS', downwardAPI: 'downwarAPI' };

/**
 * Validates the volumes of a pod.
 *
 * @param pod the name of the pod, if it has one: claims are named after it
 * @returns the errors, and the valid volumes, which containers can mount
 */
export function validateVolumes(
  volumes: readonly Volume[],
  pod: string,
  path: string,
): { errors: FieldError[]; good: Volumes } {
  const good = new Map<string, Volume>();
  const claims = new Set(
    volumes.filter(({ ephemeral }) => ephemeral && pod !== '').map(({ name }) => `${pod}-${name}`),
  );
  const errors = volumes.flatMap((volume, index) => {
    const own = validateVolume(volume, pod, good, `${path}[${index}]`);
    if (own.length === 0) good.set(volume.name, volume);
    return [...own, ...validateClaim(volume, claims, `${path}[${index}]`)];
  });
  return { errors, good };
}

function validateVolume(volume: Volume, pod: string, others: Volumes, path: string): FieldError[] {
  const { name } = volume;
  return [
    ...validateSources(volume, pod, path),
    ...(name === '' ? [required(`${path}.name`)] : errorsOfRule(`${path}.name`, name, dnsLabel)),
    ...(others.has(name) ? [duplicate(`${path}.name`, name)] : []),
  ];
}

/** The first source counts; the others are surplus. */
function validateSources(volume: Volume, pod: string, path: string): FieldError[] {
  const [first, ...others] = volumeKinds.filter((kind) => volume[kind] !== undefined);
  if (first === undefined) return [required(path, 'must specify a volume type')];
  return [
    ...validateVolumeSource(volume, first, path),
    ...others.map((kind) =>
      forbidden(`${path}.${reportedAt[kind] ?? kind}`, 'may not specify more than 1 volume type'),
    ),
    ...(volume.image && pod !== '' && !volume.image.reference ? [required(`${path}.image.reference`)] : []),
    ...(first === 'ephemeral' ? validateClaimName(volume.name, pod, path) : []),
    ...(volume.iscsi ? validatePortal(volume.name, volume.iscsi, path) : []),
  ];
}

function validateClaimName(volume: string, pod: string, path: string): FieldError[] {
  if (pod === '' || !volume) return [];
  const claim = `${pod}-${volume}`;
  return subdomain(claim).map((message) =>
    invalid(`${path}.name`, volume, `PVC name "${claim}": ${message}`),
  );
}

function validatePortal(volume: string, iscsi: ISCSIVolumeSource, path: string): FieldError[] {
  const isShort = `${volume}:${iscsi.targetPortal}`.length <= 64;
  if (iscsi.initiatorName === undefined || isShort) return [];
  const detail =
    'Total length of <volume name>:<iscsi.targetPortal> must be under 64 characters if iscsi.initiatorName is specified.';
  return [invalid(`${path}.name`, volume, detail)];
}

function validateClaim(
  { persistentVolumeClaim }: Volume,
  claims: ReadonlySet<string>,
  path: string,
): FieldError[] {
  const name = persistentVolumeClaim?.claimName ?? '';
  if (!claims.has(name)) return [];
  const detail = 'must not reference a PVC that gets created for an ephemeral volume';
  return [invalid(`${path}.persistentVolumeClaim.claimName`, name, detail)];
}
