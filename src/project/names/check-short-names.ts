import { resources } from 'ots-kubernetes/resources';
import { didYouMean } from './did-you-mean.ts';
import { dnsLabelProblem, toDnsLabel } from './dns-label.ts';
import { quoted } from './quoted.ts';
import { refuse } from './refuse.ts';

/** The other names of a kind, and those of other kinds. */
export interface TakenNames {
  kind: string;
  plural: string;
  /** Kind and plural of the other resources of the project. */
  others: readonly { kind: string; plural: string }[];
}

/**
 * Checks the short names of a kind, such as `jw` for `kubectl get jw`.
 *
 * A short name with another meaning is rejected: within a group the API server does not accept the CRD, and across
 * groups kubectl silently picks one of the two.
 *
 * @throws {OtsError} `INVALID_SHORT_NAME`, `SHORT_NAME_TAKEN`
 */
export function checkShortNames(shortNames: readonly string[], taken: TakenNames): void {
  for (const [index, name] of shortNames.entries()) {
    const problem = dnsLabelProblem(name, 'DNS-1035');
    if (problem) {
      const suggestion = toDnsLabel(name, 'DNS-1035');
      refuse(
        'INVALID_SHORT_NAME',
        `The short name ${quoted(name)} cannot be used: it ${problem}`,
        didYouMean(suggestion, 'A short name is a-z, 0-9 and "-" and starts with a letter, such as jw.'),
      );
    }
    const owner = shortNames.indexOf(name) === index ? ownerOf(name, taken) : 'this kind: it is listed twice';
    if (owner) {
      refuse(
        'SHORT_NAME_TAKEN',
        `The short name ${quoted(name)} already belongs to ${owner}`,
        'Choose another one or omit it.',
      );
    }
  }
}

function ownerOf(name: string, { kind, plural, others }: TakenNames): string | undefined {
  if (name === plural || name === kind.toLowerCase()) return 'this kind: it is its plural or singular';
  const other = others.find((resource) => name === resource.plural || name === resource.kind.toLowerCase());
  if (other) return `the kind ${other.kind} of this project`;
  const builtIn = resources.find(
    (entry) => entry.shortNames.includes(name) || entry.plural === name || entry.singular === name,
  );
  return builtIn && `the kind ${builtIn.kind} of Kubernetes`;
}
