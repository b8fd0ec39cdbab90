import type { Randomness } from '../../support/randomness.ts';
import type { Sending } from '../../support/session.ts';

const operations = ['CREATE', 'UPDATE', 'DELETE', 'CONNECT'];
const groups = ['', 'apps', 'autoscaling', 'conformance.example.com', 'rbac.authorization.k8s.io'];
const versions = ['v1', 'v2', 'v1beta1'];
const plurals = [
  'configmaps',
  'pods',
  'deployments',
  'horizontalpodautoscalers',
  'matcheds',
  'namespaces',
  'clusterroles',
];
const paths = ['status', 'scale', 'exec', 'finalize'];
const values = ['a', 'b'];

/** What a webhook of a random kind sees. */
export function randomMatch(random: Randomness): object {
  return {
    rules: some(random, () => randomRule(random)),
    ...(random.chance(0.3) && { namespaceSelector: randomSelector(random) }),
    ...(random.chance(0.3) && { objectSelector: randomSelector(random) }),
    matchPolicy: random.pick(['Exact', 'Equivalent', 'Equivalent']),
  };
}

function randomRule(random: Randomness): object {
  const resource = () => {
    const plural = orAll(random, plurals, 0.3);
    return random.chance(0.3) ? `${plural}/${orAll(random, paths, 0.5)}` : plural;
  };
  return {
    operations: orOnlyAll(random, operations, 0.5),
    apiGroups: orOnlyAll(random, groups, 0.5),
    apiVersions: orOnlyAll(random, versions, 0.4),
    resources: [resource()],
    scope: random.pick(['*', '*', 'Namespaced', 'Cluster']),
  };
}

function randomSelector(random: Randomness): object {
  if (random.chance(0.5)) return { matchLabels: { tier: random.pick(values) } };
  const operator = random.pick(['In', 'NotIn', 'Exists', 'DoesNotExist']);
  const isSet = operator === 'In' || operator === 'NotIn';
  return { matchExpressions: [{ key: 'tier', operator, ...(isSet && { values: [random.pick(values)] }) }] };
}

function orAll(random: Randomness, choices: readonly string[], probability: number): string {
  return random.chance(probability) ? '*' : random.pick(choices);
}

/** A wildcard must be the only value. */
function orOnlyAll(random: Randomness, choices: readonly string[], probability: number): string[] {
  return random.chance(probability) ? ['*'] : [...new Set(some(random, () => random.pick(choices)))];
}

function some<Value>(random: Randomness, one: () => Value): Value[] {
  return Array.from({ length: random.pick([1, 1, 2]) }, one);
}

const core = (namespace: string) => `/api/v1/namespaces/${namespace}`;
const dry = '?dryRun=All';
const labeled = (value?: string) => ({ ...(value !== undefined && { labels: { tier: value } }) });
const body = (name: string, value?: string, rest: object = {}): Sending => ({
  body: { metadata: { name, ...labeled(value) }, ...rest },
});
const merge = (patch: unknown): Sending => ({ body: patch, contentType: 'application/merge-patch+json' });
const relabeled = (value: string) => merge({ metadata: { labels: { tier: value } } });
const containers = [{ name: 'c', image: 'i' }];
const template = { metadata: { labels: { a: 'b' } }, spec: { containers } };
const deployment = { spec: { selector: { matchLabels: { a: 'b' } }, template } };
const scaler = (version: string, name: string): Sending => ({
  body: {
    apiVersion: `autoscaling/${version}`,
    kind: 'HorizontalPodAutoscaler',
    metadata: { name },
    spec: { maxReplicas: 2, scaleTargetRef: { kind: 'Deployment', name: 'stored', apiVersion: 'apps/v1' } },
  },
});
const matched = (version: string, name: string, value?: string): Sending => ({
  body: {
    apiVersion: `conformance.example.com/${version}`,
    kind: 'Matched',
    metadata: { name, ...labeled(value) },
    spec: { a: 'x' },
  },
});
const customs = (version: string) => `/apis/conformance.example.com/${version}/namespaces/tier-a/matcheds`;
const apps = '/apis/apps/v1/namespaces/tier-a/deployments';
const scalers = (version: string) =>
  `/apis/autoscaling/${version}/namespaces/tier-a/horizontalpodautoscalers`;

