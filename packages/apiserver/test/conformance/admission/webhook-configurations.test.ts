import { expect, test } from 'vitest';
import { type Change, askCreates, askUpdates } from '../../support/kind-cases.ts';
import { onEachServer } from '../../support/on-each-server.ts';
import { asRecorded } from '../../support/recorded.ts';

const api = '/apis/admissionregistration.k8s.io/v1';
const rule = { operations: ['CREATE'], apiGroups: ['apps'], apiVersions: ['v1'], resources: ['deployments'] };
const webhook = {
  name: 'a.example.com',
  clientConfig: { url: 'https://a.example.com/hook' },
  sideEffects: 'None',
  admissionReviewVersions: ['v1'],
};
const badSelector = {
  matchLabels: { 'a b': '!' },
  matchExpressions: [{ key: 'a', operator: 'Like' }],
};

/** Rules, each with an error. */
const badRules = [
  {},
  { ...rule, operations: ['*', 'CREATE'], apiGroups: ['*', 'a'], apiVersions: ['*', 'b'] },
  { ...rule, operations: ['FLY', ''], apiVersions: [''], scope: 'World' },
  { ...rule, resources: ['*', 'pods'] },
  { ...rule, resources: ['pods', '*'] },
  { ...rule, resources: ['*/*', 'pods'] },
  { ...rule, resources: ['pods/*', 'pods/status', '*/scale', 'deployments/scale', ''] },
];
const goodRules = [
  rule,
  {
    ...rule,
    operations: ['*'],
    apiGroups: ['*'],
    apiVersions: ['*'],
    resources: ['*/*'],
    scope: 'Namespaced',
  },
  { ...rule, resources: ['*', 'pods/status', '*/scale'], scope: 'Cluster' },
];
const paths = ['', '/', '//', 'a', '/a/', '/a//b', '/a/B', '/a/b.c', 'a//'];
const urls = [
  'http://a.b',
  'https://',
  'a.b/c',
  '',
  'https://user:secret@a.b',
  'https://a.b/c#d',
  'https://a.b/c?d',
  'HTTPS://a.b:8443/c',
  '/hook',
];

/** Fields of one webhook, or the webhooks. */
const webhooks: Record<string, object | object[]> = {
  'a webhook': {},
  'no webhooks': [],
  'all fields': {
    rules: goodRules,
    failurePolicy: 'Ignore',
    matchPolicy: 'Exact',
    timeoutSeconds: 30,
    namespaceSelector: { matchLabels: { a: 'b' } },
    objectSelector: { matchExpressions: [{ key: 'a', operator: 'Exists' }] },
    matchConditions: [{ name: 'a', expression: 'true' }],
  },
  'an empty webhook': [{}],
  'a service': { clientConfig: { service: { name: 's', namespace: 'n' } } },
  'a service with a path': {
    clientConfig: { service: { name: 's', namespace: 'n', path: '/a/b', port: 8443 }, caBundle: 'YQ==' },
  },
  'a service without a name': { clientConfig: { service: { namespace: 'n' } } },
  'a service without a namespace': { clientConfig: { service: { name: 's' } } },
  'a service with a bad port': { clientConfig: { service: { name: 's', namespace: 'n', port: 70_000 } } },
  'nobody to ask': { clientConfig: {} },
  'a URL and a service': {
    clientConfig: { url: 'https://a.b', service: { name: 's', namespace: 'n' } },
  },
  names: ['a', 'a.b', 'A.b.c', '', 'a.b.c.d'].map((name) => ({ ...webhook, name })),
  'the same name twice': [webhook, webhook],
  'side effects': ['Some', 'Unknown', 'NoneOnDryRun', ''].map((sideEffects, index) => ({
    ...webhook,
    name: `${index}.example.com`,
    sideEffects,
  })),
  'no side effects': { sideEffects: undefined },
  'no versions': { admissionReviewVersions: [] },
  versions: { admissionReviewVersions: ['v1', 'v1beta1', 'v2'] },
  'versions that nobody knows': { admissionReviewVersions: ['v2', 'V3', 'v2'] },
  'policies that nobody knows': { failurePolicy: 'Maybe', matchPolicy: 'Fuzzy' },
  'empty policies': { failurePolicy: '', matchPolicy: '' },
  'a timeout of nothing': { timeoutSeconds: 0 },
  'a long timeout': { timeoutSeconds: 31 },
  'bad selectors': { namespaceSelector: badSelector, objectSelector: badSelector },
  'bad rules': { rules: badRules },
  reinvocation: { reinvocationPolicy: 'IfNeeded' },
  'another reinvocation': { reinvocationPolicy: 'Always' },
  'conditions without fields': { matchConditions: [{}, { name: 'a b', expression: ' ' }] },
  'conditions of the same name': {
    matchConditions: [
      { name: 'a', expression: 'true' },
      { name: 'a', expression: 'false' },
    ],
  },
  'many conditions': {
    matchConditions: Array.from({ length: 65 }, (_, index) => ({ name: `c${index}`, expression: 'true' })),
  },
  ...Object.fromEntries(
    paths.map((path) => [
      `the path '${path}'`,
      { clientConfig: { service: { name: 's', namespace: 'n', path } } },
    ]),
  ),
  ...Object.fromEntries(urls.map((url) => [`the URL '${url}'`, { clientConfig: { url } }])),
};
const webhookCases: Record<string, Change> = Object.fromEntries(
  Object.entries(webhooks).map(([name, value]) => [
    name,
    (object: any) => void (object.webhooks = Array.isArray(value) ? value : [{ ...webhook, ...value }]),
  ]),
);

