import { expect, test } from 'vitest';
import { onEachServer } from '../../../../apiserver/test/support/on-each-server.ts';
import { shownPod } from '../../support/shown.ts';
import { Story } from '../../support/story.ts';

const watched = [
  { group: 'apis/apps/v1', resource: 'statefulsets' },
  { group: 'apis/apps/v1', resource: 'controllerrevisions' },
  { group: 'api/v1', resource: 'persistentvolumeclaims' },
];
const core = 'api/v1';
const labels = { app: 'db' };
const podTemplate = (image = 'db:1') => ({
  metadata: { labels },
  spec: { containers: [{ name: 'db', image }] },
});
const statefulSet = (replicas: number, spec: object = {}) => ({
  metadata: { name: 'db' },
  spec: { replicas, serviceName: 'db', selector: { matchLabels: labels }, template: podTemplate(), ...spec },
});
/** Its claims ask for a volume that does not exist: no other controller acts on them. */
const claimTemplate = (name: string, metadata: object = {}) => ({
  metadata: { name, ...metadata },
  spec: {
    accessModes: ['ReadWriteOnce'],
    resources: { requests: { storage: '1Gi' } },
    storageClassName: '',
    volumeName: 'missing',
  },
});
const retention = (whenDeleted: string, whenScaled: string) => ({
  persistentVolumeClaimRetentionPolicy: { whenDeleted, whenScaled },
});
const newImage = (image: string) => ({ spec: { template: podTemplate(image) } });

/** The real server keeps the text of data, which must not change. A strategic patch sorts its keys. */
const orphanData = {
  spec: {
    template: {
      $patch: 'replace',
      metadata: { labels },
      spec: { containers: [{ image: 'orphan:1', name: 'db' }] },
    },
  },
};

/** A story of the StatefulSet `db`, whose pods have names that the test knows. */
class StatefulStory {
  readonly step: Story['step'];
  readonly #story: Story;

  constructor(story: Story) {
    this.#story = story;
    this.step = story.step.bind(story);
  }

  create(spec: object): Promise<unknown> {
    return this.#story.create('statefulsets', spec);
  }

  change(patch: object): Promise<unknown> {
    return this.#story.patch('statefulsets', 'db', patch);
  }

