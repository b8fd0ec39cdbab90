import { expect, test } from 'vitest';
import { type Server, onEachServer } from '../../../../apiserver/test/support/on-each-server.ts';
import { mask, shownPod } from '../../support/shown.ts';
import { Story } from '../../support/story.ts';

const watched = [
  { group: 'apis/apps/v1', resource: 'daemonsets' },
  { group: 'apis/apps/v1', resource: 'controllerrevisions' },
];
const core = 'api/v1';
const labels = { app: 'agent' };
const rolling = (maxUnavailable: number, maxSurge: number) => ({
  updateStrategy: { type: 'RollingUpdate', rollingUpdate: { maxUnavailable, maxSurge } },
});
const taint = (key: string, effect: string) => ({ spec: { taints: [{ key, effect }] } });

/** The node that a pod is for, also before it is bound. */
function nodeOf({ spec }: any): string {
  const { nodeSelectorTerms } = spec.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution;
  return nodeSelectorTerms[0].matchFields[0].values[0];
}

/** Pods have random names: a node has at most one of each revision. */
const form = {
  podKey: (pod: any) =>
    pod.spec.affinity
      ? `of ${pod.metadata.labels['controller-revision-hash']} on ${nodeOf(pod)}`
      : pod.metadata.name,
  showPod: (pod: any) => {
    const { affinity, tolerations, nodeName } = pod.spec;
    return Object.assign(shownPod(pod) as object, mask({ affinity, tolerations, nodeName }));
  },
};

/** A story of the DaemonSet `agent`. Its nodes are those that the story creates: others have another label. */
class DaemonStory {
  readonly step: Story['step'];
  readonly #server: Server;
  readonly #story: Story;

  constructor(server: Server, story: Story) {
    this.#server = server;
    this.#story = story;
    this.step = story.step.bind(story);
  }

