import { type ResourceEntry, resources } from 'ots-kubernetes/resources';
import { quoted } from './quoted.ts';
import { refuse } from './refuse.ts';
import { type ResourceName, suggestResource } from './suggest-resource.ts';

/** An API group that every cluster serves, in the two parts in which PROJECT stores it. */
export interface CoreGroup {
  /** `apps`, `networking`, `core`: the first label; also the folder in ots-kubernetes. */
  group: string;
  /** The rest: `k8s.io`, `authorization.k8s.io`, or '' for a group without a dot. */
  domain: string;
  /** As in an apiVersion: `apps`, `networking.k8s.io`, '' for core. */
  apiGroup: string;
}

/** A kind that every cluster serves. */
export interface CoreResource extends CoreGroup {
  version: string;
  kind: string;
  plural: string;
  scope: 'Namespaced' | 'Cluster';
  /** The module of ots-kubernetes with its type: `apps/v1`. */
  module: string;
}

/** The built-in groups, by name. */
const coreGroups: readonly CoreGroup[] = [...new Set(resources.map((entry) => entry.group))].map((name) => {
  const [first = '', ...rest] = name.split('.');
  return { group: name === '' ? 'core' : first, domain: rest.join('.'), apiGroup: name };
});

/**
 * Finds the built-in group with a name.
 *
 * @param name any of `networking`, `networking.k8s.io`, `rbac.authorization`, `core`
 */
export function findCoreGroup(name: string): CoreGroup | undefined {
  return coreGroups.find(
    ({ group, apiGroup }) => name === group || (name !== '' && `${apiGroup}.`.startsWith(`${name}.`)),
  );
}

/**
 * Finds a kind of a built-in group, in any version.
 *
 * @param group any spelling that {@link findCoreGroup} knows
 */
export function findCoreKind(group: string, kind: string): CoreResource | undefined {
  const found = findCoreGroup(group);
  const entry =
    found && resources.find((candidate) => candidate.group === found.apiGroup && candidate.kind === kind);
  return entry && toCoreResource(found, entry);
}

/**
 * Looks up a built-in kind.
 *
 * @param group any spelling that {@link findCoreGroup} knows
 * @param own the resources of the project, for suggestions
 * @throws {OtsError} `UNKNOWN_CORE_GROUP`, `UNKNOWN_CORE_VERSION`, `UNKNOWN_CORE_KIND`
 */
export function coreResource(
  group: string,
  version: string,
  kind: string,
  own: readonly ResourceName[] = [],
): CoreResource {
  const found = findCoreGroup(group);
  const inGroup = resources.filter((entry) => entry.group === found?.apiGroup);
  const entry = inGroup.find((candidate) => candidate.version === version && candidate.kind === kind);
  if (found && entry) return toCoreResource(found, entry);
  const suggestion = suggestResource({ group: found?.group ?? group, version, kind }, own, coreKinds());
  if (!found) {
    const names = coreGroups.map((candidate) => candidate.group);
    refuse(
      'UNKNOWN_CORE_GROUP',
      `Kubernetes has no API group ${quoted(group)}`,
      `${suggestion}Built-in groups are ${names.join(', ')}; for another group, name its module with --external-api-path.`,
    );
  }
  const versions = [...new Set(inGroup.map((candidate) => candidate.version))];
  if (!versions.includes(version)) {
    refuse(
      'UNKNOWN_CORE_VERSION',
      `The built-in group ${found.group} has no version ${quoted(version)}`,
      `${suggestion}The built-in group has ${versions.join(', ')}.`,
    );
  }
  return refuse(
    'UNKNOWN_CORE_KIND',
    `The built-in group ${found.group}/${version} has no kind ${quoted(kind)}`,
    `${suggestion}The built-in group has ${kindsOf(inGroup)}.`,
  );
}

/** Every built-in kind in every version, with its group as the flags name it. */
function coreKinds(): ResourceName[] {
  const groups = new Map(coreGroups.map(({ apiGroup, group }) => [apiGroup, group]));
  return resources.map(({ group, version, kind }) => ({ group: groups.get(group) ?? group, version, kind }));
}

/** `CronJob (v1), Job (v1)`. */
function kindsOf(inGroup: readonly ResourceEntry[]): string {
  const kinds = [...new Set(inGroup.map(({ kind }) => kind))];
  const versionsOf = (kind: string) =>
    inGroup.filter((entry) => entry.kind === kind).map(({ version }) => version);
  return kinds.map((kind) => `${kind} (${versionsOf(kind).join(', ')})`).join(', ');
}

function toCoreResource(
  found: CoreGroup,
  { version, kind, plural, scope, module }: ResourceEntry,
): CoreResource {
  return { ...found, version, kind, plural, scope, module };
}