  async get(): Promise<any> {
    return (await this.#story.list('statefulsets'))[0];
  }

  /** Binds a pod to a node, where a deletion waits for the kubelet. */
  bind(pod: string): Promise<unknown> {
    const binding = { metadata: { name: pod }, target: { kind: 'Node', name: 'node-a' } };
    return this.#story.create(`pods/${pod}/binding`, binding, core);
  }

  /** A pod runs on a node and is ready. */
  async ready(...pods: string[]): Promise<void> {
    for (const name of pods) {
      const pod = (await this.#story.pods()).find(({ metadata }) => metadata.name === name);
      if (!pod.spec.nodeName) await this.bind(name);
      await this.report(name, 'Running', true);
    }
  }

  unready(pod: string): Promise<void> {
    return this.report(pod, 'Running', false);
  }

  report(pod: string, phase: string, ready: boolean): Promise<void> {
    return this.#story.report({ metadata: { name: pod } }, phase, { Ready: ready });
  }

  /** Deletes a pod at once, or removes one that has stopped. */
  remove(pod: string): Promise<unknown> {
    return this.#story.delete('pods', pod, { group: core, gracePeriodSeconds: 0 });
  }

  changePod(pod: string, patch: object): Promise<unknown> {
    return this.#story.patch('pods', pod, patch, core);
  }

  createPod(pod: object): Promise<unknown> {
    return this.#story.create('pods', pod, core);
  }

  createClaim(claim: object): Promise<unknown> {
    return this.#story.create('persistentvolumeclaims', claim, core);
  }

  /** Deletes a claim that no pod with a node uses. */
  async removeClaim(name: string): Promise<void> {
    await this.#story.delete('persistentvolumeclaims', name, { group: core });
    await this.claimIsGone(name);
  }

  /** Waits until a claim that is being deleted is no longer protected. */
  async claimIsGone(name: string): Promise<void> {
    await this.#story.until(async () =>
      (await this.#story.list('persistentvolumeclaims', core)).every(
        ({ metadata }) => metadata.name !== name,
      ),
    );
  }

  createRevision(revision: object): Promise<unknown> {
    return this.#story.create('controllerrevisions', revision);
  }

  delete(): Promise<unknown> {
    return this.#story.delete('statefulsets', 'db');
  }

  /** Deletes the set and leaves its pods. */
  orphan(): Promise<unknown> {
    return this.#story.delete('statefulsets', 'db', { propagationPolicy: 'Orphan' });
  }

  recorded(): string {
    return this.#story.recorded();
  }
}

const form = {
  // A reconcile that does not see its deletion yet repeats it. Each reconcile warns about conflicts.
  uncounted: ['SuccessfulDelete', 'ConflictingController'],
  showPod: (pod: any) => {
    const { hostname, subdomain, volumes } = pod.spec;
    return Object.assign(shownPod(pod) as object, { hostname, subdomain, volumes });
  },
};
const options = { recordRequests: true, controllers: { garbageCollector: true } };

onEachServer('StatefulSets', { ...options, workloads: { nodes: 0 } }, (server) => {
  const begin = async (namespace: string) =>
    new StatefulStory(await Story.begin(server, namespace, watched, form));

  test('pods start and stop in the order of their ordinals, each with its identity', async () => {
    const story = await begin('ordered');
    await story.step('create', () => story.create(statefulSet(3)));
    await story.step('the first pod is ready', () => story.ready('db-0'));
    await story.step('the second pod runs', () => story.bind('db-1'));
    await story.step('the second pod is ready', () => story.ready('db-1'));
    await story.step('the third pod is ready', () => story.ready('db-2'));
    await story.step('scale down', () => story.change({ spec: { replicas: 1 } }));
    await story.step('the third pod stops', () => story.remove('db-2'));
    await story.step('the second pod stops', () => story.remove('db-1'));
    await story.step('scale to zero', () => story.change({ spec: { replicas: 0 } }));
    await story.step('the first pod stops', () => story.remove('db-0'));
    await expect(story.recorded()).toMatchFileSnapshot('recorded/ordered.yaml');
  });

  test('scaling halts while a pod is not ready', async () => {
    const story = await begin('halted');
    await story.step('create', () => story.create(statefulSet(1)));
    await story.step('the first pod is ready', () => story.ready('db-0'));
    await story.step('it is no longer', () => story.unready('db-0'));
    await story.step('scale up', () => story.change({ spec: { replicas: 3 } }));
    await story.step('ready again', () => story.ready('db-0'));
    await story.step('the second pod is ready', () => story.ready('db-1'));
    await story.step('the third pod is ready', () => story.ready('db-2'));
    await story.step('the first pod is not ready', () => story.unready('db-0'));
    await story.step('scale down', () => story.change({ spec: { replicas: 0 } }));
    await story.step('the first pod is ready once more', () => story.ready('db-0'));
    await expect(story.recorded()).toMatchFileSnapshot('recorded/halted.yaml');
  });

  test('parallel pods start and stop at once, ready or not', async () => {
    const story = await begin('parallel');
    const spec = { podManagementPolicy: 'Parallel' };
    await story.step('create', () => story.create(statefulSet(3, spec)));
    await story.step('one pod is ready', () => story.ready('db-2'));
    await story.step('scale up', () => story.change({ spec: { replicas: 4 } }));
    // Two at a time: the real controller deletes more of them in any order.
    await story.step('scale down', () => story.change({ spec: { replicas: 2 } }));
    await story.step('the third pod stops', () => story.remove('db-2'));
    await expect(story.recorded()).toMatchFileSnapshot('recorded/parallel.yaml');
  });

  test('a rolling update replaces pods from the last to the first, and a rollback reuses the revision', async () => {
    const story = await begin('updated');
    const spec = { podManagementPolicy: 'Parallel', updateStrategy: { type: 'RollingUpdate' } };
    await story.step('create', () => story.create(statefulSet(3, spec)));
    await story.step('all pods are ready', () => story.ready('db-0', 'db-1', 'db-2'));
    await story.step('a new image', () => story.change(newImage('db:2')));
    await story.step('delete the first pod, which keeps its revision', () => story.remove('db-0'));
    await story.step('the first pod is ready', () => story.ready('db-0'));
    for (const name of ['db-2', 'db-1', 'db-0']) {
      await story.step(`${name} stops`, () => story.remove(name));
      await story.step(`${name} is ready again`, () => story.ready(name));
    }
    await story.step('roll back', () => story.change(newImage('db:1')));
    await story.step('the last pod stops again', () => story.remove('db-2'));
    await expect(story.recorded()).toMatchFileSnapshot('recorded/updated.yaml');
  });

  test('a partition makes a canary, and moving it rolls the update out in phases', async () => {
    const story = await begin('canary');
    const partition = (count: number) => ({
      updateStrategy: { type: 'RollingUpdate', rollingUpdate: { partition: count } },
    });
    await story.step('create', () => story.create(statefulSet(3, partition(3))));
    await story.step('the first pod is ready', () => story.ready('db-0'));
    await story.step('the second pod is ready', () => story.ready('db-1'));
    await story.step('all pods are ready', () => story.ready('db-2'));
    await story.step('a new image that no pod gets', () => story.change(newImage('db:2')));
    await story.step('a canary', () => story.change({ spec: partition(2) }));
    await story.step('the last pod stops', () => story.remove('db-2'));
    await story.step('the canary is ready', () => story.ready('db-2'));
    await story.step('delete the first pod', () => story.remove('db-0'));
    await story.step('it keeps its revision', () => story.ready('db-0'));
    await story.step('all pods', () => story.change({ spec: partition(0) }));
    await story.step('the second pod stops', () => story.remove('db-1'));
    await story.step('the second pod is ready', () => story.ready('db-1'));
    await story.step('the first pod stops', () => story.remove('db-0'));
    await story.step('the update is complete', () => story.ready('db-0'));
    await expect(story.recorded()).toMatchFileSnapshot('recorded/canary.yaml');
  });

  test('with OnDelete pods get the new template when they are deleted', async () => {
    const story = await begin('on-delete');
    const spec = { updateStrategy: { type: 'OnDelete' } };
    await story.step('create', () => story.create(statefulSet(2, spec)));
    await story.step('the first pod is ready', () => story.ready('db-0'));
    await story.step('the second pod is ready', () => story.ready('db-1'));
    await story.step('a new image', () => story.change(newImage('db:2')));
    await story.step('delete the first pod', () => story.remove('db-0'));
    await story.step('the first pod is ready again', () => story.ready('db-0'));
    await story.step('delete the second pod', () => story.remove('db-1'));
    await story.step('both have the new image', () => story.ready('db-1'));
    await expect(story.recorded()).toMatchFileSnapshot('recorded/on-delete.yaml');
  });

  test('a broken rollout waits for its pod, also after the template is repaired', async () => {
    const story = await begin('broken');
    await story.step('create', () => story.create(statefulSet(2)));
    await story.step('the first pod is ready', () => story.ready('db-0'));
    await story.step('the second pod is ready', () => story.ready('db-1'));
    await story.step('a broken image', () => story.change(newImage('broken:1')));
    await story.step('the second pod stops', () => story.remove('db-1'));
    await story.step('its successor does not get ready', () => story.bind('db-1'));
    await story.step('a repaired image', () => story.change(newImage('db:3')));
    await story.step('delete the broken pod', () => story.remove('db-1'));
    await story.step('the second pod is ready again', () => story.ready('db-1'));
    await story.step('the first pod stops', () => story.remove('db-0'));
    await story.step('the rollout is complete', () => story.ready('db-0'));
    await expect(story.recorded()).toMatchFileSnapshot('recorded/broken.yaml');
  });

  test('failed, evicted and succeeded pods are created again', async () => {
    const story = await begin('failed');
    await story.step('create', () => story.create(statefulSet(2)));
    await story.step('the first pod is ready', () => story.ready('db-0'));
    await story.step('the first pod fails', () => story.report('db-0', 'Failed', false));
    await story.step('the failed pod is gone', () => story.remove('db-0'));
    await story.step('the first pod is ready again', () => story.ready('db-0'));
    await story.step('the second pod succeeds before it is bound', () =>
      story.report('db-1', 'Succeeded', false),
    );
    await expect(story.recorded()).toMatchFileSnapshot('recorded/failed.yaml');
  });

  test('ordinals start where the spec says', async () => {
    const story = await begin('ordinals');
    const starts = (start: number | null) => ({ ordinals: start === null ? null : { start } });
    await story.step('create', () => story.create(statefulSet(2, starts(2))));
    await story.step('the first pod is ready', () => story.ready('db-2'));
    await story.step('the second pod is ready', () => story.ready('db-3'));
    await story.step('start later', () => story.change({ spec: starts(3) }));
    await story.step('the new pod is ready', () => story.ready('db-4'));
    await story.step('the old pod stops', () => story.remove('db-2'));
    await story.step('start at zero', () => story.change({ spec: starts(null) }));
    await story.step('the pod of ordinal 0 is ready', () => story.ready('db-0'));
    await story.step('the pod of ordinal 1 is ready', () => story.ready('db-1'));
    await expect(story.recorded()).toMatchFileSnapshot('recorded/ordinals.yaml');
  });

  test('orphans of the right name are adopted, and pods that no longer match are released', async () => {
    const story = await begin('adopted');
    const labeled = (app: string | null) => story.changePod('db-0', { metadata: { labels: { app } } });
    await story.step('create', () => story.create(statefulSet(1)));
    await story.step('the pod is ready', () => story.ready('db-0'));
    await story.step('it loses its label', () => labeled(null));
    await story.step('it gets it back', () => labeled('db'));
    await story.step('an orphan of another name', () =>
      story.createPod({ ...podTemplate(), metadata: { name: 'other', labels } }),
    );
    await story.step('delete the set alone', () => story.orphan());
    await expect(story.recorded()).toMatchFileSnapshot('recorded/adopted.yaml');
  });

  test('pods count as available after minReadySeconds', async () => {
    const story = await begin('available');
    await story.step('create', () => story.create(statefulSet(2, { minReadySeconds: 3600 })));
    await story.step('the first pod is ready', () => story.ready('db-0'));
    await story.step(
      'the seconds pass',
      () => story.change({ spec: { minReadySeconds: 1 } }),
      async () => (await story.get()).status.availableReplicas === 1,
    );
    await expect(story.recorded()).toMatchFileSnapshot('recorded/available.yaml');
  });

  test('history keeps as many revisions as its limit', async () => {
    const story = await begin('history');
    await story.step('create', () => story.create(statefulSet(0, { revisionHistoryLimit: 1 })));
    for (const image of ['db:2', 'db:3', 'db:4'])
      await story.step(image, () => story.change(newImage(image)));
    await story.step('an orphan of the history', () =>
      story.createRevision({
        metadata: { name: 'orphan', labels },
        data: orphanData,
        revision: 2,
      }),
    );
    await story.step('scale', () => story.change({ spec: { replicas: 1 } }));
    await expect(story.recorded()).toMatchFileSnapshot('recorded/history.yaml');
  });

  test('pods get claims of the templates, which outlive them', async () => {
    const story = await begin('claimed');
    const data = claimTemplate('data', {
      labels: { app: 'other', kept: 'yes' },
      annotations: { note: 'of the template' },
    });
    const template = podTemplate();
    const volumes = [
      { name: 'data', emptyDir: {} },
      { name: 'cache', emptyDir: {} },
    ];
    const spec = {
      volumeClaimTemplates: [data],
      template: { ...template, spec: { ...template.spec, volumes } },
    };
    await story.step('create', () => story.create(statefulSet(2, spec)));
    await story.step('a pending pod has lost its claim', async () => {
      await story.removeClaim('data-db-0');
      await story.bind('db-0');
    });
    await story.step('the first pod is ready', () => story.ready('db-0'));
    await story.step('scale to one', () => story.change({ spec: { replicas: 1 } }));
    await story.step('scale to zero', () => story.change({ spec: { replicas: 0 } }));
    await story.step('the first pod stops', () => story.remove('db-0'));
    await story.step('scale up', () => story.change({ spec: { replicas: 1 } }));
    await expect(story.recorded()).toMatchFileSnapshot('recorded/claimed.yaml');
  });

  test('claims go with their set or with a pod that is scaled away, as their retention policy says', async () => {
    const story = await begin('retained');
    const spec = { volumeClaimTemplates: [claimTemplate('data')], ...retention('Retain', 'Delete') };
    await story.step('create', () => story.create(statefulSet(3, spec)));
    await story.step('the first pod is ready', () => story.ready('db-0'));
    await story.step('the second pod is ready', () => story.ready('db-1'));
    await story.step('the third pod is ready', () => story.ready('db-2'));
    await story.step('scale down', () => story.change({ spec: { replicas: 2 } }));
    await story.step('the third pod stops with its claim', async () => {
      await story.remove('db-2');
      await story.claimIsGone('data-db-2');
    });
    await story.step('claims go with the set, too', () =>
      story.change({ spec: retention('Delete', 'Delete') }),
    );
    await story.step('scale down again', () => story.change({ spec: { replicas: 1 } }));
    await story.step('claims go with the set alone', () =>
      story.change({ spec: retention('Delete', 'Retain') }),
    );
    await story.step('the second pod stops', () => story.remove('db-1'));
    await story.step('claims stay', () => story.change({ spec: retention('Retain', 'Retain') }));
    await story.step('claims go with the set after all', () =>
      story.change({ spec: retention('Delete', 'Retain') }),
    );
    await story.step('scale to zero', () => story.change({ spec: { replicas: 0 } }));
    await story.step('the first pod stops', () => story.remove('db-0'));
    await story.step('delete the claim of the second pod', () => story.removeClaim('data-db-1'));
    await story.step('delete the set', async () => {
      await story.delete();
      await story.claimIsGone('data-db-0');
    });
    await expect(story.recorded()).toMatchFileSnapshot('recorded/retained.yaml');
  });

  test('the retention policy leaves claims of another controller alone', async () => {
    const story = await begin('conflicting');
    const { uid } = (await server.session.get('/api/v1/namespaces/conflicting')).body.metadata;
    const other = { apiVersion: 'v1', kind: 'Namespace', name: 'conflicting', uid, controller: true };
    const spec = { volumeClaimTemplates: [claimTemplate('data')], ...retention('Delete', 'Delete') };
    const metadata = { name: 'data-db-0', ownerReferences: [other] };
    await story.step('a claim of another controller', () =>
      story.createClaim({ ...claimTemplate('data'), metadata }),
    );
    await story.step('create', () => story.create(statefulSet(1, spec)));
    await story.step('the pod is ready', () => story.ready('db-0'));
    await expect(story.recorded()).toMatchFileSnapshot('recorded/conflicting.yaml');
  });
});
