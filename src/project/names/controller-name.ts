import { didYouMean } from './did-you-mean.ts';
import { dnsLabelProblem, toDnsLabel } from './dns-label.ts';
import { quoted } from './quoted.ts';
import { refuse } from './refuse.ts';

/**
 * The default name of a controller: the kind in lower case, after the group in a multigroup project.
 *
 * @param group the group as PROJECT stores it, in a multigroup project only
 */
export function defaultControllerName(kind: string, group?: string): string {
  const name = kind.toLowerCase();
  return group === undefined ? name : `${group.replaceAll('.', '-')}-${name}`;
}

/**
 * Checks the name of a controller: it appears in logs, metrics, file names and identifiers.
 *
 * @param taken the names of all controllers of the project
 * @throws {OtsError} `INVALID_CONTROLLER_NAME`, `CONTROLLER_NAME_TAKEN`
 */
export function checkControllerName(name: string, taken: Iterable<string>): void {
  const problem = dnsLabelProblem(name, 'DNS-1035');
  if (problem) {
    const suggestion = toDnsLabel(name, 'DNS-1035');
    refuse(
      'INVALID_CONTROLLER_NAME',
      `The controller name ${quoted(name)} cannot be used: it ${problem}`,
      didYouMean(
        suggestion === name ? undefined : suggestion,
        'A controller name is a-z, 0-9 and "-" and starts with a letter, such as job-watcher.',
      ),
    );
  }
  const other = [...taken].find((candidate) => withoutHyphens(candidate) === withoutHyphens(name));
  if (other === undefined) return;
  refuse(
    'CONTROLLER_NAME_TAKEN',
    other === name
      ? `The project already has a controller named ${quoted(name)}`
      : `The controller names ${quoted(name)} and ${quoted(other)} differ only in hyphens and give the same class name`,
    'Choose another --controller-name.',
  );
}

function withoutHyphens(name: string): string {
  return name.replaceAll('-', '');
}
