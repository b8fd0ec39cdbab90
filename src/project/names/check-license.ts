import { closestName } from 'ots-apimachinery/closest-name';
import { didYouMean } from './did-you-mean.ts';
import { type License, licenses } from './licenses.ts';
import { quoted } from './quoted.ts';
import { refuse } from './refuse.ts';

/**
 * @returns the license, typed
 * @throws {OtsError} `UNKNOWN_LICENSE`
 */
export function checkLicense(license: string): License {
  const known = licenses.find((candidate) => candidate === license);
  if (known) return known;
  const suggestion = /^apache/i.test(license) ? 'apache2' : closestName(license, licenses);
  return refuse(
    'UNKNOWN_LICENSE',
    `ots has no header for the license ${quoted(license)}`,
    didYouMean(suggestion, `Use ${licenses.join(', ')}, or --license-file with your own header.`),
  );
}
