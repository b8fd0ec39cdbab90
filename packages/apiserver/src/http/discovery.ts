import { createHash } from 'node:crypto';
import { type Resource, apiVersionOf } from '../registry/resource.ts';
import type { ResourceRegistry } from '../registry/resource-registry.ts';
import type { JsonObject } from '../json/json-object.ts';
import { type ServedGroup, servedGroups } from './served-groups.ts';

/** `GET /api` */
export function coreVersions(address: string): JsonObject {
  return {
    kind: 'APIVersions',
    versions: ['v1'],
    serverAddressByClientCIDRs: [{ clientCIDR: '0.0.0.0/0', serverAddress: address }],
  };
}

/** `GET /apis` */
export function groupList(registry: ResourceRegistry): JsonObject {
  const groups = servedGroups(registry).filter(({ name }) => name !== '');
  return { kind: 'APIGroupList', apiVersion: 'v1', groups: groups.map(groupEntry) };
}

/** `GET /apis/<group>` */
export function groupDocument(registry: ResourceRegistry, group: string): JsonObject {
  const found = servedGroups(registry).find(({ name }) => name === group);
  return { kind: 'APIGroup', apiVersion: 'v1', ...(found && groupEntry(found)) };
}

/** `GET /apis/<group>/<version>` and `GET /api/v1` */
export function resourceList(registry: ResourceRegistry, group: string, version: string): JsonObject {
  const resources = registry
    .all()
    .filter((resource) => resource.group === group && resource.version === version);
  const groupVersion = apiVersionOf({ group, version });
  return {
    kind: 'APIResourceList',
    ...(group !== '' && { apiVersion: 'v1' }),
    groupVersion,
    resources: resources.flatMap((resource) => [
      resourceEntry(resource, storedOf(registry, resource)),
      ...subresourceEntries(resource),
    ]),
  };
}

function groupEntry({ name, versions }: ServedGroup): JsonObject {
  const entries = versions.map(({ version }) => ({
    groupVersion: apiVersionOf({ group: name, version }),
    version,
  }));
  return { name, versions: entries, preferredVersion: entries[0] };
}

function resourceEntry(resource: Resource, stored: { group: string; version: string }): JsonObject {
  return {
    name: resource.plural,
    singularName: resource.singular,
    namespaced: resource.scope === 'Namespaced',
    kind: resource.kind,
    verbs: resource.verbs,
    ...(resource.shortNames.length > 0 && { shortNames: resource.shortNames }),
    ...(resource.categories.length > 0 && { categories: resource.categories }),
    ...(!resource.answer && { storageVersionHash: storageVersionHash(stored, resource.kind) }),
  };
}

function subresourceEntries({ plural, scope, kind, subresources, ...own }: Resource): JsonObject[] {
  return subresources.map(({ name, verbs, group, version, kind: shown }) => ({
    name: `${plural}/${name}`,
    singularName: '',
    namespaced: scope === 'Namespaced',
    ...((group ?? own.group) !== own.group && { group, version }),
    kind: shown ?? kind,
    verbs,
  }));
}

/** The storage group and version of a resource: all of its versions share them. */
function storedOf(registry: ResourceRegistry, resource: Resource): { group: string; version: string } {
  const versions = registry.ofTable(resource.table);
  if (!resource.custom) return versions[0] ?? resource;
  return versions.find(({ definition }) => definition?.storage) ?? resource;
}

/** kube-apiserver's hash: the first bytes of a digest over group, version and kind. */
function storageVersionHash({ group, version }: { group: string; version: string }, kind: string): string {
  return createHash('sha256')
    .update(`${group}/${version}/${kind}`)
    .digest()
    .subarray(0, 8)
    .toString('base64');
}
