import type { PodSpec, Volume, VolumeProjection } from 'ots-kubernetes/core/v1';

/** A file of a volume, with its source if the volume has several. */
interface PlacedFile {
  readonly path: string;
  readonly source: string;
}

/** Warns about files of a volume that hide others, and about sources without files. */
export function warningsForOverlaps({ volumes = [] }: PodSpec): string[] {
  return volumes.flatMap((volume) => [
    ...warningsForFiles(volume),
    ...warningsForProjected(volume.name, volume.projected?.sources ?? []),
  ]);
}

function warningsForFiles({ name, configMap, secret, downwardAPI }: Volume): string[] {
  const sources = [
    { title: `ConfigMap "${configMap?.name ?? ''}"`, items: configMap?.items ?? [] },
    { title: `Secret "${secret?.secretName ?? ''}"`, items: secret?.items ?? [] },
    { title: 'DownwardAPI', items: downwardAPI?.items ?? [] },
  ];
  return sources.flatMap(({ title, items }) => {
    const before: PlacedFile[] = [];
    const files = items.map(({ path }) => ({ path, source: '' }));
    return files.flatMap((file) => overlapsOf(file, before, `volume "${name}" (${title})`));
  });
}

function warningsForProjected(name: string, sources: readonly VolumeProjection[]): string[] {
  const subject = `volume "${name}" (Projected)`;
  const before: PlacedFile[] = [];
  return sources.flatMap((source) => {
    if (Object.keys(source).length === 0) return [`${subject} has no sources provided`];
    return filesOf(source).flatMap((file) => overlapsOf(file, before, subject));
  });
}

function filesOf({ configMap, secret, downwardAPI, serviceAccountToken }: VolumeProjection): PlacedFile[] {
  if (configMap?.items) return placed(configMap.items, `ConfigMap "${configMap.name ?? ''}"`);
  if (secret?.items) return placed(secret.items, `Secret "${secret.name ?? ''}"`);
  if (downwardAPI?.items) return placed(downwardAPI.items, 'DownwardAPI');
  return serviceAccountToken ? placed([serviceAccountToken], 'ServiceAccountToken') : [];
}

function placed(items: readonly { path: string }[], source: string): PlacedFile[] {
  return items.map(({ path }) => ({ path, source }));
}

/** @param before the files so far; receives this one */
function overlapsOf({ path: sent, source }: PlacedFile, before: PlacedFile[], subject: string): string[] {
  const file = { path: sent.replace(/\/+$/, ''), source };
  const met = before.filter(({ path }) => overlap(file.path, path));
  before.push(file);
  return met.map((other) => `${subject}: overlapping paths: ${shown(file)} with ${shown(other)}`);
}

/** Whether two paths are equal, or one contains the other. */
function overlap(one: string, other: string): boolean {
  if (one === '' || other === '') return false;
  return `${one}/`.startsWith(`${other}/`) || `${other}/`.startsWith(`${one}/`);
}

function shown({ path, source }: PlacedFile): string {
  return source === '' ? `"${path}"` : `"${path}" (${source})`;
}