/** Cases that change the `spec` of the base object. */
function specs(values: Record<string, object>): Record<string, Change> {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [
      name,
      (object: any) => void (object.spec = { ...object.spec, ...value }),
    ]),
  );
}

const constraints = { resourceRules: [rule] };
const validations = [{ expression: 'true' }];
const policyCases = {
  'a policy': {},
  'no constraints': { matchConstraints: undefined },
  'empty constraints': { matchConstraints: {} },
  'constraints with all fields': {
    matchConstraints: {
      matchPolicy: 'Exact',
      namespaceSelector: { matchLabels: { a: 'b' } },
      resourceRules: [{ ...rule, resourceNames: ['a'] }],
      excludeResourceRules: [rule],
    },
  },
  'bad constraints': {
    matchConstraints: {
      matchPolicy: 'Fuzzy',
      namespaceSelector: badSelector,
      objectSelector: badSelector,
      resourceRules: [...badRules, { ...rule, resourceNames: ['a', 'a', 'b/c', '..'] }],
      excludeResourceRules: [{}],
    },
  },
  'a bad failure policy': { failurePolicy: 'Maybe' },
  parameters: { paramKind: { apiVersion: 'a.b/v1', kind: 'K' } },
  'parameters of the core group': { paramKind: { apiVersion: 'v1', kind: 'ConfigMap' } },
  'empty parameters': { paramKind: {} },
  'parameters of a bad group': { paramKind: { apiVersion: 'A_b/V1', kind: '1K' } },
  'parameters of too many groups': { paramKind: { apiVersion: 'a/b/c', kind: 'K' } },
  'parameters without a version': { paramKind: { apiVersion: 'a/', kind: 'K' } },
  conditions: { matchConditions: [{ name: 'a', expression: 'true' }] },
  'conditions with faults': { matchConditions: [{}, { name: 'a b', expression: ' ' }] },
  variables: { variables: [{ name: 'a', expression: '1' }] },
  'variables with faults': {
    variables: [{}, { name: 'a-b', expression: ' ' }, { name: 'in', expression: '1' }],
  },
};
const validatingCases = specs({
  ...policyCases,
  'validations with all fields': {
    validations: [{ expression: 'true', message: 'm', messageExpression: "'a'", reason: 'Forbidden' }],
  },
  'no validations': { validations: [] },
  'validations with faults': {
    validations: [
      {},
      { expression: ' ', message: ' ', messageExpression: ' ', reason: 'Because' },
      { expression: 'true', message: 'a\nb' },
    ],
  },
  'annotations alone': { validations: [], auditAnnotations: [{ key: 'a', valueExpression: "'b'" }] },
  'annotations with faults': {
    auditAnnotations: [
      { key: 'a', valueExpression: "'b'" },
      { key: 'a', valueExpression: ' ' },
      { key: 'b c', valueExpression: "'b'" },
      { key: '', valueExpression: `'${'x'.repeat(5120)}'` },
    ],
  },
});
const jsonPatch = { expression: '[JSONPatch{op: "add", path: "/metadata/labels/a", value: "b"}]' };
const applyConfiguration = { expression: 'Object{}' };
const mutatingCases = specs({
  ...policyCases,
  'no mutations': { mutations: [] },
  'a configuration that is applied': { mutations: [{ patchType: 'ApplyConfiguration', applyConfiguration }] },
  'mutations with faults': {
    mutations: [
      {},
      { patchType: 'Guess' },
      { patchType: 'JSONPatch' },
      { patchType: 'ApplyConfiguration' },
      { patchType: 'JSONPatch', jsonPatch, applyConfiguration },
      { patchType: 'ApplyConfiguration', jsonPatch, applyConfiguration },
      { patchType: 'JSONPatch', jsonPatch: {} },
      { patchType: 'ApplyConfiguration', applyConfiguration: { expression: ' ' } },
    ],
  },
  'no reinvocation': { reinvocationPolicy: undefined },
  'another reinvocation': { reinvocationPolicy: 'Always' },
  'operations without an object': {
    matchConstraints: { resourceRules: [{ ...rule, operations: ['DELETE', 'CONNECT'] }] },
  },
});

