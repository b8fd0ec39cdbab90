import { apiGroup } from './names/api-group.ts';
import { kebabCase } from './names/kebab-case.ts';
import { refuse } from './names/refuse.ts';
import type { Project, Resource } from './project.ts';
import { isSameKind } from './resource-identity.ts';

/** A resource that a command is about to add, of any origin. */
export type Candidate = Pick<Resource, 'group' | 'domain' | 'version' | 'kind' | 'plural'> & {
  readonly core?: boolean | undefined;
};

/**
 * Checks that a resource does not collide with those of the project: on the API server, where kind, plural, singular
 * and list kind are unique within a group, and in the project, where each kind has its own files.
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
    `All versions of a kind share one plural, and ${other.kind} has the plural ${other.plural} in ${other.version}`,
    `Omit --plural or use --plural ${other.plural}.`,
  );
}

function checkSameGroup(other: Resource, candidate: Candidate): void {
  if (other.kind.toLowerCase() === candidate.kind.toLowerCase()) {
    refuse(
      'KIND_DIFFERS_IN_CASE',
      `The project has the kind ${other.kind}, which differs from ${candidate.kind} only in case`,
      `Use ${other.kind} or a different name.`,
    );
  }
  const names = (resource: Candidate) => [resource.plural, resource.kind.toLowerCase()];
  const shared = names(candidate).find((name) => names(other).includes(name));
  if (shared !== undefined) {
    refuse(
      'PLURAL_TAKEN',
      `The kinds ${candidate.kind} and ${other.kind} would both be ${shared}.${apiGroup(candidate)} on the API server`,
      'Choose another kind or another --plural.',
    );
  }
  const [list] = [other, candidate].filter(
    ({ kind }) => kind === `${other.kind}List` || kind === `${candidate.kind}List`,
  );
  if (list === undefined) return;
  refuse(
    'LIST_KIND_TAKEN',
    `${list.kind} is already the list kind of ${list.kind.slice(0, -'List'.length)}`,
    'Choose another kind.',
  );
}

/** Groups become parts of identifiers and paths, which do not distinguish dots from hyphens. */
function checkGroupNames(other: Resource, candidate: Candidate): void {
  if (other.group === candidate.group || plain(other.group) !== plain(candidate.group)) return;
  refuse(
    'GROUP_TAKEN',
    `The project has the group ${other.group}, which differs from ${candidate.group} only in dots and hyphens`,
    `Use ${other.group} or a different name.`,
  );
}

function checkFileNames(project: Project, other: Resource, candidate: Candidate): void {
  if (isSameKind(other, candidate) || kebabCase(other.kind) !== kebabCase(candidate.kind)) return;
  if (project.multigroup && other.group !== candidate.group) return;
  refuse(
    'FILE_NAME_TAKEN',
    `The files of ${candidate.kind} in ${apiGroup(candidate) || 'core'} would have the same name (${kebabCase(candidate.kind)}) as those of ${other.kind} in ${apiGroup(other) || 'core'}`,
    project.multigroup
      ? 'Choose another kind or another group.'
      : 'Run ots edit --multigroup first, or choose another kind.',
  );
}

function plain(group: string): string {
  return group.replaceAll(/[-.]/g, '');
}
