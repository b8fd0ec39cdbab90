import { closestName } from '../../errors/closest-name.ts';
import { didYouMean } from './did-you-mean.ts';
import { quoted } from './quoted.ts';
import { refuse } from './refuse.ts';

/** The licences whose header ots can write. */
export const licenses = ['apache2', 'mit', 'none'] as const;

export type License = (typeof licenses)[number];

/**
 * @returns the license, typed
 * @throws {OtsError} `unknown-license`
 */
export function checkLicense(license: string): License {
  const known = licenses.find((candidate) => candidate === license);
  if (known) return known;
  const suggestion = /^apache/i.test(license) ? 'apache2' : closestName(license, licenses);
  return refuse(
    'unknown-license',
    `ots has no header for the license ${quoted(license)}.`,
    didYouMean(suggestion, `Use ${licenses.join(', ')}, or --license-file with a header of your own.`),
  );
}
