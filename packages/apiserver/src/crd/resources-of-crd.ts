import type { CustomResourceDefinitionVersion } from 'ots-kubernetes/apiextensions/v1';
import { compareVersions } from 'ots-apimachinery/version-priority';
import type { Random } from '../random/random.ts';
import type { Resource } from '../registry/resource.ts';
import type { Table } from '../storage/table.ts';
import type { ServiceEndpoints } from '../webhooks/service-endpoints.ts';
import { WebhookConverter } from './conversion/webhook-converter.ts';
import type { Crd } from './crd-types.ts';
import { CustomResourceStrategy } from './custom-resource-strategy.ts';

const verbs = ['delete', 'deletecollection', 'get', 'list', 'patch', 'create', 'update', 'watch'];
const subresourceVerbs = ['get', 'patch', 'update'];
const scale = { name: 'scale', group: 'autoscaling', version: 'v1', kind: 'Scale', verbs: subresourceVerbs };

/**
 * The versions that a definition serves, the preferred one first.
 *
 * @param terminating whether the definition is being deleted, so clients cannot create objects
 * @param webhooks where the webhook listens that converts between the versions, and the source of the IDs of reviews
 */
export function resourcesOf(
  crd: Crd,
  table: Table,
  terminating: boolean,
  webhooks: { services: ServiceEndpoints; random: Random },
): Resource[] {
  const { group, names, scope, versions, conversion } = crd.spec;
  const converter = conversion?.webhook && new WebhookConverter(conversion.webhook, webhooks);
  return versions
    .filter(({ served }) => served)
    .toSorted((a, b) => compareVersions(a.name, b.name))
    .map((version) => ({
      group,
      version: version.name,
      plural: names.plural,
      singular: names.singular ?? names.kind.toLowerCase(),
      kind: names.kind,
      listKind: names.listKind ?? `${names.kind}List`,
      shortNames: names.shortNames ?? [],
      categories: names.categories ?? [],
      scope: scope === 'Cluster' ? 'Cluster' : 'Namespaced',
      verbs,
      subresources: subresourcesOf(version),
      custom: true,
      definition: version,
      table,
      strategy: new CustomResourceStrategy(crd, version, converter),
      ...(version.deprecated && {
        warning: version.deprecationWarning ?? `${group}/${version.name} ${names.kind} is deprecated`,
      }),
      ...(terminating && {
        createForbidden: 'create not allowed while custom resource definition is terminating',
      }),
    }));
}

function subresourcesOf({ subresources = {} }: CustomResourceDefinitionVersion): Resource['subresources'] {
  return [
    ...(subresources.status ? [{ name: 'status', verbs: subresourceVerbs }] : []),
    ...(subresources.scale ? [scale] : []),
  ];
}
