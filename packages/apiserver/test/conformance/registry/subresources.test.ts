import { beforeAll, expect, test } from 'vitest';
import { sorted } from '../../support/apply-session.ts';
import { masked } from '../../support/masked.ts';
import { normalize, refusal } from '../../support/normalize.ts';
import { onEachServer } from '../../support/on-each-server.ts';
import { asRecorded } from '../../support/recorded.ts';
import type { Answer } from '../../support/session.ts';

const pods = '/api/v1/namespaces/default/pods';
const budgets = '/apis/policy/v1/namespaces/default/poddisruptionbudgets';
const services = '/api/v1/namespaces/default/services';

/** A request: method, path below the pod of the case (or from the root), and a body. */
type Request = readonly [method: string, path: string, body?: unknown];

const binding = (rest: object = {}, target: object = { kind: 'Node', name: 'n1' }) => ({
  metadata: { name: 'NAME', ...rest },
  target,
});
const eviction = (deleteOptions?: object) => ({
  metadata: { name: 'NAME' },
  ...(deleteOptions && { deleteOptions }),
});
const oldEviction = () => ({ ...eviction(), apiVersion: 'policy/v1beta1', kind: 'Eviction' });

/** Requests about one pod, and what to look at in the end. */
const stories: Record<string, readonly Request[]> = {
  'binding a pod to a node': [
    ['POST', '/binding', binding({ annotations: { a: 'b' }, labels: { l: 'm' } })],
    ['GET', ''],
    ['POST', '/binding', binding()],
  ],
  'a binding as a dry run': [
    ['POST', '/binding?dryRun=All', binding()],
    ['GET', ''],
  ],
  'a binding by its own endpoint': [
    ['POST', '/api/v1/namespaces/default/bindings', binding()],
    ['GET', ''],
  ],
  'bindings that are refused': [
    ['POST', '/binding', {}],
    ['POST', '/binding', binding({}, {})],
    ['POST', '/binding', binding({}, { kind: 'Pod', name: 'n1' })],
    ['POST', '/binding', binding({ name: 'other' })],
    ['POST', '/binding', binding({ uid: 'other' })],
    ['POST', '/binding', binding({ resourceVersion: '1' })],
    ['POST', '/binding', binding({ namespace: 'other' })],
    ['POST', '/binding', { ...binding(), kind: 'Pod' }],
    ['POST', '/binding?fieldValidation=Strict', { ...binding(), extra: 1 }],
    ['POST', '/binding?dryRun=x', binding()],
    ['POST', '/binding', binding({}, { name: 3 })],
    ['POST', `${pods}/missing/binding`, binding({ name: 'missing' })],
    ['POST', '/api/v1/namespaces/default/bindings', { target: { name: 'n1' } }],
    ['POST', '/api/v1/namespaces/default/bindings', binding({ name: 'missing' })],
    ['POST', '/api/v1/namespaces/missing/bindings', binding({ namespace: 'missing' })],
    ['POST', '/api/v1/bindings', binding()],
    ['GET', '/api/v1/namespaces/default/bindings'],
    ['GET', '/api/v1/namespaces/default/bindings/x'],
    ['GET', '/binding'],
    ['PUT', '/binding', binding()],
    ['DELETE', '/binding'],
    ['GET', ''],
  ],
  'evicting a pod that has not begun': [
    ['POST', '/eviction', eviction()],
    ['GET', ''],
  ],
  'evicting a pod that has a node': [
    ['POST', '/binding', binding()],
    ['POST', '/eviction', { ...eviction(), apiVersion: 'policy/v1', kind: 'Eviction' }],
    ['GET', ''],
    ['POST', '/eviction', eviction({ gracePeriodSeconds: 0 })],
    ['GET', ''],
  ],
  'evictions in the version of old clients': [
    ['POST', '/eviction?dryRun=All', oldEviction()],
    ['POST', '/eviction', { ...oldEviction(), nope: 1 }],
    ['POST', '/eviction', oldEviction()],
    ['POST', '/eviction?fieldValidation=Strict', { ...oldEviction(), nope: 1 }],
    ['POST', '/eviction', { ...oldEviction(), metadata: { name: 5 } }],
    ['POST', '/eviction', { ...oldEviction(), apiVersion: 'policy/v1beta2' }],
    ['POST', '/eviction', { ...oldEviction(), kind: 'Evictions' }],
    ['GET', ''],
  ],
  'evictions that are refused': [
    ['POST', '/eviction', {}],
    ['POST', '/eviction', { metadata: { name: 'other' } }],
    ['POST', '/eviction', eviction({ preconditions: { uid: 'other' } })],
    ['POST', '/eviction', eviction({ preconditions: { resourceVersion: '1' } })],
    ['POST', '/eviction', eviction({ propagationPolicy: 'Foo' })],
    ['POST', '/eviction', eviction({ ignoreStoreReadErrorWithClusterBreakingPotential: true })],
    ['POST', '/eviction?dryRun=All', eviction({ dryRun: ['x'] })],
    ['POST', '/eviction?dryRun=All', eviction()],
    ['POST', '/eviction', eviction({ dryRun: ['All'] })],
    ['POST', '/eviction', { ...eviction(), kind: 'Binding', apiVersion: 'v1' }],
    ['POST', `${pods}/missing/eviction`, { metadata: { name: 'missing' } }],
    ['GET', '/eviction'],
    ['GET', ''],
  ],
  'the log of a pod without a node': [
    ['GET', '/log'],
    ['GET', '/log?container=c2'],
    ['GET', '/log?container=i1'],
    ['GET', '/log?container=missing'],
    ['GET', '/log?container=c1&tailLines=-1'],
    ['GET', '/log?container=c1&tailLines=x'],
    ['GET', '/log?container=c1&sinceSeconds=0'],
    ['GET', '/log?container=c1&limitBytes=0'],
    ['GET', '/log?container=c1&limitBytes=0&sinceSeconds=0&sinceTime=2020-01-01T00:00:00Z'],
    ['GET', '/log?container=c1&stream=Stdout'],
    ['GET', '/log/more'],
    ['POST', '/log', {}],
    ['GET', `${pods}/missing/log`],
  ],
  'connections to a pod without a node': [
    ['GET', '/exec?command=ls&stdout=1'],
    ['GET', '/exec?command=ls&stdout=1&container=c1'],
    ['POST', '/exec?command=ls&stdout=1&container=c1'],
    ['GET', '/exec?command=ls&stdout=1&container=missing'],
    ['GET', '/attach?stdout=1'],
    ['GET', '/attach?stdout=1&container=c1'],
    ['GET', '/portforward'],
    ['GET', '/portforward?ports=80'],
    ['POST', '/portforward?ports=80'],
    ['GET', '/portforward?ports=x'],
    ['PUT', '/exec', {}],
    ['GET', '/proxy'],
    ['GET', '/proxy/some/path?and=query'],
    ['GET', `${pods}/missing/exec?command=ls`],
    ['GET', `${pods}/missing/attach`],
    ['GET', `${pods}/missing/portforward`],
    ['GET', `${pods}/missing/proxy`],
    ['GET', `${pods}/a:b:c:d/proxy`],
    ['GET', `${pods}/ftp:b:c/proxy`],
  ],
  'connections to a pod whose node has no address': [
    ['POST', '/binding', binding()],
    ['GET', '/log?container=c1'],
    ['GET', '/exec?command=ls&stdout=1&container=c1'],
    ['GET', '/attach?stdout=1&container=c1'],
    ['GET', '/portforward?ports=80'],
  ],
  'connections to a pod whose node is missing': [
    ['POST', '/binding', binding({}, { name: 'nowhere' })],
    ['GET', '/log?container=c1'],
    ['GET', '/exec?command=ls&stdout=1&container=c1'],
    ['GET', '/portforward?ports=80'],
  ],
  'connections to a pod whose node has an address': [
    ['POST', '/binding', binding({}, { name: 'n2' })],
    ['GET', '/exec?command=ls&stdout=1&container=c1'],
    ['GET', '/attach?stdout=1&container=c1'],
    ['GET', '/portforward?ports=80'],
  ],
  'proxies of nodes and services': [
    ['GET', '/api/v1/nodes/n1/proxy'],
    ['GET', '/api/v1/nodes/n2/proxy/metrics'],
    ['GET', '/api/v1/nodes/https:n2:10250/proxy/metrics'],
    ['GET', '/api/v1/nodes/missing/proxy/metrics'],
    ['GET', '/api/v1/nodes/x:n1:1/proxy/metrics'],
    ['GET', `${services}/missing/proxy/`],
    ['GET', `${services}/served/proxy/`],
    ['GET', `${services}/served:99/proxy/`],
    ['GET', `${services}/x:served:web/proxy/`],
    ['GET', `${services}/a:b:c:d/proxy/`],
  ],
  'ephemeral containers': [
    ['GET', '/ephemeralcontainers'],
    ['PATCH', '/ephemeralcontainers', { spec: { ephemeralContainers: [{ name: 'debug', image: 'd' }] } }],
    ['PATCH', '/ephemeralcontainers', { spec: { ephemeralContainers: [{ name: 'c1', image: 'd' }] } }],
    ['GET', ''],
  ],
};