  /** A node that is ready for pods, with the label of the story. @param name follows the name of the story */
  async node(name: string, metadata: object = {}): Promise<void> {
    const own = { story: this.#story.namespace };
    await this.#server.session.post('/api/v1/nodes', {
      metadata: { name: this.nodeName(name), labels: own, ...metadata },
    });
    // Admission taints a new node.
    await this.changeNode(name, { spec: { taints: null } });
  }

  nodeName(name: string): string {
    return `${this.#story.namespace}-${name}`;
  }

  async changeNode(name: string, patch: object): Promise<void> {
    const { code } = await this.#server.session.merge(`/api/v1/nodes/${this.nodeName(name)}`, patch);
    if (code !== 200) throw new Error(`node ${name}: ${code}`);
  }

  template(image = 'agent:1'): object {
    const containers = [{ name: 'agent', image }];
    return { metadata: { labels }, spec: { nodeSelector: { story: this.#story.namespace }, containers } };
  }

  create(spec: object = {}): Promise<unknown> {
    return this.#story.create('daemonsets', {
      metadata: { name: 'agent' },
      spec: { selector: { matchLabels: labels }, template: this.template(), ...spec },
    });
  }

  change(patch: object): Promise<unknown> {
    return this.#story.patch('daemonsets', 'agent', patch);
  }

  newImage(image: string): Promise<unknown> {
    return this.change({ spec: { template: this.template(image) } });
  }

  /** The pods for a node that are not being deleted, those without a node last. */
  async podsOn(node: string): Promise<any[]> {
    const own = (await this.#story.pods()).filter((pod) => nodeOf(pod) === this.nodeName(node));
    return own.toSorted((a, b) => Number(!a.spec.nodeName) - Number(!b.spec.nodeName));
  }

  /** The newest pod of a node gets a state. */
  async report(node: string, phase: string, isReady: boolean): Promise<void> {
    const pod = (await this.podsOn(node)).at(-1);
    if (!pod.spec.nodeName) {
      const { name } = pod.metadata;
      const target = { kind: 'Node', name: this.nodeName(node) };
      await this.#story.create(`pods/${name}/binding`, { metadata: { name }, target }, core);
    }
    await this.#story.report(pod, phase, { Ready: isReady });
  }

  async ready(...nodes: string[]): Promise<void> {
    for (const node of nodes) await this.report(node, 'Running', true);
  }

  /** Waits until the newest pod of a node has not started. */
  pending(node: string): Promise<void> {
    return this.#story.until(() => this.isPending(node));
  }

  async isPending(node: string): Promise<boolean> {
    return (await this.podsOn(node)).at(-1)?.status.phase === 'Pending';
  }

  /** Pods that are being deleted stop. */
  async stop(): Promise<void> {
    for (const { metadata } of await this.#story.list('pods', core))
      if (metadata.deletionTimestamp) await this.#remove(metadata.name);
  }

  /** Deletes the pod of a node at once. */
  async remove(node: string): Promise<void> {
    await this.#remove((await this.podsOn(node))[0].metadata.name);
  }

  #remove(pod: string): Promise<unknown> {
    return this.#story.delete('pods', pod, { group: core, gracePeriodSeconds: 0 });
  }

  createRevision(revision: object): Promise<unknown> {
    return this.#story.create('controllerrevisions', revision);
  }

  revisions(): Promise<any[]> {
    return this.#story.list('controllerrevisions');
  }

  recorded(): string {
    return this.#story.recorded();
  }
}

const options = { recordRequests: true, controllers: { garbageCollector: true } };

onEachServer('DaemonSets', { ...options, workloads: { nodes: 0 } }, (server) => {
  const begin = async (namespace: string) =>
    new DaemonStory(server, await Story.begin(server, namespace, watched, form));

  test('nodes that match get a pod, and taints and labels decide which stay', async () => {
    const story = await begin('placed');
    await story.node('a');
    await story.node('b', { labels: {} });
    await story.node('c');
    await story.changeNode('c', taint('dedicated', 'NoSchedule'));
    await story.node('d');
    await story.changeNode('d', taint('node.kubernetes.io/memory-pressure', 'NoSchedule'));
    await story.step('create', () => story.create());
    await story.step('the pods are ready', () => story.ready('a', 'd'));
    const label = (value: string | null) => ({ metadata: { labels: { story: value } } });
    await story.step('a node gets the label', () => story.changeNode('b', label('placed')));
    await story.step('a node loses its taint', () => story.changeNode('c', { spec: { taints: null } }));
    await story.step('a taint that lets pods stay', () =>
      story.changeNode('a', taint('dedicated', 'NoSchedule')),
    );
    await story.step('a taint that does not', () => story.changeNode('d', taint('dedicated', 'NoExecute')));
    await story.step('a node loses the label', () => story.changeNode('b', label(null)));
    await story.step('no taints', () => story.changeNode('a', { spec: { taints: null } }));
    await expect(story.recorded()).toMatchFileSnapshot('recorded/placed.yaml');
  });

  test('a rolling update deletes unavailable pods at once and others within maxUnavailable', async () => {
    const story = await begin('replaced');
    await story.node('a');
    await story.node('b');
    await story.step('create', () => story.create(rolling(1, 0)));
    await story.step('both are ready', () => story.ready('a', 'b'));
    await story.step('a pod is not ready', () => story.report('a', 'Running', false));
    await story.step('a new image', () => story.newImage('agent:2'));
    await story.step('the old pod stops', () => story.stop());
    await story.step('the new pod is ready', () => story.ready('a'));
    await story.step('the other old pod stops', () => story.stop());
    await story.step('neither is ready', () => story.report('a', 'Running', false));
    await story.step('roll back', () => story.newImage('agent:1'));
    await expect(story.recorded()).toMatchFileSnapshot('recorded/replaced.yaml');
  });

  test('a rolling update with maxSurge starts the new pod beside the old one', async () => {
    const story = await begin('surged');
    await story.node('a');
    await story.step('create', () => story.create(rolling(0, 1)));
    await story.step('the pod is ready', () => story.ready('a'));
    await story.step('a new image', () => story.newImage('agent:2'));
    await story.step('the new pod is ready', () => story.ready('a'));
    await story.step('the old pod stops', () => story.stop());
    await story.step('a node without the label', () =>
      story.changeNode('a', { metadata: { labels: { story: null } } }),
    );
    await expect(story.recorded()).toMatchFileSnapshot('recorded/surged.yaml');
  });

  test('with OnDelete pods get the new template when they are deleted', async () => {
    const story = await begin('on-delete');
    await story.node('a');
    await story.node('b');
    await story.step('create', () => story.create({ updateStrategy: { type: 'OnDelete' } }));
    await story.step('both are ready', () => story.ready('a', 'b'));
    await story.step('a new image', () => story.newImage('agent:2'));
    await story.step('delete a pod', () => story.remove('a'));
    await expect(story.recorded()).toMatchFileSnapshot('recorded/on-delete.yaml');
  });

  test('pods that have ended are replaced, failed ones with a delay', async () => {
    const story = await begin('failed');
    await story.node('a');
    await story.step('create', () => story.create());
    await story.step('the pod fails', () => story.report('a', 'Failed', false));
    await story.step(
      'the next two fail',
      async () => {
        await story.report('a', 'Failed', false);
        await story.pending('a');
        await story.report('a', 'Failed', false);
      },
      () => story.isPending('a'),
    );
    await story.step('the next succeeds', () => story.report('a', 'Succeeded', false));
    await expect(story.recorded()).toMatchFileSnapshot('recorded/failed.yaml');
  });

  test('history keeps as many revisions as its limit', async () => {
    const story = await begin('history');
    await story.step('create', () => story.create({ revisionHistoryLimit: 1 }));
    for (const image of ['agent:2', 'agent:3']) await story.step(image, () => story.newImage(image));
    await story.step('an orphan of the history', () =>
      story.createRevision({
        metadata: { name: 'orphan', labels },
        data: {
          spec: {
            template: { $patch: 'replace', spec: { containers: [{ image: 'orphan:1', name: 'agent' }] } },
          },
        },
        revision: 9,
      }),
    );
    await expect(story.recorded()).toMatchFileSnapshot('recorded/history.yaml');
  });

  test('a revision that a client adds beside an equal one stays until the next event', async () => {
    const story = await begin('added-revision');
    await story.step('create', () => story.create());
    const [{ metadata, data }] = await story.revisions();
    await story.step('an equal revision', () =>
      story.createRevision({
        metadata: {
          name: 'added',
          labels: { ...labels, 'controller-revision-hash': 'added' },
          ownerReferences: metadata.ownerReferences,
        },
        data,
        revision: 2,
      }),
    );
    expect((await story.revisions()).map(({ revision }) => revision).toSorted((a, b) => a - b)).toStrictEqual(
      [1, 2],
    );
    await story.step('the next event', () => story.newImage('agent:2'));
    expect((await story.revisions()).map(({ revision }) => revision).toSorted((a, b) => a - b)).toStrictEqual(
      [1, 2, 3],
    );
  });
});