const paramRef = { name: 'p', parameterNotFoundAction: 'Deny' };
const bindingCases = {
  'a binding': {},
  'no policy': { policyName: undefined },
  'a bad policy': { policyName: 'A b' },
  parameters: { paramRef },
  'parameters by labels': {
    paramRef: { selector: { matchLabels: { a: 'b' } }, parameterNotFoundAction: 'Allow' },
  },
  'no parameters': { paramRef: {} },
  'parameters by name and labels': { paramRef: { ...paramRef, selector: {} } },
  'bad parameters': { paramRef: { name: 'a/b', parameterNotFoundAction: 'Shrug' } },
  'parameters by bad labels': { paramRef: { selector: badSelector, parameterNotFoundAction: 'Deny' } },
  resources: { matchResources: { resourceRules: [rule] } },
  'no resources': { matchResources: {} },
  'bad resources': { matchResources: { matchPolicy: 'Fuzzy', resourceRules: badRules } },
};
const validatingBindingCases = specs({
  ...bindingCases,
  'all actions': { validationActions: ['Audit', 'Deny'] },
  'no actions': { validationActions: [] },
  'bad actions': { validationActions: ['Deny', 'Warn', 'Shout', 'Deny'] },
});

const kinds: { plural: string; base: object; cases: Record<string, Change>; updates?: true }[] = [
  {
    plural: 'mutatingwebhookconfigurations',
    base: { webhooks: [webhook] },
    cases: webhookCases,
    updates: true,
  },
  { plural: 'validatingwebhookconfigurations', base: { webhooks: [webhook] }, cases: webhookCases },
  {
    plural: 'validatingadmissionpolicies',
    base: { spec: { matchConstraints: constraints, validations } },
    cases: validatingCases,
  },
  {
    plural: 'mutatingadmissionpolicies',
    base: {
      spec: {
        matchConstraints: constraints,
        mutations: [{ patchType: 'JSONPatch', jsonPatch }],
        reinvocationPolicy: 'Never',
      },
    },
    cases: mutatingCases,
  },
  {
    plural: 'validatingadmissionpolicybindings',
    base: { spec: { policyName: 'p', validationActions: ['Deny'] } },
    cases: validatingBindingCases,
    updates: true,
  },
  {
    plural: 'mutatingadmissionpolicybindings',
    base: { spec: { policyName: 'p' } },
    cases: specs({
      ...bindingCases,
      'operations without an object': {
        matchResources: { resourceRules: [{ ...rule, operations: ['DELETE'] }] },
      },
    }),
    updates: true,
  },
];
const objects = kinds.map((kind) => ({
  ...kind,
  path: `${api}/${kind.plural}`,
  base: { metadata: { name: 'case' }, ...kind.base },
}));

onEachServer('webhooks and policies', (server) => {
  test.each(objects)('$plural that are created', async ({ plural, ...kind }) => {
    const outcomes = await askCreates(server.session, kind);
    await expect(asRecorded(outcomes)).toMatchFileSnapshot(
      `../recorded/webhook-configurations/${plural}.yaml`,
    );
  });

  test.each(objects.filter(({ updates }) => updates))('$plural that are changed', async (kind) => {
    const outcomes = await askUpdates(server.session, kind);
    const file = `../recorded/webhook-configurations/${kind.plural}-updates.yaml`;
    await expect(asRecorded(outcomes)).toMatchFileSnapshot(file);
    await server.session.delete(`${kind.path}/case`);
  });
});