onEachServer('subresources', (server) => {
  beforeAll(async () => {
    await server.session.post('/api/v1/nodes', { metadata: { name: 'n1' } });
    await server.session.post('/api/v1/nodes', { metadata: { name: 'n2' } });
    await server.session.merge('/api/v1/nodes/n2/status', {
      status: { addresses: [{ type: 'InternalIP', address: '127.0.0.9' }] },
    });
    await server.session.post(services, {
      metadata: { name: 'served' },
      spec: { ports: [{ name: 'web', port: 80 }] },
    });
  });

  async function createPod(name: string, labels: object = {}): Promise<void> {
    const image = 'i';
    const { code, body } = await server.session.post(pods, {
      metadata: { name, labels },
      spec: {
        initContainers: [{ name: 'i1', image }],
        containers: [
          { name: 'c1', image },
          { name: 'c2', image },
        ],
      },
    });
    if (code !== 201) throw new Error(JSON.stringify(body));
  }

  async function send(name: string, [method, path, sent]: Request): Promise<unknown> {
    const to = path.startsWith('/api') ? path : `${pods}/${name}${path}`;
    const body = sent && JSON.parse(JSON.stringify(sent).replaceAll('NAME', name));
    const contentType = method === 'PATCH' ? 'application/merge-patch+json' : 'application/json';
    return told(await server.session.send(method, to, { contentType, ...(body !== undefined && { body }) }));
  }

  test.each(Object.keys(stories))('%s', async (title) => {
    const name = title.replaceAll(/[^a-z]+/g, '-');
    await createPod(name);
    const recorded = [];
    for (const request of stories[title] ?? [])
      recorded.push({ asked: `${request[0]} ${request[1]}`, answer: await send(name, request) });
    await expect(asRecorded(masked(recorded))).toMatchFileSnapshot(`../recorded/subresources/${name}.yaml`);
  });

  const ready = { phase: 'Running', conditions: [{ type: 'Ready', status: 'True' }] };
  const notReady = { phase: 'Running', conditions: [{ type: 'Ready', status: 'False' }] };
  const counted = { observedGeneration: 1, expectedPods: 3 };

  /** The status of the pod, the status of its budget, and the rest of the budget. */
  const budgetCases: Record<string, { pod: object; budget?: object; spec?: object }> = {
    'not counted yet': { pod: ready },
    'nothing left': {
      pod: ready,
      budget: { ...counted, currentHealthy: 2, desiredHealthy: 2, disruptionsAllowed: 0 },
    },
    'one left': {
      pod: ready,
      budget: { ...counted, currentHealthy: 3, desiredHealthy: 2, disruptionsAllowed: 1 },
    },
    'two left': {
      pod: ready,
      budget: { ...counted, currentHealthy: 4, desiredHealthy: 2, disruptionsAllowed: 2 },
    },
    'too few and not ready': {
      pod: notReady,
      budget: { ...counted, currentHealthy: 1, desiredHealthy: 2, disruptionsAllowed: 0 },
    },
    'enough without it': {
      pod: notReady,
      budget: { ...counted, currentHealthy: 2, desiredHealthy: 2, disruptionsAllowed: 0 },
    },
    'always when not ready': {
      pod: notReady,
      budget: { ...counted, currentHealthy: 0, desiredHealthy: 2, disruptionsAllowed: 0 },
      spec: { unhealthyPodEvictionPolicy: 'AlwaysAllow' },
    },
    'told by a condition': {
      pod: ready,
      budget: {
        ...counted,
        currentHealthy: 3,
        desiredHealthy: 2,
        disruptionsAllowed: 0,
        conditions: [
          {
            type: 'DisruptionAllowed',
            status: 'False',
            reason: 'Some',
            message: 'why',
            lastTransitionTime: '2020-01-01T00:00:00Z',
          },
        ],
      },
    },
    'could not be counted': {
      pod: ready,
      budget: {
        ...counted,
        disruptionsAllowed: 0,
        conditions: [
          {
            type: 'DisruptionAllowed',
            status: 'False',
            reason: 'SyncFailed',
            message: 'why',
            lastTransitionTime: '2020-01-01T00:00:00Z',
          },
        ],
      },
    },
    'a pod that has ended': { pod: { phase: 'Succeeded' } },
  };

  test.each(Object.keys(budgetCases))('a disruption budget: %s', async (title) => {
    const { pod, budget, spec } = budgetCases[title] as (typeof budgetCases)[string];
    const name = `budget-${title.replaceAll(' ', '-')}`;
    await createPod(name, { budget: name });
    await server.session.post(`${pods}/${name}/binding`, { metadata: { name }, target: { name: 'n1' } });
    await server.session.merge(`${pods}/${name}/status`, { status: pod });
    const selector = { matchLabels: { budget: name } };
    await server.session.post(budgets, { metadata: { name }, spec: { minAvailable: 2, selector, ...spec } });
    if (budget) await server.session.merge(`${budgets}/${name}/status`, { status: budget });
    const recorded = [];
    for (const query of ['?dryRun=All', '']) {
      const answer = await server.session.post(`${pods}/${name}/eviction${query}`, { metadata: { name } });
      const { details } = answer.body;
      recorded.push({ answer: told(answer), retryAfter: answer.headers['retry-after'], details });
    }
    const { status } = (await server.session.get(`${budgets}/${name}`)).body;
    const { metadata, status: of } = (await server.session.get(`${pods}/${name}`)).body;
    const isDeleted = metadata.deletionTimestamp !== undefined;
    recorded.push({
      budget: sorted(normalize(status)),
      isDeleted,
      conditions: sorted(normalize(of?.conditions)),
    });
    await expect(asRecorded(masked(recorded))).toMatchFileSnapshot(`../recorded/subresources/${name}.yaml`);
  });

  test('a pod under two budgets', async () => {
    await createPod('doubled', { doubled: 'yes' });
    await server.session.post(`${pods}/doubled/binding`, {
      metadata: { name: 'doubled' },
      target: { name: 'n1' },
    });
    await server.session.merge(`${pods}/doubled/status`, { status: ready });
    for (const name of ['doubled-1', 'doubled-2'])
      await server.session.post(budgets, { metadata: { name }, spec: { minAvailable: 1, selector: {} } });
    const { code, body } = await server.session.post(`${pods}/doubled/eviction`, {
      metadata: { name: 'doubled' },
    });
    for (const name of ['doubled-1', 'doubled-2']) await server.session.delete(`${budgets}/${name}`);
    expect({ code, body }).toStrictEqual({
      code: 500,
      body: {
        kind: 'Status',
        apiVersion: 'v1',
        metadata: {},
        status: 'Failure',
        message:
          'This pod has more than one PodDisruptionBudget, which the eviction subresource does not support.',
        code: 500,
      },
    });
  });

  test('discovery lists them', async () => {
    const rows = (await server.session.get('/api/v1')).body.resources
      .filter(({ name }: any) => /^(pods|nodes|services|bindings)/.test(name))
      .map(sorted);
    await expect(asRecorded(rows)).toMatchFileSnapshot('../recorded/subresources/discovery.yaml');
  });
});

/** The parts of an answer to compare: of a pod its node, conditions and additions. */
function told(answer: Answer): unknown {
  const { code, body } = answer;
  if (body?.kind === 'Status') return body.status === 'Success' ? { code, body } : refusal(answer);
  if (body?.kind !== 'Pod') return { code, body };
  const { metadata, spec, status } = body;
  const { labels, annotations, generation, deletionGracePeriodSeconds } = metadata;
  return sorted({
    code,
    ...normalize({ labels, annotations, generation, deletionGracePeriodSeconds }),
    isDeleted: metadata.deletionTimestamp !== undefined,
    nodeName: spec.nodeName,
    ephemeralContainers: spec.ephemeralContainers?.map(({ name }: any) => name),
    conditions: normalize(status.conditions),
  });
}