/** Objects that the requests are about. */
export const matchedObjects: readonly (readonly [path: string, sending: Sending])[] = [
  ['/api/v1/namespaces', body('tier-a', 'a')],
  ['/api/v1/namespaces', body('tier-none')],
  [`${core('tier-a')}/configmaps`, body('stored', 'a')],
  [`${core('tier-a')}/pods`, body('stored', 'b', { spec: { containers } })],
  [apps, body('stored', 'a', deployment)],
  [scalers('v2'), scaler('v2', 'stored')],
  [customs('v1'), matched('v1', 'stored', 'a')],
];

/** Requests that webhooks may see. None of them changes anything. */
export const questions: Record<string, readonly [method: string, path: string, sending?: Sending]> = {
  'create of a ConfigMap': ['POST', `${core('tier-a')}/configmaps${dry}`, body('new')],
  'create of a ConfigMap with a': ['POST', `${core('tier-a')}/configmaps${dry}`, body('new', 'a')],
  'create of a ConfigMap elsewhere': ['POST', `${core('tier-none')}/configmaps${dry}`, body('new', 'b')],
  'relabeled ConfigMap': ['PATCH', `${core('tier-a')}/configmaps/stored${dry}`, relabeled('b')],
  'deletion of a ConfigMap': ['DELETE', `${core('tier-a')}/configmaps/stored${dry}`],
  'deletion of ConfigMaps': ['DELETE', `${core('tier-a')}/configmaps${dry}`],
  'create of a Pod': ['POST', `${core('tier-a')}/pods${dry}`, body('new', 'a', { spec: { containers } })],
  'status of a Pod': [
    'PATCH',
    `${core('tier-a')}/pods/stored/status${dry}`,
    merge({ status: { reason: 'x' } }),
  ],
  exec: ['POST', `${core('tier-a')}/pods/stored/exec?command=a`],
  'create of a Deployment': ['POST', `${apps}${dry}`, body('new', 'b', deployment)],
  'scale of a Deployment': ['PATCH', `${apps}/stored/scale${dry}`, merge({ spec: { replicas: 2 } })],
  'status of a Deployment': ['PATCH', `${apps}/stored/status${dry}`, merge({ status: { replicas: 0 } })],
  'create of an autoscaler in v1': ['POST', `${scalers('v1')}${dry}`, scaler('v1', 'new')],
  'create of an autoscaler in v2': ['POST', `${scalers('v2')}${dry}`, scaler('v2', 'new')],
  'deletion of an autoscaler in v1': ['DELETE', `${scalers('v1')}/stored${dry}`],
  'create of a custom resource in v1': ['POST', `${customs('v1')}${dry}`, matched('v1', 'new', 'b')],
  'create of a custom resource in v2': ['POST', `${customs('v2')}${dry}`, matched('v2', 'new')],
  'relabeled custom resource in v2': ['PATCH', `${customs('v2')}/stored${dry}`, relabeled('b')],
  'status of a custom resource in v1': [
    'PATCH',
    `${customs('v1')}/stored/status${dry}`,
    merge({ status: { ready: true } }),
  ],
  'deletion of a custom resource in v2': ['DELETE', `${customs('v2')}/stored${dry}`],
  'create of a Namespace': ['POST', `/api/v1/namespaces${dry}`, body('tier-new', 'a')],
  'relabeled Namespace': ['PATCH', `/api/v1/namespaces/tier-a${dry}`, relabeled('b')],
  'deletion of a Namespace': ['DELETE', `/api/v1/namespaces/tier-a${dry}`],
  'finalized Namespace': [
    'PUT',
    `/api/v1/namespaces/tier-a/finalize${dry}`,
    body('tier-a', 'b', { spec: { finalizers: ['kubernetes'] } }),
  ],
  'create of a ClusterRole': [
    'POST',
    `/apis/rbac.authorization.k8s.io/v1/clusterroles${dry}`,
    body('new', 'a'),
  ],
};
