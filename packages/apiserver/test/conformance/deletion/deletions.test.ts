import { expect, test } from 'vitest';
import { configMaps } from '../../support/fixtures.ts';
import { normalize, refusal } from '../../support/normalize.ts';
import { onEachServer } from '../../support/on-each-server.ts';
import { asRecorded } from '../../support/recorded.ts';

onEachServer('deletions', (server) => {
  const create = async (name: string, extra: object = {}) =>
    (await server.session.post(configMaps, { metadata: { name }, ...extra })).body;

  test('a deletion answers with a Status, and the object is gone', async () => {
    const { metadata } = await create('gone');
    expect((await server.session.delete(`${configMaps}/gone`)).body).toStrictEqual({
      kind: 'Status',
      apiVersion: 'v1',
      metadata: {},
      status: 'Success',
      details: { name: 'gone', kind: 'configmaps', uid: metadata.uid },
    });
    expect((await server.session.get(`${configMaps}/gone`)).code).toBe(404);
  });

  test('a deletion of some kinds answers with the object', async () => {
    const path = '/api/v1/namespaces/default/serviceaccounts';
    await server.session.post(path, { metadata: { name: 'account' } });
    expect((await server.session.delete(`${path}/account`)).body).toMatchObject({
      kind: 'ServiceAccount',
      metadata: { name: 'account' },
    });
  });

  test('a deletion waits for finalizers', async () => {
    const path = `${configMaps}/held`;
    await create('held', { metadata: { name: 'held', finalizers: ['example.com/hold'] } });
    const marked = await server.session.delete(path);
    expect(marked.body.metadata).toMatchObject({
      deletionTimestamp: expect.stringMatching(/Z$/),
      deletionGracePeriodSeconds: 0,
      finalizers: ['example.com/hold'],
    });
    expect((await server.session.delete(path)).body).toStrictEqual(marked.body);
    expect(refusal(await server.session.post(configMaps, { metadata: { name: 'held' } }))).toMatchObject({
      code: 409,
      message: 'object is being deleted: configmaps "held" already exists',
    });
    const added = await server.session.merge(path, {
      metadata: { finalizers: ['example.com/hold', 'example.com/new'] },
    });
    await expect(asRecorded(refusal(added))).toMatchFileSnapshot('../recorded/finalizer-of-deleted.yaml');
    const relabeled = await server.session.merge(path, {
      metadata: { deletionTimestamp: null, labels: { a: 'b' } },
    });
    expect(relabeled.body.metadata.deletionTimestamp).toBe(marked.body.metadata.deletionTimestamp);
    const released = await server.session.merge(path, { metadata: { finalizers: null } });
    expect(released.code).toBe(200);
    expect(released.body.metadata.resourceVersion).toBe(relabeled.body.metadata.resourceVersion);
    expect((await server.session.get(path)).code).toBe(404);
  });

  test('a deletion checks preconditions', async () => {
    const { metadata } = await create('checked');
    const path = `${configMaps}/checked`;
    expect(refusal(await server.session.delete(path, { preconditions: { uid: 'zz' } }))).toMatchObject({
      code: 409,
      message: `Operation cannot be fulfilled on ConfigMap "checked": the UID in the precondition (zz) does not match the UID in record (${metadata.uid}). The object might have been deleted and then recreated`,
    });
    expect(
      refusal(await server.session.delete(path, { preconditions: { resourceVersion: '1' } })),
    ).toMatchObject({
      code: 409,
      message: `Operation cannot be fulfilled on ConfigMap "checked": the ResourceVersion in the precondition (1) does not match the ResourceVersion in record (${metadata.resourceVersion}). The object might have been modified`,
    });
    const { uid, resourceVersion } = metadata;
    expect((await server.session.delete(path, { preconditions: { uid, resourceVersion } })).code).toBe(200);
  });

  test('propagation policies leave finalizers for the garbage collector', async () => {
    await create('orphaned');
    const answer = await server.session.delete(`${configMaps}/orphaned?propagationPolicy=Orphan`);
    expect(answer.body.metadata.finalizers).toStrictEqual(['orphan']);
  });

  test('a deletion of a collection answers with the deleted objects, by selector', async () => {
    const path = '/api/v1/namespaces/kube-public/configmaps';
    for (const name of ['c1', 'c2', 'c3']) {
      await server.session.post(path, { metadata: { name, labels: { keep: name === 'c2' ? 'yes' : 'no' } } });
    }
    const answer = await server.session.delete(`${path}?labelSelector=keep%3Dno`);
    expect(answer.body).toMatchObject({
      kind: 'ConfigMapList',
      items: [{ metadata: { name: 'c1' } }, { metadata: { name: 'c3' } }],
    });
    const left = await server.session.get(path);
    expect(
      left.body.items.map((item: any) => item.metadata.name).filter((name: string) => /^c\d$/.test(name)),
    ).toStrictEqual(['c2']);
  });

  test('namespaces end in steps, and the initial ones stay', async () => {
    await server.session.post('/api/v1/namespaces', { metadata: { name: 'ending' } });
    const answer = await server.session.delete('/api/v1/namespaces/ending');
    expect(normalize(answer.body)).toStrictEqual({
      apiVersion: 'v1',
      kind: 'Namespace',
      metadata: { name: 'ending', labels: { 'kubernetes.io/metadata.name': 'ending' } },
      spec: { finalizers: ['kubernetes'] },
      status: { phase: 'Terminating' },
    });
    expect(refusal(await server.session.delete('/api/v1/namespaces/kube-system'))).toStrictEqual({
      code: 403,
      reason: 'Forbidden',
      message: 'namespaces "kube-system" is forbidden: this namespace may not be deleted',
    });
    expect((await server.session.delete('/api/v1/namespaces')).code).toBe(405);
  });
});
