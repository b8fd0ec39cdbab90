import { expect } from 'vitest';
import { configMaps, until } from './fixtures.ts';
import type { Session } from './session.ts';

export const crds = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
export const ships = '/apis/example.com/v1/namespaces/default/ships';
const quotas = '/api/v1/namespaces/default/resourcequotas';
const services = '/api/v1/namespaces/default/services';

/** @param plural names of which only the first one is accepted, because they share a kind */
export function definition(plural = 'ships'): object {
  const schema = { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } };
  return {
    metadata: { name: `${plural}.example.com` },
    spec: {
      group: 'example.com',
      scope: 'Namespaced',
      names: { plural, kind: 'Ship' },
      versions: [{ name: 'v1', served: true, storage: true, schema }],
    },
  };
}

/** Everything that a client can list, as the server sends it, without the resource version of the lists. */
export async function everything(session: Session): Promise<unknown> {
  const seen: Record<string, unknown> = {};
  const groups = (await session.get('/apis')).body.groups as { preferredVersion: { groupVersion: string } }[];
  const roots = [
    '/api/v1',
    ...groups.map(({ preferredVersion }) => `/apis/${preferredVersion.groupVersion}`),
  ];
  for (const root of roots) {
    const { resources } = (await session.get(root)).body as {
      resources: { name: string; verbs: string[] }[];
    };
    seen[root] = resources;
    for (const { name, verbs } of resources)
      if (verbs.includes('list')) seen[`${root}/${name}`] = (await session.get(`${root}/${name}`)).body.items;
  }
  return seen;
}

/** Fills a new server: a definition and its object, a quota and what it counts, owners, a Service. */
export async function fill(session: Session): Promise<void> {
  await session.post(crds, definition());
  await session.post(crds, definition('boats'));
  await session.post(quotas, { metadata: { name: 'few' }, spec: { hard: { 'count/configmaps': '3' } } });
  await until(async () => (await session.get(`${quotas}/few`)).body.status?.used !== undefined);
  const { body } = await session.post(configMaps, { metadata: { name: 'owner' } });
  const ownerReferences = [{ apiVersion: 'v1', kind: 'ConfigMap', name: 'owner', uid: body.metadata.uid }];
  await session.post(configMaps, { metadata: { name: 'owned', ownerReferences } });
  const ship = { apiVersion: 'example.com/v1', kind: 'Ship', metadata: { name: 'ship' } };
  const kept = { ...ship, metadata: { ...ship.metadata, finalizers: ['example.com/keep'] } };
  expect((await session.post(ships, kept)).code).toBe(201);
  await session.post(services, {
    metadata: { name: 'web' },
    spec: { type: 'NodePort', clusterIP: '10.0.0.42', ports: [{ port: 80, nodePort: 30_042 }] },
  });
  await until(async () => (await session.get(`${quotas}/few`)).body.status.used['count/configmaps'] === '2');
}
