import { didYouMean } from './did-you-mean.ts';
import { dnsLabelProblem, toDnsLabel } from './dns-label.ts';
import { quoted } from './quoted.ts';
import { refuse } from './refuse.ts';

/**
 * The name of a controller that was not given one: the kind in lower case, behind the group in a multigroup project.
 *
 * @param group the group as PROJECT stores it, in a multigroup project only
 */
export function defaultControllerName(kind: string, group?: string): string {
  const name = kind.toLowerCase();
  return group === undefined ? name : `${group.replaceAll('.', '-')}-${name}`;
}

/**
 * Checks the name of a controller, which logs, metrics, files and identifiers are named after.
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
      `The controller name ${quoted(name)} cannot be used: it ${problem}.`,
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
      ? `The project has a controller named ${quoted(name)} already.`
      : `The controller name ${quoted(name)} is ${quoted(other)} but for its hyphens, and one class name is made of both.`,
    'Choose another --controller-name.',
  );
}

function withoutHyphens(name: string): string {
  return name.replaceAll('-', '');
}
