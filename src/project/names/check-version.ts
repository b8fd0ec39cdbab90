import { maxDnsLabelLength } from 'ots-apimachinery/names';
import { didYouMean } from './did-you-mean.ts';
import { quoted } from './quoted.ts';
import { refuse } from './refuse.ts';

/** Only versions of this form have a priority: the API server sorts all others after them, by name. */
const apiVersion = /^v[1-9][0-9]*((alpha|beta)[1-9][0-9]*)?$/;

/** @throws {OtsError} `INVALID_VERSION` */
export function checkVersion(version: string): void {
  if (apiVersion.test(version) && version.length <= maxDnsLabelLength) return;
  refuse(
    'INVALID_VERSION',
    version === '' ? 'The version is empty' : `${quoted(version)} is not a version of a Kubernetes API`,
    didYouMean(suggestVersion(version), 'Versions look like v1, v1alpha1 or v2beta3.'),
  );
}

/** The intended version is clear for `V1`, `1`, `v1.2` and `v1-beta.2`. */
function suggestVersion(version: string): string | undefined {
  const [, major, stage, minor] =
    /^v?\.?0*([1-9][0-9]{0,5})(?:[-._]?(alpha|beta)[-._]?0*([1-9][0-9]{0,5})?)?(?:\.[0-9.]*)?$/i.exec(
      version.slice(0, 40),
    ) ?? [];
  if (major === undefined) return undefined;
  return stage === undefined ? `v${major}` : `v${major}${stage.toLowerCase()}${minor ?? 1}`;
}
