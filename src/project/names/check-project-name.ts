import { maxDnsLabelLength } from 'ots-apimachinery/names';
import { derivedKindNames, derivedNameSuffixes } from './derived-names.ts';
import { didYouMean } from './did-you-mean.ts';
import { dnsLabelProblem, toDnsLabel } from './dns-label.ts';
import { quoted } from './quoted.ts';
import { refuse } from './refuse.ts';

const longestSuffix = derivedNameSuffixes.reduce((longest, suffix) =>
  suffix.length > longest.length ? suffix : longest,
);

/** What the longest name derived from the project name leaves of the 63 characters. */
const maxProjectNameLength = maxDnsLabelLength - 1 - longestSuffix.length;

/**
 * Checks the name that every object of the operator starts with. It has to start with a letter, because the names of
 * services did before Kubernetes 1.34, and it has to leave room for what is appended to it.
 *
 * @throws {OtsError} `INVALID_PROJECT_NAME`, `PROJECT_NAME_TOO_LONG`
 */
export function checkProjectName(projectName: string): void {
  const suggestion = toDnsLabel(projectName, 'DNS-1035', maxProjectNameLength);
  const problem = dnsLabelProblem(projectName, 'DNS-1035');
  if (problem && projectName.length <= maxDnsLabelLength) {
    refuse(
      'INVALID_PROJECT_NAME',
      `The project name ${quoted(projectName)} cannot be used: it ${problem}.`,
      didYouMean(
        suggestion === projectName ? undefined : suggestion,
        'A project name is a-z, 0-9 and "-" and starts with a letter, such as jobwatcher.',
      ),
    );
  }
  if (projectName.length > maxProjectNameLength) {
    refuse(
      'PROJECT_NAME_TOO_LONG',
      `The project name ${quoted(projectName)} is ${projectName.length} characters long: with "-${longestSuffix}" behind it, it passes the ${maxDnsLabelLength} that Kubernetes allows.`,
      didYouMean(suggestion, `Use at most ${maxProjectNameLength} characters.`),
    );
  }
}

/**
 * Checks that the roles of a kind get names that fit.
 *
 * @param group see {@link derivedKindNames}
 * @throws {OtsError} `DERIVED_NAME_TOO_LONG`
 */
export function checkDerivedKindNames(projectName: string, kind: string, group?: string): void {
  const tooLong = derivedKindNames(projectName, kind, group).find((name) => name.length > maxDnsLabelLength);
  if (tooLong === undefined) return;
  refuse(
    'DERIVED_NAME_TOO_LONG',
    `A role of the kind would be named ${quoted(tooLong)}, which is ${tooLong.length} characters long, and ${maxDnsLabelLength} are allowed.`,
    'Use a shorter kind (or start the project again with a shorter --project-name).',
  );
}
