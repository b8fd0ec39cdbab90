import { type ResourceEntry, resources } from 'ots-kubernetes/resources';
import { closestName } from '../../errors/closest-name.ts';
import { didYouMean } from './did-you-mean.ts';
import { quoted } from './quoted.ts';
import { refuse } from './refuse.ts';

/** An API group that every cluster serves, in the two parts in which PROJECT stores it. */
export interface CoreGroup {
  /** `apps`, `networking`, `core`: the first label; also the folder in ots-kubernetes. */
  group: string;
  /** The rest: `k8s.io`, `authorization.k8s.io`, or '' for groups without a dot. */
  domain: string;
  /** As it stands in an apiVersion: `apps`, `networking.k8s.io`, '' for core. */
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
 * Finds the built-in group that somebody means.
 *
 * @param name any of `networking`, `networking.k8s.io`, `rbac.authorization`, `core`
 */
export function findCoreGroup(name: string): CoreGroup | undefined {
  return coreGroups.find(
    ({ group, apiGroup }) => name === group || (name !== '' && `${apiGroup}.`.startsWith(`${name}.`)),
  );
}

/**
 * Finds a kind that Kubernetes has in a built-in group, in whatever version.
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
 * @throws {OtsError} `unknown-core-group`, `unknown-core-version`, `unknown-core-kind`
 */
export function coreResource(group: string, version: string, kind: string): CoreResource {
  const found = findCoreGroup(group);
  if (!found) {
    const names = coreGroups.map((candidate) => candidate.group);
    refuse(
      'unknown-core-group',
      `Kubernetes has no API group ${quoted(group)}.`,
      didYouMean(
        closestName(group, names),
        `Built-in groups are ${names.join(', ')}; name the module of another one with --external-api-path.`,
      ),
    );
  }
  const inGroup = resources.filter((entry) => entry.group === found.apiGroup);
  const entry = inGroup.find((candidate) => candidate.version === version && candidate.kind === kind);
  if (entry) return toCoreResource(found, entry);
  const versions = [...new Set(inGroup.map((candidate) => candidate.version))];
  const kinds = [...new Set(inGroup.map((candidate) => candidate.kind))];
  if (!versions.includes(version)) {
    refuse(
      'unknown-core-version',
      `The built-in group ${found.group} has no version ${quoted(version)}.`,
      `Use ${versions.join(' or ')}.`,
    );
  }
  return refuse(
    'unknown-core-kind',
    `The built-in group ${found.group}/${version} has no kind ${quoted(kind)}.`,
    kinds.includes(kind)
      ? `Use ${inGroup
          .filter((candidate) => candidate.kind === kind)
          .map((candidate) => candidate.version)
          .join(' or ')}.`
      : didYouMean(closestName(kind, kinds), `It has ${kinds.join(', ')}.`),
  );
}

function toCoreResource(
  found: CoreGroup,
  { version, kind, plural, scope, module }: ResourceEntry,
): CoreResource {
  return { ...found, version, kind, plural, scope, module };
}
