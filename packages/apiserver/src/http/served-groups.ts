import { compareVersions } from 'ots-apimachinery/version-priority';
import type { ResourceRegistry } from '../registry/resource-registry.ts';
import type { Resource } from '../registry/resource.ts';

/** A group and the resources of each version, the preferred version first. */
export interface ServedGroup {
  name: string;
  versions: { version: string; resources: Resource[] }[];
}

/** All served groups: built-in ones in their fixed order, then custom ones by name. */
export function servedGroups(registry: ResourceRegistry): ServedGroup[] {
  const groups = new Map<string, Map<string, Resource[]>>();
  for (const resource of registry.all()) {
    const versions = groups.get(resource.group) ?? new Map<string, Resource[]>();
    groups.set(resource.group, versions);
    versions.set(resource.version, [...(versions.get(resource.version) ?? []), resource]);
  }
  const all = [...groups].map(([name, versions]) => ({
    name,
    versions: [...versions]
      .toSorted(([a], [b]) => (registry.isBuiltInGroup(name) ? 0 : compareVersions(a, b)))
      .map(([version, resources]) => ({ version, resources })),
  }));
  const builtIn = all.filter(({ name }) => registry.isBuiltInGroup(name));
  const custom = all.filter(({ name }) => !registry.isBuiltInGroup(name));
  return [...builtIn, ...custom.toSorted((a, b) => (a.name < b.name ? -1 : 1))];
}
