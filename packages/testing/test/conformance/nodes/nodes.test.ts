import { expect, test } from 'vitest';
import { onEachServer } from '../../../../apiserver/test/support/on-each-server.ts';
import { shownBoundPod, shownObject } from '../../support/shown.ts';
import { Story } from '../../support/story.ts';

const core = 'api/v1';
/** Several workers taint a node at the same time, so the order of its taints is a matter of chance. */
const nodes = {
  group: core,
  resource: 'nodes',
  isClusterScoped: true,
  show: ({ spec, ...node }: any) =>
    shownObject({ ...node, spec: { ...spec, ...(spec.taints && { taints: spec.taints.toSorted(byKey) }) } }),
};
const byKey = (a: any, b: any) => (`${a.key} ${a.effect}` < `${b.key} ${b.effect}` ? -1 : 1);
const boundPods = { group: core, resource: 'pods', show: shownBoundPod };
const leases = '/apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases';
const unreachable = 'node.kubernetes.io/unreachable';
const notReady = 'node.kubernetes.io/not-ready';

type Status = 'True' | 'False' | 'Unknown';

/** What a kubelet reports. */
function conditions(ready: Status, now: Date, others: Record<string, Status> = {}) {
  const time = `${now.toISOString().slice(0, 19)}Z`;
  return Object.entries({ ...others, Ready: ready }).map(([type, status]) => ({
    type,
    status,
    reason: 'Reported',
    message: 'a test reports',
    lastHeartbeatTime: time,
    lastTransitionTime: time,
  }));
}

const nodeOf = (name: string, status: object = {}) => ({
  metadata: { name, labels: { 'kubernetes.io/os': 'linux', 'kubernetes.io/arch': 'amd64' } },
  status,
});

/** A pod that is bound to a node. */
const podOf = (name: string, nodeName: string, spec: object = {}) => ({
  metadata: { name },
  spec: { nodeName, containers: [{ name: 'app', image: 'app:1' }], ...spec },
});

const tolerating = (key: string, tolerationSeconds?: number) => ({
  key,
  operator: 'Exists',
  effect: 'NoExecute',
  ...(tolerationSeconds !== undefined && { tolerationSeconds }),
});

onEachServer('nodes', { recordRequests: true, workloads: { nodes: 0 } }, (server) => {
  test('the life of nodes', async () => {
    const story = await Story.begin(server, 'nodes', [nodes, boundPods]);
    const { session } = server;
    const node = async (name: string) => (await session.get(`/api/v1/nodes/${name}`)).body;
    const report = (name: string, ready: Status, others?: Record<string, Status>) =>
      story.patch(
        'nodes',
        `${name}/status`,
        { status: { conditions: conditions(ready, story.now(), others) } },
        core,
      );
    const taintsOf = async (name: string): Promise<string[]> =>
      ((await node(name)).spec.taints ?? []).map(({ key, effect }: any) => `${key}:${effect}`);
    const isDeleting = async (name: string) =>
      (await session.get(`${story.path('pods', core)}/${name}`)).body.metadata.deletionTimestamp !==
      undefined;
    const events = async () => {
      const inDefault = (await session.get('/api/v1/namespaces/default/events')).body.items;
      return [...inDefault, ...(await story.list('events', core))].map(
        ({ reason, message }) => `${reason} ${message}`,
      );
    };
    const hasEvent = async (text: string) => (await events()).some((event) => event.includes(text));
    let renewedAt = 0;
    const renew = async () => {
      if (story.now().getTime() - renewedAt < 5000) return;
      renewedAt = story.now().getTime();
      const renewTime = `${story.now().toISOString().slice(0, 23)}000Z`;
      await session.merge(`${leases}/nodes-alive`, { spec: { renewTime } });
    };

    await story.step(
      'three nodes are registered, one without a status',
      async () => {
        for (const name of ['nodes-alive', 'nodes-lost']) {
          const renewTime = `${story.now().toISOString().slice(0, 23)}000Z`;
          const spec = { holderIdentity: name, leaseDurationSeconds: 40, renewTime };
          await session.post(leases, { metadata: { name }, spec });
          await story.create('nodes', nodeOf(name, { conditions: conditions('True', story.now()) }), core);
        }
        await story.create('nodes', nodeOf('nodes-silent'), core);
        const pods = [
          podOf('default', 'nodes-lost'),
          podOf('brief', 'nodes-lost', { tolerations: [tolerating(unreachable, 2)] }),
          podOf('forever', 'nodes-lost', { tolerations: [tolerating(unreachable)] }),
          podOf('pending', 'nodes-lost', { tolerations: [tolerating(unreachable)] }),
        ];
        for (const pod of pods) {
          const created = await story.create('pods', pod, core);
          if (pod.metadata.name !== 'pending') await story.report(created, 'Running', { Ready: true });
        }
      },
      async () =>
        (
          await Promise.all(
            ['nodes-alive', 'nodes-lost', 'nodes-silent'].map((name) => hasEvent(`Registered Node ${name}`)),
          )
        ).every(Boolean) && !(await taintsOf('nodes-lost')).includes(`${notReady}:NoSchedule`),
    );
    await story.step('two kubelets are silent', () =>
      story.until(async () => {
        await renew();
        const isTainted = await Promise.all(
          ['nodes-lost', 'nodes-silent'].map(async (name) =>
            (await taintsOf(name)).includes(`${unreachable}:NoExecute`),
          ),
        );
        return isTainted.every(Boolean) && (await isDeleting('brief'));
      }, 1000),
    );
    await story.step(
      'a kubelet is back',
      () => report('nodes-lost', 'True'),
      async () => {
        await renew();
        return (
          (await taintsOf('nodes-lost')).length === 0 &&
          (await hasEvent('Cancelling deletion of Pod nodes/default'))
        );
      },
    );
    await story.step(
      'a node is deleted',
      () => story.delete('nodes', 'nodes-silent', { group: core }),
      async () => {
        await renew();
        return hasEvent('Removing Node nodes-silent');
      },
    );
    await story.step(
      'a kubelet reports pressure, and the node is cordoned',
      async () => {
        await report('nodes-lost', 'True', {
          MemoryPressure: 'True',
          DiskPressure: 'True',
          PIDPressure: 'True',
          NetworkUnavailable: 'True',
        });
        await story.patch('nodes', 'nodes-lost', { spec: { unschedulable: true } }, core);
      },
      async () => (await taintsOf('nodes-lost')).length === 5,
    );
    await story.step(
      'no pressure, uncordoned',
      async () => {
        await report('nodes-lost', 'True', { MemoryPressure: 'False' });
        await story.patch('nodes', 'nodes-lost', { spec: { unschedulable: null } }, core);
      },
      async () => (await taintsOf('nodes-lost')).length === 0,
    );
    await story.step(
      'a kubelet reports that its node is not ready',
      async () => {
        const pod = podOf('impatient', 'nodes-lost', { tolerations: [tolerating(notReady, 0)] });
        await story.report(await story.create('pods', pod, core), 'Running', { Ready: true });
        await report('nodes-lost', 'False');
      },
      async () => {
        await renew();
        return (
          (await taintsOf('nodes-lost')).includes(`${notReady}:NoExecute`) && (await isDeleting('impatient'))
        );
      },
    );
    await story.step(
      'all nodes are lost: no pod is evicted',
      () => report('nodes-alive', 'False'),
      async () => {
        await renew();
        const taints = await Promise.all(['nodes-alive', 'nodes-lost'].map(taintsOf));
        return taints.every((own) => own.length === 1);
      },
    );
    await story.step(
      'all nodes are ready',
      async () => {
        await report('nodes-alive', 'True');
        await report('nodes-lost', 'True');
      },
      async () =>
        (await Promise.all(['nodes-alive', 'nodes-lost'].map(taintsOf))).every((own) => own.length === 0),
    );
    await story.step(
      'an administrator taints a node',
      () =>
        story.patch(
          'nodes',
          'nodes-lost',
          { spec: { taints: [{ key: 'broken', value: 'yes', effect: 'NoExecute' }] } },
          core,
        ),
      async () => (await Promise.all(['default', 'forever', 'pending'].map(isDeleting))).every(Boolean),
    );
    await expect(story.recorded()).toMatchFileSnapshot('recorded/nodes.yaml');
    for (const name of ['nodes-alive', 'nodes-lost']) await story.delete('nodes', name, { group: core });
  }, 200_000);
});

