import { fileURLToPath } from 'node:url';
import { type KubernetesObject, defineKind } from 'ots-kubernetes';
import { ConfigMap } from 'ots-kubernetes/core/v1';
import { expect, onTestFinished, test } from 'vitest';
import { apiServerFixture } from '../../test/api-server-fixture.ts';
import { Thing, thing, thingCrds } from '../../test/thing.ts';
import { ControllerBuilder } from '../controller/controller-builder.ts';
import { createLogger } from '../logging/create-logger.ts';
import { createOrPatch } from '../create-or-update/create-or-patch.ts';
import { Transport } from '../transport/transport.ts';
import { waitFor } from '../waiting/wait-for.ts';
import { Client } from './client.ts';

interface Bare extends KubernetesObject {
  apiVersion: 'example.com/v1';
  kind: 'Bare';
  status?: { size?: number };
}

/** A kind whose CustomResourceDefinition has no subresource. */
const Bare = defineKind<Bare>({
  apiVersion: 'example.com/v1',
  kind: 'Bare',
  plural: 'bares',
  scope: 'Namespaced',
});

const crds = fileURLToPath(new URL('../../test/bare-crds', import.meta.url));
const server = apiServerFixture(thingCrds, crds);
const noStatus = {
  code: 'NO_SUBRESOURCE',
  message: 'Bare (example.com/v1) has no status subresource',
  hint: 'Add @subresource status to the type, then run npm run manifests and npm run install:crds.',
};

async function bare(name: string): Promise<{ name: string; namespace: string }> {
  const key = { name, namespace: await server.createNamespace() };
  await server.client.create(Bare, { apiVersion: 'example.com/v1', kind: 'Bare', metadata: key });
  return key;
}

test('a write of a status that the kind does not have says so, however it is written', async () => {
  const { client } = server;
  const key = await bare('written');
  const status = { size: 1 };
  const object = await client.getOrThrow(Bare, key);
  const writes = [
    () => client.status.update(Bare, { ...object, status }),
    () => client.status.patch(Bare, key, { status }),
    () => client.status.patch(Bare, object, (draft) => void (draft.status = status)),
    () => client.status.apply(Bare, { metadata: key, status }, { fieldOwner: 'test' }),
    () => client.status.get(Bare, key),
    () => createOrPatch(client, Bare, key, (draft) => void (draft.status = status)),
  ];
  for (const write of writes) await expect(write()).rejects.toMatchObject(noStatus);
});

test('the same holds for scale and every other subresource, and for kinds of Kubernetes', async () => {
  const { client } = server;
  const key = await bare('scaled');
  await expect(client.scale.patch(Bare, key, { spec: { replicas: 1 } })).rejects.toMatchObject({
    message: 'Bare (example.com/v1) has no scale subresource',
    hint: expect.stringMatching(
      /^Add @scale to the type, then run npm run manifests and npm run install:crds\.$/,
    ),
  });
  await expect(client.subresource('approval').get(Bare, key)).rejects.toMatchObject({
    message: 'Bare (example.com/v1) has no approval subresource',
    hint: 'A custom kind can have the subresources status and scale, and no others.',
  });
  const metadata = { name: 'map', namespace: key.namespace };
  await client.create(ConfigMap, { apiVersion: 'v1', kind: 'ConfigMap', metadata });
  await expect(client.subresource('status').patch(ConfigMap, metadata, {})).rejects.toMatchObject({
    message: 'ConfigMap (v1) has no status subresource',
    hint: 'Write the object itself: Kubernetes defines which subresources its own kinds have.',
  });
});

test('the status of a deleted object is a different error', async () => {
  const namespace = await server.createNamespace();
  const patch = server.client.status.patch(Thing, { name: 'gone', namespace }, { status: { size: 1 } });
  await expect(patch).rejects.toMatchObject({
    reason: 'NotFound',
    details: { name: 'gone' },
    hint: 'Check the name and the namespace: the object does not exist.',
  });
});

test('discovery is requested once, however many writes fail', async () => {
  let exchanges = 0;
  const observer = { exchanged: () => (exchanges += 1), retried: () => {} };
  const transport = new Transport(server.config, { observer });
  onTestFinished(() => transport.close());
  const client = new Client(transport);
  const key = await bare('often');
  const write = (): Promise<unknown> => client.status.patch(Bare, key, { status: { size: 1 } });
  const results = await Promise.allSettled([write(), write(), write()]);
  results.push(...(await Promise.allSettled([write()])));
  expect(
    results.map((result) => (result.status === 'rejected' ? (result.reason as Error).message : '')),
  ).toEqual(Array(4).fill(noStatus.message));
  expect(exchanges).toBe(5);
});

test('a reconciler that writes such a status fails at once, and not as if the object had changed', async () => {
  const key = await bare('reconciled');
  const lines: string[] = [];
  const logger = createLogger({
    level: 'debug',
    format: 'json',
    stream: { write: (line) => lines.push(line) },
  });
  const manager = await server.createManager(key.namespace, { logger });
  new ControllerBuilder(manager).for(Bare).complete({
    reconcile: async (request) =>
      void (await manager.client.status.patch(Bare, request, { status: { size: 1 } })),
  });
  void manager.start();
  onTestFinished(() => manager.stop());
  const failed = (): { level: string; err?: { message: string } } | undefined =>
    lines.map((line) => JSON.parse(line)).find(({ msg }) => msg === 'reconcile failed; retrying');
  await waitFor(() => failed() !== undefined);
  expect(failed()).toMatchObject({ level: 'error', attempt: 1, err: noStatus });
  expect(lines.join('')).not.toContain('has changed');
});

test('a reconciler that writes to a deleted object learns that it is gone', async () => {
  const namespace = await server.createNamespace();
  const lines: string[] = [];
  const logger = createLogger({
    level: 'debug',
    format: 'json',
    stream: { write: (line) => lines.push(line) },
  });
  const manager = await server.createManager(namespace, { logger });
  let attempts = 0;
  new ControllerBuilder(manager).for(Thing).complete({
    reconcile: async () => {
      attempts += 1;
      if (attempts > 1) return;
      await manager.client.status.patch(Thing, { name: 'gone', namespace }, { status: { size: 1 } });
    },
  });
  void manager.start();
  onTestFinished(() => manager.stop());
  await manager.ready;
  await server.client.create(Thing, { ...thing('there'), metadata: { name: 'there', namespace } });
  await waitFor(() => attempts === 2);
  const line = lines
    .map((text) => JSON.parse(text))
    .find(({ reason }) => String(reason).includes('not found'));
  expect(line).toMatchObject({
    level: 'debug',
    msg: 'an object to write no longer exists; retrying',
    reason: 'things.example.com "gone" not found',
  });
});
