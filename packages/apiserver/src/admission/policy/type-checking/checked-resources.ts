import type { NamedRuleWithOperations } from 'ots-kubernetes/admissionregistration/v1';
import type { Resource } from '../../../registry/resource.ts';

/** A rule is not checked for more. */
const maxKinds = 10;

/**
 * The resources whose kinds the expressions of a policy are checked with: those that its rules name without wildcards.
 *
 * @param served all resources of the server
 */
export function checkedResources(
  rules: readonly NamedRuleWithOperations[],
  served: readonly Resource[],
): Resource[] {
  const found = new Map<string, Resource>();
  for (const rule of rules) {
    const resources = namedBy(rule, served).slice(0, maxKinds);
    for (const resource of resources) found.set(kindOf(resource), resource);
    if (resources.length === maxKinds) break;
  }
  return [...found.keys()].toSorted().flatMap((kind) => found.get(kind) ?? []);
}

/** Such as `apps/v1, Kind=Deployment`. */
export function kindOf({ group, version, kind }: Resource): string {
  return `${group}/${version}, Kind=${kind}`;
}

function namedBy(
  { apiGroups = [], apiVersions = [], resources = [] }: NamedRuleWithOperations,
  served: readonly Resource[],
): Resource[] {
  if ([...apiGroups, ...apiVersions].some((name) => name.includes('*'))) return [];
  const plain = resources.filter((name) => !/[*/]/.test(name));
  return apiGroups
    .toSorted()
    .flatMap((group) =>
      apiVersions
        .toSorted()
        .flatMap((version) =>
          plain.toSorted().flatMap((name) => served.filter((one) => matches(one, group, version, name))),
        ),
    );
}

/** The core group stands for all groups here, and a singular for its plural. */
function matches(resource: Resource, group: string, version: string, name: string): boolean {
  const { plural, singular } = resource;
  const lower = name.toLowerCase();
  return (
    (group === '' || resource.group === group) &&
    resource.version === version &&
    (plural === lower || singular === lower)
  );
}
