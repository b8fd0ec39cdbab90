import { checkCollisions } from './check-collisions.ts';
import { apiGroup } from './names/api-group.ts';
import { checkCategories } from './names/check-categories.ts';
import { checkGroup } from './names/check-group.ts';
import { checkKind } from './names/check-kind.ts';
import { checkPlural } from './names/check-plural.ts';
import { checkDerivedKindNames } from './names/check-project-name.ts';
import { checkShortNames } from './names/check-short-names.ts';
import { checkVersion } from './names/check-version.ts';
import { findCoreKind } from './names/core-resource.ts';
import { pluralOf } from './names/plural.ts';
import { refuse } from './names/refuse.ts';
import type { Project } from './project.ts';
import { groupPrefix } from './project-lookups.ts';
import { describeResource, isSameKind, isSameResource } from './resource-identity.ts';

/** A kind that the project is about to define; it gets the domain of the project. */
export interface NewApi {
  group: string;
  version: string;
  kind: string;
  /** Default: the plural of the other versions of the kind, or else the regular one. */
  plural?: string | undefined;
  namespaced: boolean;
  shortNames?: readonly string[] | undefined;
  categories?: readonly string[] | undefined;
}

/**
 * Checks everything about a new kind, or a new version of one, before anything is staged.
 *
 * @param options `force` allows rewriting an existing version and shadowing a built-in kind
 * @returns the plural of the kind
 * @throws {OtsError} of the name rules and of {@link checkCollisions}; `RESOURCE_EXISTS`, `MULTIPLE_GROUPS`,
 *   `SCOPE_DIFFERS`, `CORE_KIND`
 */
export function checkNewApi(project: Project, api: NewApi, options: { force?: boolean } = {}): string {
  const { domain } = project;
  checkGroup(api.group, domain);
  checkVersion(api.version);
  checkKind(api.kind);
  const identity = { group: api.group, domain, version: api.version, kind: api.kind };
  const versions = project.resources.filter((resource) => isSameKind(resource, identity));
  const plural = api.plural ?? versions[0]?.plural ?? pluralOf(api.kind);
  checkPlural(plural, apiGroup(identity));
  checkShortNames(api.shortNames ?? [], {
    kind: api.kind,
    plural,
    others: project.resources.filter((resource) => !isSameKind(resource, identity)),
  });
  checkCategories(api.categories ?? []);
  checkDerivedKindNames(project.projectName, api.kind, groupPrefix(project, api.group));

  if (!options.force && versions.some((resource) => resource.api && isSameResource(resource, identity))) {
    refuse(
      'RESOURCE_EXISTS',
      `${describeResource(identity)} already exists in the project`,
      'Choose another --version or rewrite its files with --force.',
    );
  }
  const scoped = versions.find((resource) => resource.api && resource.api.namespaced !== api.namespaced);
  if (scoped && !isSameResource(scoped, identity)) {
    const [is, flag] = scoped.api?.namespaced ? ['namespaced', true] : ['cluster-wide', false];
    refuse(
      'SCOPE_DIFFERS',
      `All versions of a kind share one scope, and ${api.kind} is ${is} in ${scoped.version}`,
      `Use --namespaced=${flag}.`,
    );
  }
  checkSingleGroup(project, api.group);
  if (versions.length === 0 && !options.force) checkNotCore(api, domain);
  checkCollisions(project, { ...identity, plural });
  return plural;
}

function checkSingleGroup(project: Project, group: string): void {
  const other = project.resources.find((resource) => resource.api && resource.group !== group);
  if (project.multigroup || !other) return;
  refuse(
    'MULTIPLE_GROUPS',
    `The project supports one group, ${other.group}, and ${group} would be a second one`,
    'Run ots edit --multigroup first.',
  );
}

/** A user who asks for apps/Deployment does not mean a CRD deployments.apps.example.com. */
function checkNotCore({ group, version, kind }: NewApi, domain: string): void {
  const core = findCoreKind(group, kind);
  if (!core) return;
  refuse(
    'CORE_KIND',
    `${kind} is a built-in kind in ${core.group}/${core.version}, and this would define another one in ${group}.${domain}`,
    `Use the built-in kind (--version ${core.version} --resource=false), choose another group, or define ${version} anyway with --force.`,
  );
}
