import type { PodSpec, Volume } from 'ots-kubernetes/core/v1';
import { warningsForFractions } from './warnings-for-fractions.ts';

/** Warnings about removed and deprecated kinds of volumes, by the name in the message. */
const ended: readonly (readonly [kind: keyof Volume, message: string, name?: string])[] = [
  ['photonPersistentDisk', 'deprecated in v1.11, non-functional in v1.16+'],
  ['gitRepo', 'deprecated in v1.11, and disabled by default in v1.33+'],
  ['scaleIO', 'deprecated in v1.16, non-functional in v1.22+'],
  ['flocker', 'deprecated in v1.22, non-functional in v1.25+'],
  ['storageos', 'deprecated in v1.22, non-functional in v1.25+', 'storageOS'],
  ['quobyte', 'deprecated in v1.22, non-functional in v1.25+'],
  ['glusterfs', 'deprecated in v1.25, non-functional in v1.26+'],
  ['cephfs', 'deprecated in v1.28, non-functional in v1.31+'],
  ['rbd', 'deprecated in v1.28, non-functional in v1.31+'],
];

/** Warns about volumes that no longer work. */
export function warningsForVolumes({ volumes = [] }: PodSpec, path: string): string[] {
  return volumes.flatMap((volume, index) => {
    const place = `${path}.volumes[${index}]`;
    const claim = volume.ephemeral?.volumeClaimTemplate?.spec;
    return [
      ...ended
        .filter(([kind]) => volume[kind] !== undefined)
        .map(([kind, message, name = kind]) => `${place}.${name}: ${message}`),
      ...warningsForFractions(
        claim?.resources ?? {},
        ['storage'],
        `${place}.ephemeral.volumeClaimTemplate.spec.resources`,
      ),
    ];
  });
}
