import { beforeAll, expect, test } from 'vitest';
import { configMaps, crdOf, crdsPath, installCrd, objectOf, pathOf, until } from '../../support/fixtures.ts';
import { normalize, refusal } from '../../support/normalize.ts';
import { onEachServer } from '../../support/on-each-server.ts';
import { asRecorded } from '../../support/recorded.ts';
import { Watcher } from '../../support/watcher.ts';

const hold = 'example.com/hold';
const pods = '/api/v1/namespaces/default/pods';

onEachServer('finalizers and grace', (server) => {
  beforeAll(async () => {
    await installCrd(server.session, crdOf('Final', {}));
  });

  /** Watches one object from its creation. */
  const createAndWatch = async (collection: string, object: any) => {
    const { body } = await server.session.post(collection, object);
    const { name, resourceVersion } = body.metadata;
    const query = `fieldSelector=metadata.name%3D${name}&watch=1&resourceVersion=${resourceVersion}`;
    const watcher = await Watcher.start(server.session, `${collection}?${query}`);
    return { created: body, watcher, path: `${collection}/${name}` };
  };
  const told = ({ events }: Watcher) =>
    events.map(({ type, object: { metadata } }) => ({
      type,
      finalizers: metadata.finalizers ?? [],
      deleting: metadata.deletionTimestamp !== undefined,
      generation: metadata.generation ?? 'none',
      grace: metadata.deletionGracePeriodSeconds ?? 'none',
    }));

  test.each([
    ['ConfigMap', configMaps, { metadata: { name: 'events', finalizers: [hold] } }],
    [
      'custom resource',
      pathOf('Final'),
      { ...objectOf('Final', 'events', {}), metadata: { name: 'events', finalizers: [hold] } },
    ],
  ])('the deleted event of a %s has its last stored state', async (kind, collection, object) => {
    const { watcher, path } = await createAndWatch(collection, object);
    const marked = await server.session.delete(path);
    const again = await server.session.delete(path);
    expect(again.body).toStrictEqual(marked.body);
    const released = await server.session.merge(path, { metadata: { finalizers: null, labels: { a: 'b' } } });
    expect(released.code).toBe(200);
    expect(released.body.metadata.resourceVersion).toBe(marked.body.metadata.resourceVersion);
    expect(released.body.metadata.labels).toStrictEqual({ a: 'b' });
    expect(released.body.metadata.finalizers).toBeUndefined();
    await watcher.until(2);
    const [, deleted] = watcher.events;
    expect(Number(deleted.object.metadata.resourceVersion)).toBeGreaterThan(
      Number(marked.body.metadata.resourceVersion),
    );
    expect(deleted.object.metadata.labels).toBeUndefined();
    const file = `../recorded/finalizers/events-of-${kind.replace(' ', '-')}.yaml`;
    await expect(asRecorded(told(watcher))).toMatchFileSnapshot(file);
    watcher.stop();
  });

  test('an update can remove the last finalizer', async () => {
    const { created, path } = await createAndWatch(configMaps, {
      metadata: { name: 'updated', finalizers: [hold] },
    });
    const { metadata } = (await server.session.delete(path)).body;
    const { finalizers: _, ...rest } = metadata;
    const dry = await server.session.put(`${path}?dryRun=All`, { ...created, metadata: rest });
    expect(dry.code).toBe(200);
    const answer = await server.session.put(path, { ...created, metadata: rest });
    expect([answer.code, answer.body.metadata.resourceVersion]).toStrictEqual([
      200,
      metadata.resourceVersion,
    ]);
    expect((await server.session.get(path)).code).toBe(404);
  });

  test('finalizers of an object that is not deleted can change', async () => {
    const { path } = await createAndWatch(configMaps, { metadata: { name: 'stays', finalizers: [hold] } });
    expect((await server.session.merge(path, { metadata: { finalizers: null } })).code).toBe(200);
    expect((await server.session.get(path)).code).toBe(200);
    const both = await server.session.merge(path, {
      metadata: { finalizers: ['orphan', 'foregroundDeletion'] },
    });
    expect(both.code).toBe(422);
    expect((await server.session.merge(path, { metadata: { finalizers: ['orphan'] } })).code).toBe(200);
    const deleted = await server.session.delete(path);
    expect(deleted.body.metadata.finalizers).toStrictEqual(['orphan']);
  });

  const podOf = (name: string, extra: object = {}, spec: object = {}) => ({
    metadata: { name, ...extra },
    spec: { terminationGracePeriodSeconds: 25, containers: [{ name: 'a', image: 'a' }], ...spec },
  });
  const scheduled = { nodeName: 'node' };

  test.each([
    ['unscheduled', podOf('unscheduled'), ['']],
    ['scheduled', podOf('scheduled', {}, scheduled), ['', '', '?gracePeriodSeconds=0']],
    [
      'shortened',
      podOf('shortened', {}, scheduled),
      [
        '?gracePeriodSeconds=60',
        '?gracePeriodSeconds=90',
        '?gracePeriodSeconds=40',
        '',
        '?gracePeriodSeconds=0',
      ],
    ],
    ['negative', podOf('negative', {}, scheduled), ['?gracePeriodSeconds=-5', '?gracePeriodSeconds=0']],
    ['at-once', podOf('at-once', {}, scheduled), ['?gracePeriodSeconds=0']],
    ['dry', podOf('dry', {}, scheduled), ['?dryRun=All', '?dryRun=All&gracePeriodSeconds=0']],
    [
      'held',
      podOf('held', { finalizers: [hold] }, scheduled),
      ['?gracePeriodSeconds=10', '?propagationPolicy=Foreground', '?gracePeriodSeconds=0', ''],
    ],
    [
      'foreground',
      podOf('foreground', {}, scheduled),
      ['?propagationPolicy=Foreground&gracePeriodSeconds=0', '?propagationPolicy=Background'],
    ],
    ['held-unscheduled', podOf('held-unscheduled', { finalizers: [hold] }), ['', '?gracePeriodSeconds=10']],
  ])('%s pods', async (name, pod, queries) => {
    const { created, watcher, path } = await createAndWatch(pods, pod);
    expect(created.kind).toBe('Pod');
    const answers = [];
    for (const query of queries) {
      const { code, body } = await server.session.delete(`${path}${query}`);
      const { deletionTimestamp, deletionGracePeriodSeconds, generation, finalizers } = body.metadata ?? {};
      answers.push({
        query,
        code,
        kind: body.kind,
        deleting: deletionTimestamp !== undefined,
        grace: deletionGracePeriodSeconds ?? 'none',
        generation: generation ?? 'none',
        finalizers: finalizers ?? [],
        exists: (await server.session.get(path)).code === 200,
      });
    }
    // An event about another pod shows that the watch has caught up.
    await server.session.merge(path, { metadata: { labels: { last: 'yes' } } });
    const isThere = answers.at(-1)?.exists;
    await until(
      async () =>
        watcher.events.at(-1)?.type === 'DELETED' ||
        Boolean(isThere && watcher.events.at(-1)?.object.metadata.labels?.last),
    );
    await expect(asRecorded({ answers, events: told(watcher) })).toMatchFileSnapshot(
      `../recorded/finalizers/pods-${name}.yaml`,
    );
    watcher.stop();
  });

  test('a shorter grace period moves the deletion time forward', async () => {
    const { path } = await createAndWatch(pods, podOf('timed', {}, scheduled));
    const first = (await server.session.delete(`${path}?gracePeriodSeconds=100`)).body.metadata
      .deletionTimestamp;
    const second = (await server.session.delete(`${path}?gracePeriodSeconds=40`)).body.metadata
      .deletionTimestamp;
    expect(Date.parse(first) - Date.parse(second)).toBe(60_000);
  });

  test('pods that have ended are deleted at once', async () => {
    const { path } = await createAndWatch(pods, podOf('ended', {}, scheduled));
    const ended = await server.session.merge(`${path}/status`, { status: { phase: 'Succeeded' } });
    expect(ended.code).toBe(200);
    await server.session.delete(path);
    expect((await server.session.get(path)).code).toBe(404);
  });

  test('a pod in its grace period stays when its finalizers are removed', async () => {
    const pod = podOf('both', { finalizers: [hold] }, scheduled);
    const { path } = await createAndWatch(pods, pod);
    await server.session.delete(path);
    expect((await server.session.merge(path, { metadata: { finalizers: null } })).code).toBe(200);
    expect((await server.session.get(path)).code).toBe(200);
    await server.session.delete(`${path}?gracePeriodSeconds=0`);
    expect((await server.session.get(path)).code).toBe(404);
  });

  const namespaces = '/api/v1/namespaces';

  test('namespaces are finalized on their own endpoint', async () => {
    const body = { metadata: { name: 'final' }, spec: { finalizers: ['example.com/mine'] } };
    const { body: created } = await server.session.post(namespaces, body);
    const path = `${namespaces}/final`;
    const finalize = (finalizers: string[], extra: object = {}) =>
      server.session.put(`${path}/finalize`, {
        apiVersion: 'v1',
        kind: 'Namespace',
        metadata: { name: 'final' },
        spec: { finalizers },
        ...extra,
      });
    const shown = ({ body: { metadata, spec, status } }: any) => ({ name: metadata.name, spec, status });
    const results = [
      shown({ body: created }),
      shown(await server.session.merge(path, { spec: { finalizers: [] } })),
      shown(await finalize(['kubernetes', 'example.com/other'], { status: { phase: 'Terminating' } })),
      refusal(await finalize(['other'])),
      refusal(
        await server.session.post(namespaces, { metadata: { name: 'bad' }, spec: { finalizers: ['x'] } }),
      ),
      shown(await finalize([])),
      (await server.session.get(`${path}/finalize`)).code,
      refusal(await server.session.put(`${namespaces}/missing/finalize`, { metadata: { name: 'missing' } })),
    ];
    expect((await server.session.get(path)).code).toBe(200);
    await expect(asRecorded(results)).toMatchFileSnapshot('../recorded/finalizers/namespaces.yaml');
    await server.session.delete(path);
    await server.session.delete(path);
    expect((await server.session.get(path)).code).toBe(404);
  });

  test('the last finalizer of a deleted namespace', async () => {
    const { watcher, path } = await createAndWatch(namespaces, { metadata: { name: 'last' } });
    const { metadata } = (await server.session.delete(path)).body;
    const object = { apiVersion: 'v1', kind: 'Namespace', metadata, spec: { finalizers: [] } };
    const answer = await server.session.put(`${path}/finalize`, object);
    // A controller that removes namespaces may have been faster.
    expect(answer.code).toBe(200);
    expect(answer.body.metadata.resourceVersion).toBe(metadata.resourceVersion);
    await watcher.until(2);
    expect(watcher.events.map(({ type, object: { spec } }) => [type, spec.finalizers])).toStrictEqual([
      ['MODIFIED', ['kubernetes']],
      ['DELETED', ['kubernetes']],
    ]);
    watcher.stop();
  });

  test('definitions end in steps', async () => {
    const name = 'endings.conformance.example.com';
    await installCrd(server.session, crdOf('Ending', {}));
    await server.session.post(pathOf('Ending'), {
      ...objectOf('Ending', 'held', {}),
      metadata: { name: 'held', finalizers: [hold] },
    });
    const { body } = await server.session.delete(`${crdsPath}/${name}`);
    const { conditions } = body.status;
    expect(body.metadata.deletionGracePeriodSeconds).toBeUndefined();
    expect(body.metadata.generation).toBe(1);
    expect(normalize(conditions.find(({ type }: any) => type === 'Terminating'))).toStrictEqual({
      type: 'Terminating',
      status: 'True',
      reason: 'InstanceDeletionPending',
      message: 'CustomResourceDefinition marked for deletion; CustomResource deletion will begin soon',
    });
    await until(async () => {
      const { metadata } = (await server.session.get(`${pathOf('Ending')}/held`)).body;
      return metadata.deletionTimestamp !== undefined;
    });
    await server.session.merge(`${pathOf('Ending')}/held`, { metadata: { finalizers: null } });
    await until(async () => (await server.session.get(`${crdsPath}/${name}`)).code === 404);
  });
});
