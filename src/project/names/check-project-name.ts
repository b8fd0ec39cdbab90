import { maxDnsLabelLength } from 'ots-apimachinery/names';
import { derivedKindNames, derivedNameSuffixes } from './derived-names.ts';
import { didYouMean } from './did-you-mean.ts';
import { dnsLabelProblem, toDnsLabel } from './dns-label.ts';
import { quoted } from './quoted.ts';
import { refuse } from './refuse.ts';

const longestSuffix = derivedNameSuffixes.reduce((longest, suffix) =>
  suffix.length > longest.length ? suffix : longest,
);

/** The part of 63 characters that the longest derived name leaves for the project name. */
const maxProjectNameLength = maxDnsLabelLength - 1 - longestSuffix.length;

/**
 * Checks the prefix of the names of the operator's objects. It must start with a letter, because names of services had
 * to before Kubernetes 1.34, and it must leave room for suffixes.
 *
 * @throws {OtsError} `INVALID_PROJECT_NAME`, `PROJECT_NAME_TOO_LONG`
 */
export function checkProjectName(projectName: string): void {
  const suggestion = toDnsLabel(projectName, 'DNS-1035', maxProjectNameLength);
  const problem = dnsLabelProblem(projectName, 'DNS-1035');
  if (problem && projectName.length <= maxDnsLabelLength) {
    refuse(
      'INVALID_PROJECT_NAME',
      `The project name ${quoted(projectName)} cannot be used: it ${problem}`,
      didYouMean(
        suggestion === projectName ? undefined : suggestion,
        'A project name is a-z, 0-9 and "-" and starts with a letter, such as jobwatcher.',
      ),
    );
  }
  if (projectName.length > maxProjectNameLength) {
    refuse(
      'PROJECT_NAME_TOO_LONG',
      `The project name ${quoted(projectName)} is ${projectName.length} characters long: with the suffix "-${longestSuffix}" it exceeds the ${maxDnsLabelLength} characters that Kubernetes allows`,
      didYouMean(suggestion, `Use at most ${maxProjectNameLength} characters.`),
    );
  }
}

/**
 * Checks the length of the names of a kind's roles.
 *
 * @param group see {@link derivedKindNames}
 * @throws {OtsError} `DERIVED_NAME_TOO_LONG`
 */
export function checkDerivedKindNames(projectName: string, kind: string, group?: string): void {
  const tooLong = derivedKindNames(projectName, kind, group).find((name) => name.length > maxDnsLabelLength);
  if (tooLong === undefined) return;
  refuse(
    'DERIVED_NAME_TOO_LONG',
    `A role of the kind would be named ${quoted(tooLong)}, which is ${tooLong.length} characters long, and ${maxDnsLabelLength} are allowed`,
    'Use a shorter kind, or create the project again with a shorter --project-name.',
  );
}