onEachServer('garbage', { recordRequests: true, workloads: { nodes: 1 } }, (server) => {
  test('pods that no kubelet ends', async () => {
    const story = await Story.begin(server, 'garbage', [boundPods]);
    const { session } = server;
    const podNames = async () => (await story.list('pods', core)).map(({ metadata }) => metadata.name);
    await story.step('pods of a node that does not exist, and deleted ones', async () => {
      await session.post('/api/v1/nodes', {
        ...nodeOf('out'),
        spec: { taints: [{ key: 'node.kubernetes.io/out-of-service', value: 'x', effect: 'NoSchedule' }] },
      });
      const finalizers = ['example.com/kept'];
      const kept = (pod: ReturnType<typeof podOf>) => ({ ...pod, metadata: { ...pod.metadata, finalizers } });
      const { nodeName: _, ...unbound } = podOf('', '').spec;
      const pods = [
        podOf('gone', 'missing'),
        kept(podOf('orphan', 'missing')),
        kept(podOf('ended', 'missing')),
        podOf('on-out', 'out'),
        kept(podOf('deleted-on-out', 'out')),
        kept({ metadata: { name: 'unbound' }, spec: { ...unbound, schedulerName: 'none' } as any }),
      ];
      for (const pod of pods) await story.create('pods', pod, core);
      for (const pod of await story.pods())
        if (pod.metadata.name !== 'unbound')
          await story.report(pod, pod.metadata.name === 'ended' ? 'Succeeded' : 'Running', { Ready: true });
    });
    await story.step(
      'a terminating pod of a node that is out of service, and one without a node',
      async () => {
        for (const name of ['deleted-on-out', 'unbound']) await story.delete('pods', name, { group: core });
      },
      async () =>
        (await story.list('pods', core))
          .filter(({ metadata }) => ['deleted-on-out', 'unbound'].includes(metadata.name))
          .every(({ status }) => status.phase === 'Failed'),
    );
    await story.step('the node is missing for long', () =>
      story.until(async () => !(await podNames()).includes('gone'), 1000),
    );
    await expect(story.recorded()).toMatchFileSnapshot('recorded/garbage.yaml');
    for (const { metadata } of await story.list('pods', core))
      await story.patch('pods', metadata.name, { metadata: { finalizers: null } }, core);
    await session.delete('/api/v1/nodes/out');
  }, 200_000);
});
