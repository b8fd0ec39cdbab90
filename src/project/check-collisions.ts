import { apiGroup } from './names/api-group.ts';
import { kebabCase } from './names/kebab-case.ts';
import { refuse } from './names/refuse.ts';
import type { Project, Resource } from './project.ts';
import { isSameKind } from './resource-identity.ts';

/** A resource that a command is about to add, of whatever origin. */
export type Candidate = Pick<Resource, 'group' | 'domain' | 'version' | 'kind' | 'plural'> & {
  readonly core?: boolean | undefined;
};

/**
 * Checks that a resource and those of the project can live side by side: on the API server, where kind, plural,
 * singular and list kind are unique within a group, and in the project, where each kind has files of its own.
 *
 * @throws {OtsError} `PLURAL_DIFFERS`, `KIND_DIFFERS_IN_CASE`, `PLURAL_TAKEN`, `LIST_KIND_TAKEN`, `GROUP_TAKEN`,
 *   `FILE_NAME_TAKEN`
 */
export function checkCollisions(project: Project, candidate: Candidate): void {
  for (const other of project.resources) {
    if (isSameKind(other, candidate)) checkSameKind(other, candidate);
    else if (apiGroup(other) === apiGroup(candidate)) checkSameGroup(other, candidate);
    if (project.multigroup) checkGroupNames(other, candidate);
    checkFileNames(project, other, candidate);
  }
}

function checkSameKind(other: Resource, candidate: Candidate): void {
  if (other.plural === candidate.plural) return;
  refuse(
    'PLURAL_DIFFERS',
    `${other.kind} has the plural ${other.plural} in ${other.version}, and all versions of a kind share one.`,
    `Leave --plural out, or give --plural ${other.plural}.`,
  );
}

function checkSameGroup(other: Resource, candidate: Candidate): void {
  if (other.kind.toLowerCase() === candidate.kind.toLowerCase()) {
    refuse(
      'KIND_DIFFERS_IN_CASE',
      `The project has the kind ${other.kind}, which differs from ${candidate.kind} in nothing but upper and lower case.`,
      `Use ${other.kind}, or a name that is different.`,
    );
  }
  const names = (resource: Candidate) => [resource.plural, resource.kind.toLowerCase()];
  const shared = names(candidate).find((name) => names(other).includes(name));
  if (shared !== undefined) {
    refuse(
      'PLURAL_TAKEN',
      `The kind ${candidate.kind} would be ${shared}.${apiGroup(candidate)} on the API server, and so is ${other.kind}.`,
      'Choose another kind, or another --plural.',
    );
  }
  const [list] = [other, candidate].filter(
    ({ kind }) => kind === `${other.kind}List` || kind === `${candidate.kind}List`,
  );
  if (list === undefined) return;
  refuse(
    'LIST_KIND_TAKEN',
    `${list.kind} is the kind of a list of ${list.kind.slice(0, -'List'.length)} objects, so it cannot be a kind of its own.`,
    'Choose another kind.',
  );
}

/** Groups become parts of identifiers and paths, where dots and hyphens are not told apart. */
function checkGroupNames(other: Resource, candidate: Candidate): void {
  if (other.group === candidate.group || plain(other.group) !== plain(candidate.group)) return;
  refuse(
    'GROUP_TAKEN',
    `The project has the group ${other.group}, which differs from ${candidate.group} in nothing but dots and hyphens.`,
    `Use ${other.group}, or a name that is different.`,
  );
}

function checkFileNames(project: Project, other: Resource, candidate: Candidate): void {
  if (isSameKind(other, candidate) || kebabCase(other.kind) !== kebabCase(candidate.kind)) return;
  if (project.multigroup && other.group !== candidate.group) return;
  refuse(
    'FILE_NAME_TAKEN',
    `The files of ${candidate.kind} in ${apiGroup(candidate) || 'core'} would be named ${kebabCase(candidate.kind)}, like those of ${other.kind} in ${apiGroup(other) || 'core'}.`,
    project.multigroup
      ? 'Choose another kind or another group.'
      : 'Run ots edit --multigroup first, or choose another kind.',
  );
}

function plain(group: string): string {
  return group.replaceAll(/[-.]/g, '');
}
