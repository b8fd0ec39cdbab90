import { type ResourceEntry, resources as builtIn } from 'ots-kubernetes/resources';
import { closestName } from 'ots-apimachinery/closest-name';

/** What is wrong with the groups or the resources of a rule, and the intended name. */
export interface WrongName {
  readonly argument: 'groups' | 'resources';
  readonly message: string;
  readonly hint: string;
}

/**
 * Subresources that discovery does not list. The admission plugin OwnerReferencesPermissionEnforcement checks
 * `finalizers`, and kubelets check the others for a node
 * (https://kubernetes.io/docs/reference/access-authn-authz/kubelet-authn-authz/).
 */
const unlistedSubresources = 'finalizers checkpoint configz healthz log metrics pods spec stats'.split(' ');

/**
 * Finds names in a rule that Kubernetes does not have, if it is clear what is meant: a singular or a kind
 * instead of a plural, another group, or a typo. Does not report names that could belong to a newer cluster
 * or to another project.
 *
 * @param groups the groups of the rule; '' or `core` is the core group
 * @param resources its resources, with their subresources
 */
export function wrongNames(groups: readonly string[], resources: readonly string[]): WrongName[] {
  const names = groups.map((group) => (group === 'core' ? '' : group));
  const wrong = names.flatMap((group) => wrongGroup(group) ?? []);
  // Resources of other groups can have any name.
  if (wrong.length > 0 || !names.every(isBuiltIn)) return wrong;
  return resources.flatMap((resource) => wrongResource(names, resource) ?? []);
}

function isBuiltIn(group: string): boolean {
  return builtIn.some((entry) => entry.group === group);
}

/** The group of a CRD has a dot, so a group without one is built-in or misspelled. */
function wrongGroup(group: string): WrongName | undefined {
  if (group.includes('.') || group.includes('*') || isBuiltIn(group)) return undefined;
  const known = [...new Set(builtIn.map((entry) => entry.group))];
  const suggestion =
    known.find((name) => name.startsWith(`${group}.`)) ?? closestName(group, [...known, 'core']);
  return suggestion === undefined
    ? undefined
    : { argument: 'groups', message: `unknown group ${group}`, hint: `did you mean ${suggestion}?` };
}

function wrongResource(groups: readonly string[], written: string): WrongName | undefined {
  const [name = '', subresource] = written.split('/', 2);
  if (name === '*') return undefined;
  const inGroups = builtIn.filter((entry) => groups.includes(entry.group));
  const found = inGroups.filter(({ plural }) => plural === name);
  const fail = (hint: string): WrongName => {
    const places = groups.map((group) => group || 'core').join(' or ');
    return { argument: 'resources', message: `unknown resource ${written} in ${places}`, hint };
  };
  if (found.length > 0) {
    const suggestion = subresource === undefined ? undefined : misspelledSubresource(found, subresource);
    return suggestion === undefined ? undefined : fail(`did you mean ${name}/${suggestion}?`);
  }
  const rest = subresource === undefined ? '' : `/${subresource}`;
  const suggestion = pluralOf(name, inGroups);
  if (suggestion !== undefined) return fail(`did you mean ${suggestion}${rest}?`);
  const elsewhere = builtIn.find(({ plural }) => plural === name);
  return (
    elsewhere && fail(`${name} are in the group ${elsewhere.group || 'core'}: write a separate tag for them`)
  );
}

/** Returns the plural for a singular, a short name or a misspelled name. */
function pluralOf(name: string, entries: readonly ResourceEntry[]): string | undefined {
  const exact = entries.find(({ singular, shortNames }) => singular === name || shortNames.includes(name));
  return (
    exact?.plural ??
    closestName(
      name,
      entries.map(({ plural }) => plural),
    )
  );
}

function misspelledSubresource(entries: readonly ResourceEntry[], written: string): string | undefined {
  const known = entries.flatMap(({ subresources }) => subresources.map(({ name }) => name));
  const names = [...known, ...unlistedSubresources];
  return names.includes(written) ? undefined : closestName(written, names);
}
