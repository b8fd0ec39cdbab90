import { beforeAll, expect, test } from 'vitest';
import { configMaps, crdOf, crdsPath, installCrd, objectOf, pathOf, until } from '../../support/fixtures.ts';
import { normalize } from '../../support/normalize.ts';
import { onEachServer } from '../../support/on-each-server.ts';
import { Watcher } from '../../support/watcher.ts';

const namespaces = '/api/v1/namespaces';

/** The controllers behave like those of kube-controller-manager: both run the same cases. */
onEachServer('controllers', { controllers: true }, (server) => {
  beforeAll(async () => {
    await installCrd(server.session, crdOf('Owner', {}));
    await untilCollected('Owner');
  });

  const create = async (name: string, owners: object[] = [], extra: object = {}, path = configMaps) => {
    const { code, body } = await server.session.post(path, {
      metadata: { name, ownerReferences: owners, ...extra },
    });
    expect([code, body.message]).toStrictEqual([201, undefined]);
    return ownerOf(body);
  };
  const createOwner = async (name: string, kind = 'Owner') =>
    ownerOf((await server.session.post(pathOf(kind), objectOf(kind, name, {}))).body);
  /** The garbage collector of a real cluster discovers a new kind after a while: its first collection proves that it did. */
  const untilCollected = async (kind: string) => {
    await create('probed', [await createOwner('probe', kind)]);
    await server.session.delete(`${pathOf(kind)}/probe`);
    await gone(`${configMaps}/probed`);
  };
  const ownerOf = ({ apiVersion, kind, metadata: { name, uid } }: any) => ({ apiVersion, kind, name, uid });
  const blocking = (owner: object) => ({ ...owner, blockOwnerDeletion: true });
  /** @returns the status code once the object is gone */
  const gone = async (path: string) => {
    await until(async () => (await server.session.get(path)).code === 404);
    return 404;
  };
  const ownersOf = async (name: string) =>
    ((await server.session.get(`${configMaps}/${name}`)).body.metadata.ownerReferences ?? []).map(
      (owner: any) => owner.name,
    );
  /** Waits until the garbage collector has deleted another object, and so everything that was due before it. */
  const settled = async () => {
    const owner = await create('marker');
    await create('marked', [owner]);
    await server.session.delete(`${configMaps}/marker`);
    await gone(`${configMaps}/marked`);
  };

  test('the garbage collector deletes the dependents of a deleted object, and theirs', async () => {
    const top = await createOwner('top');
    const middle = await create('middle', [top]);
    await create('bottom', [middle]);
    await server.session.delete(`${pathOf('Owner')}/top`);
    for (const name of ['middle', 'bottom']) expect(await gone(`${configMaps}/${name}`)).toBe(404);
  });

  test('an owner that never existed or was replaced counts as absent', async () => {
    const owner = await create('reborn');
    await create('of-missing', [{ ...owner, name: 'missing' }]);
    await create('of-another', [{ ...owner, uid: 'another' }]);
    await gone(`${configMaps}/of-missing`);
    await gone(`${configMaps}/of-another`);
    expect((await server.session.get(`${configMaps}/reborn`)).code).toBe(200);
  });

  test('an owner in another namespace counts as absent', async () => {
    await server.session.post(namespaces, { metadata: { name: 'elsewhere' } });
    const owner = await create('far', [], {}, `${namespaces}/elsewhere/configmaps`);
    const near = await create('near', [owner]);
    expect(await gone(`${configMaps}/near`)).toBe(404);

    const query = 'fieldSelector=reason%3DOwnerRefInvalidNamespace';
    const events = async () =>
      (await server.session.get(`${namespaces}/default/events?${query}`)).body.items as any[];
    await until(async () => (await events()).length > 0);
    const [{ metadata, firstTimestamp, lastTimestamp, ...event }, ...more] = await events();
    expect(more).toStrictEqual([]);
    expect(metadata.name).toMatch(/^near\.[0-9a-f]{16}$/);
    expect(lastTimestamp).toBe(firstTimestamp);
    const seen = `[v1/ConfigMap, namespace: default, name: far, uid: ${owner.uid}]`;
    expect(event).toStrictEqual({
      involvedObject: { ...near, namespace: 'default' },
      reason: 'OwnerRefInvalidNamespace',
      message: `ownerRef ${seen} does not exist in namespace "default"`,
      source: { component: 'garbage-collector-controller' },
      type: 'Warning',
      count: 1,
      eventTime: null,
      reportingComponent: 'garbage-collector-controller',
      reportingInstance: '',
    });
  });

  test('dependents in every namespace find a cluster-scoped owner', async () => {
    const { body } = await server.session.post(namespaces, { metadata: { name: 'owning' } });
    await create('of-namespace', [ownerOf(body)]);
    await settled();
    expect((await server.session.get(`${configMaps}/of-namespace`)).code).toBe(200);
    await server.session.delete(`${namespaces}/owning`);
    await gone(`${configMaps}/of-namespace`);
  });

  test('an object with another owner stays and loses the reference to the deleted one', async () => {
    const [first, second] = [await create('first'), await create('second')];
    await create('shared', [first, second]);
    await server.session.delete(`${configMaps}/first`);
    await until(async () => (await ownersOf('shared')).length === 1);
    expect(await ownersOf('shared')).toStrictEqual(['second']);
    await server.session.delete(`${configMaps}/second`);
    await gone(`${configMaps}/shared`);
  });

  test('an owner of an unknown kind keeps its object', async () => {
    const unknown = { apiVersion: 'nowhere.example.com/v1', kind: 'Nothing', name: 'a', uid: 'b' };
    await create('of-unknown', [unknown]);
    await settled();
    expect((await server.session.get(`${configMaps}/of-unknown`)).code).toBe(200);
  });

  test('orphans stay and lose the reference', async () => {
    const [owner, other] = [await create('leaving'), await create('staying')];
    await create('orphan-a', [owner]);
    await create('orphan-b', [owner, other]);
    await server.session.delete(`${configMaps}/leaving?propagationPolicy=Orphan`);
    await gone(`${configMaps}/leaving`);
    expect(await ownersOf('orphan-a')).toStrictEqual([]);
    expect(await ownersOf('orphan-b')).toStrictEqual(['staying']);
    const { metadata } = (await server.session.get(`${configMaps}/orphan-a`)).body;
    expect(JSON.stringify(metadata)).not.toContain('ownerReferences');
  });

  test('an owner without dependents is deleted with every propagation policy', async () => {
    for (const policy of ['Orphan', 'Foreground', 'Background']) {
      await create('alone');
      await server.session.delete(`${configMaps}/alone?propagationPolicy=${policy}`);
      expect(await gone(`${configMaps}/alone`)).toBe(404);
    }
  });

  test('in the foreground, the owner waits for dependents that block it', async () => {
    const owner = await createOwner('waiting');
    const hold = { finalizers: ['example.com/hold'] };
    await create('blocks', [blocking(owner)], hold);
    await create('free', [owner]);
    await server.session.delete(`${pathOf('Owner')}/waiting?propagationPolicy=Foreground`);
    await gone(`${configMaps}/free`);
    await until(async () => {
      const { metadata } = (await server.session.get(`${configMaps}/blocks`)).body;
      return metadata.deletionTimestamp !== undefined;
    });
    expect((await server.session.get(`${pathOf('Owner')}/waiting`)).body.metadata.finalizers).toStrictEqual([
      'foregroundDeletion',
    ]);
    await server.session.merge(`${configMaps}/blocks`, { metadata: { finalizers: null } });
    await gone(`${pathOf('Owner')}/waiting`);
  });

  test('a dependent with a finalizer that does not block does not delay its owner', async () => {
    const owner = await create('unblocked');
    await create('held-free', [owner], { finalizers: ['example.com/hold'] });
    await server.session.delete(`${configMaps}/unblocked?propagationPolicy=Foreground`);
    await gone(`${configMaps}/unblocked`);
    expect((await server.session.get(`${configMaps}/held-free`)).code).toBe(200);
    await server.session.merge(`${configMaps}/held-free`, { metadata: { finalizers: null } });
    await gone(`${configMaps}/held-free`);
  });

  test('an owner is deleted once its dependent stops blocking', async () => {
    const owner = await create('let-go');
    const hold = { finalizers: ['example.com/hold'] };
    await create('lets-go', [blocking(owner)], hold);
    await server.session.delete(`${configMaps}/let-go?propagationPolicy=Foreground`);
    await settled();
    expect((await server.session.get(`${configMaps}/let-go`)).code).toBe(200);
    await server.session.merge(`${configMaps}/lets-go`, { metadata: { ownerReferences: null } });
    await gone(`${configMaps}/let-go`);
    await server.session.merge(`${configMaps}/lets-go`, { metadata: { finalizers: null } });
  });

  test('in the foreground, each generation waits for the next', async () => {
    const top = await create('grandparent');
    const middle = await create('parent', [blocking(top)]);
    await create('child', [blocking(middle)], { finalizers: ['example.com/hold'] });
    await server.session.delete(`${configMaps}/grandparent?propagationPolicy=Foreground`);
    await until(async () => {
      const { metadata } = (await server.session.get(`${configMaps}/child`)).body;
      return metadata.deletionTimestamp !== undefined;
    });
    expect((await server.session.get(`${configMaps}/parent`)).body.metadata.finalizers).toContain(
      'foregroundDeletion',
    );
    await server.session.merge(`${configMaps}/child`, { metadata: { finalizers: null } });
    for (const name of ['parent', 'grandparent']) await gone(`${configMaps}/${name}`);
  });

  test('objects that own each other are deleted together', async () => {
    const left = await create('left');
    const right = await create('right', [blocking(left)]);
    await server.session.merge(`${configMaps}/left`, { metadata: { ownerReferences: [blocking(right)] } });
    await server.session.delete(`${configMaps}/left?propagationPolicy=Foreground`);
    for (const name of ['left', 'right']) expect(await gone(`${configMaps}/${name}`)).toBe(404);
  });

  test('deleting a definition deletes its objects and what they own', async () => {
    await installCrd(server.session, crdOf('Shortlived', {}));
    await untilCollected('Shortlived');
    await create('of-shortlived', [await createOwner('a', 'Shortlived')]);
    await server.session.delete(`${crdsPath}/shortliveds.conformance.example.com`);
    expect(await gone(`${configMaps}/of-shortlived`)).toBe(404);
  }, 90_000);

  test('deleting a namespace deletes everything in it', async () => {
    await server.session.post(namespaces, { metadata: { name: 'ending' } });
    const inside = `${namespaces}/ending/configmaps`;
    await create('a', [], {}, inside);
    const from = (await server.session.get(namespaces)).body.metadata.resourceVersion;
    const query = `watch=1&fieldSelector=metadata.name%3Dending&resourceVersion=${from}`;
    const watcher = await Watcher.start(server.session, `${namespaces}?${query}`);
    await server.session.delete(`${namespaces}/ending`);
    await gone(`${namespaces}/ending`);
    expect((await server.session.get(inside)).body.items).toStrictEqual([]);
    await watcher.until(3);
    watcher.stop();
    expect(watcher.summary()).toStrictEqual(['MODIFIED ending', 'MODIFIED ending', 'DELETED ending']);
    expect(normalize(watcher.events[1].object.status)).toStrictEqual({
      phase: 'Terminating',
      conditions: [
        condition(
          'NamespaceDeletionDiscoveryFailure',
          'ResourcesDiscovered',
          'All resources successfully discovered',
        ),
        condition(
          'NamespaceDeletionGroupVersionParsingFailure',
          'ParsedGroupVersions',
          'All legacy kube types successfully parsed',
        ),
        condition(
          'NamespaceDeletionContentFailure',
          'ContentDeleted',
          'All content successfully deleted, may be waiting on finalization',
        ),
        condition('NamespaceContentRemaining', 'ContentRemoved', 'All content successfully removed'),
        condition(
          'NamespaceFinalizersRemaining',
          'ContentHasNoFinalizers',
          'All content-preserving finalizers finished',
        ),
      ],
    });
  }, 60_000);
  const condition = (type: string, reason: string, message: string, status = 'False') => ({
    type,
    status,
    reason,
    message,
  });

  test('the conditions of a namespace name what it waits for', async () => {
    await server.session.post(namespaces, { metadata: { name: 'stuck' } });
    const inside = `${namespaces}/stuck`;
    const hold = { finalizers: ['example.com/hold'] };
    await create('held', [], hold, `${inside}/configmaps`);
    await create('held', [], hold, `${inside}/secrets`);
    await server.session.delete(inside);
    const conditionOf = async (type: string) =>
      (await server.session.get(inside)).body.status.conditions?.find((item: any) => item.type === type);
    await until(async () => (await conditionOf('NamespaceContentRemaining'))?.status === 'True');
    expect(normalize(await conditionOf('NamespaceContentRemaining'))).toStrictEqual(
      condition(
        'NamespaceContentRemaining',
        'SomeResourcesRemain',
        'Some resources are remaining: configmaps. has 1 resource instances, secrets. has 1 resource instances',
        'True',
      ),
    );
    expect(normalize(await conditionOf('NamespaceFinalizersRemaining'))).toStrictEqual(
      condition(
        'NamespaceFinalizersRemaining',
        'SomeFinalizersRemain',
        'Some content in the namespace has finalizers remaining: example.com/hold in 2 resource instances',
        'True',
      ),
    );
    const { managedFields } = (await server.session.get(inside)).body.metadata;
    expect(managedFields).toMatchObject([
      { manager: 'conformance' },
      { manager: 'kube-controller-manager', operation: 'Update', subresource: 'status' },
    ]);
    for (const plural of ['configmaps', 'secrets'])
      await server.session.merge(`${inside}/${plural}/held`, { metadata: { finalizers: null } });
    await gone(inside);
  }, 60_000);

  test('pods are deleted first', async () => {
    await server.session.post(namespaces, { metadata: { name: 'busy' } });
    const inside = `${namespaces}/busy`;
    const spec = {
      nodeName: 'node',
      terminationGracePeriodSeconds: 1,
      containers: [{ name: 'a', image: 'a' }],
    };
    await server.session.post(`${inside}/pods`, { metadata: { name: 'running' }, spec });
    await create('needed', [], {}, `${inside}/configmaps`);
    await server.session.delete(inside);
    await until(async () => {
      const { metadata } = (await server.session.get(`${inside}/pods/running`)).body;
      return metadata.deletionTimestamp !== undefined;
    });
    expect((await server.session.get(`${inside}/configmaps/needed`)).code).toBe(200);
    await server.session.delete(`${inside}/pods/running?gracePeriodSeconds=0`);
    await gone(inside);
  }, 60_000);

  test('a custom finalizer keeps an empty namespace', async () => {
    const body = { metadata: { name: 'mine', finalizers: ['example.com/mine'] } };
    await server.session.post(namespaces, body);
    await server.session.delete(`${namespaces}/mine`);
    await until(async () => {
      const { spec } = (await server.session.get(`${namespaces}/mine`)).body;
      return spec.finalizers === undefined;
    });
    await server.session.merge(`${namespaces}/mine`, { metadata: { finalizers: null } });
    expect(await gone(`${namespaces}/mine`)).toBe(404);
  }, 60_000);

  test('every namespace has a service account and the root certificates', async () => {
    await server.session.post(namespaces, { metadata: { name: 'furnished' } });
    const account = `${namespaces}/furnished/serviceaccounts/default`;
    const certificates = `${namespaces}/furnished/configmaps/kube-root-ca.crt`;
    for (const path of [account, certificates])
      await until(async () => (await server.session.get(path)).code === 200);
    const { data } = (await server.session.get(certificates)).body;
    expect(data).toStrictEqual({ 'ca.crt': server.environment.config.caData ?? '' });
    await server.session.merge(certificates, { data: { 'ca.crt': 'mine' } });
    await until(async () => (await server.session.get(certificates)).body.data['ca.crt'] !== 'mine');
    const { uid } = (await server.session.get(account)).body.metadata;
    await server.session.delete(account);
    await until(
      async () => ![undefined, uid].includes((await server.session.get(account)).body.metadata?.uid),
    );
  });
});
