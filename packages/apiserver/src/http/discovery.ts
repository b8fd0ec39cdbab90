import { createHash } from 'node:crypto';
import { type Resource, apiVersionOf } from '../registry/resource.ts';
import type { ResourceRegistry } from '../registry/resource-registry.ts';
import type { JsonObject } from '../objects/json-object.ts';

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
  const groups = [...new Set(registry.all().map(({ group }) => group))].filter((group) => group !== '');
  return {
    kind: 'APIGroupList',
    apiVersion: 'v1',
    groups: groups.map((group) => groupEntry(registry, group)),
  };
}

/** `GET /apis/<group>` */
export function groupDocument(registry: ResourceRegistry, group: string): JsonObject {
  return { kind: 'APIGroup', apiVersion: 'v1', ...groupEntry(registry, group) };
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
    resources: resources.flatMap((resource) => [resourceEntry(resource), ...subresourceEntries(resource)]),
  };
}

function groupEntry(registry: ResourceRegistry, group: string): JsonObject {
  const names = registry
    .all()
    .filter((resource) => resource.group === group)
    .map(({ version }) => version);
  const versions = [...new Set(names)].map((version) => ({
    groupVersion: apiVersionOf({ group, version }),
    version,
  }));
  return { name: group, versions, preferredVersion: versions[0] };
}

function resourceEntry(resource: Resource): JsonObject {
  return {
    name: resource.plural,
    singularName: resource.singular,
    namespaced: resource.scope === 'Namespaced',
    kind: resource.kind,
    verbs: resource.verbs,
    ...(resource.shortNames.length > 0 && { shortNames: resource.shortNames }),
    ...(resource.categories.length > 0 && { categories: resource.categories }),
    storageVersionHash: storageVersionHash(resource),
  };
}

function subresourceEntries({ plural, scope, kind, subresources }: Resource): JsonObject[] {
  return subresources.map(({ name, verbs }) => ({
    name: `${plural}/${name}`,
    singularName: '',
    namespaced: scope === 'Namespaced',
    kind,
    verbs,
  }));
}

/** What kube-apiserver computes: the first bytes of a hash over group, version and kind. */
function storageVersionHash({ group, version, kind }: Resource): string {
  return createHash('sha256')
    .update(`${group}/${version}/${kind}`)
    .digest()
    .subarray(0, 8)
    .toString('base64');
}
