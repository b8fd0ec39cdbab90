import type { Volume } from 'ots-kubernetes/core/v1';
import { type Check, distinct, plural, quoted } from '../check.ts';
import { use } from './host-access.ts';

const allowed = [
  'configMap',
  'csi',
  'downwardAPI',
  'emptyDir',
  'ephemeral',
  'image',
  'persistentVolumeClaim',
  'projected',
  'secret',
] as const;

export const restrictedVolumes: Check = ({ spec }) => {
  const bad = (spec.volumes ?? []).filter((volume) => !allowed.some((type) => volume[type]));
  if (bad.length === 0) return undefined;
  const names = bad.map(({ name }) => name);
  const types = distinct(bad.map(typeOf));
  return {
    reason: 'restricted volume types',
    detail: `${plural('volume', names.length)} ${quoted(names)} ${use(names)} ${plural('restricted volume type', types.length)} ${quoted(types)}`,
  };
};

function typeOf(volume: Volume): string {
  return Object.keys(volume).find((field) => field !== 'name') ?? 'unknown';
}
