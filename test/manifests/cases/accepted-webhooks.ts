/** What is written in a @webhook tag after mutating, name, path and the rule, and what the webhook then has. */
export interface AcceptedWebhook {
  readonly name: string;
  /** Arguments in the object form; they replace those of {@link webhookArguments}. */
  readonly arguments: Readonly<Record<string, string | undefined>>;
  /** Fields of the webhook, merged over those that are there without arguments. */
  readonly webhook: object;
}

/** The least that a tag says. */
export const webhookArguments: Readonly<Record<string, string | undefined>> = {
  mutating: 'true',
  name: 'm.kb.io',
  path: '/m',
  groups: '[a.example.com]',
  versions: '[v1]',
  resources: '[foos]',
  verbs: '[CREATE]',
};

/** The webhook that it makes. */
export const leastWebhook = {
  name: 'm.kb.io',
  admissionReviewVersions: ['v1'],
  clientConfig: { service: { name: 'webhook-service', namespace: 'system', path: '/m' } },
  failurePolicy: 'Fail',
  rules: [{ apiGroups: ['a.example.com'], apiVersions: ['v1'], operations: ['CREATE'], resources: ['foos'] }],
  sideEffects: 'None',
};

const [rule] = leastWebhook.rules;
const service = leastWebhook.clientConfig.service;
const conditions = (count: number) =>
  Array.from({ length: count }, (_, i) => ({ name: `c${i}`, expression: 'true' }));

export const acceptedWebhooks: readonly AcceptedWebhook[] = [
  { name: 'the least', arguments: {}, webhook: {} },
  { name: 'a validating one', arguments: { mutating: 'false' }, webhook: {} },
  {
    name: 'all fields of a rule',
    arguments: {
      groups: '[core, apps]',
      versions: '[v1, v1beta1]',
      resources: '[pods, pods/status, "*\\/scale"]',
      verbs: '[create, Update, DELETE, connect]',
      scope: 'Namespaced',
    },
    webhook: {
      rules: [
        {
          apiGroups: ['', 'apps'],
          apiVersions: ['v1', 'v1beta1'],
          operations: ['CREATE', 'UPDATE', 'DELETE', 'CONNECT'],
          resources: ['pods', 'pods/status', '*/scale'],
          scope: 'Namespaced',
        },
      ],
    },
  },
  {
    name: 'everything',
    arguments: { groups: "['*']", versions: "['*']", resources: "['*\\/*']", verbs: "['*']", scope: "'*'" },
    webhook: {
      rules: [{ apiGroups: ['*'], apiVersions: ['*'], operations: ['*'], resources: ['*/*'], scope: '*' }],
    },
  },
  {
    name: 'all resources and some subresources',
    arguments: { resources: "['*', pods/exec, services/*, '*\\/scale']", scope: 'Cluster' },
    webhook: {
      rules: [{ ...rule, resources: ['*', 'pods/exec', 'services/*', '*/scale'], scope: 'Cluster' }],
    },
  },
  { name: 'failurePolicy', arguments: { failurePolicy: 'Ignore' }, webhook: { failurePolicy: 'Ignore' } },
  {
    name: 'failurePolicy in lower case',
    arguments: { failurePolicy: 'ignore' },
    webhook: { failurePolicy: 'Ignore' },
  },
  { name: 'matchPolicy', arguments: { matchPolicy: 'exact' }, webhook: { matchPolicy: 'Exact' } },
  {
    name: 'matchPolicy Equivalent',
    arguments: { matchPolicy: 'Equivalent' },
    webhook: { matchPolicy: 'Equivalent' },
  },
  {
    name: 'sideEffects',
    arguments: { sideEffects: 'noneondryrun' },
    webhook: { sideEffects: 'NoneOnDryRun' },
  },
  { name: 'timeoutSeconds 1', arguments: { timeoutSeconds: '1' }, webhook: { timeoutSeconds: 1 } },
  { name: 'timeoutSeconds 30', arguments: { timeoutSeconds: '30' }, webhook: { timeoutSeconds: 30 } },
  {
    name: 'reinvocationPolicy',
    arguments: { reinvocationPolicy: 'ifneeded' },
    webhook: { reinvocationPolicy: 'IfNeeded' },
  },
  {
    name: 'admissionReviewVersions',
    arguments: { admissionReviewVersions: '[v1, v1beta1]', webhookVersions: '[v1]' },
    webhook: { admissionReviewVersions: ['v1', 'v1beta1'] },
  },
  {
    name: 'another service',
    arguments: { serviceName: 'other', serviceNamespace: 'infra', servicePort: '8443', path: '/a.b/c-d/0' },
    webhook: {
      clientConfig: { service: { name: 'other', namespace: 'infra', path: '/a.b/c-d/0', port: 8443 } },
    },
  },
  {
    name: 'a url',
    arguments: {
      path: undefined,
      url: '"https://hooks.example.com:8443/a/b%20c"',
      admissionReviewVersions: '[v1beta1]',
    },
    webhook: {
      clientConfig: { url: 'https://hooks.example.com:8443/a/b%20c' },
      admissionReviewVersions: ['v1beta1'],
    },
  },
  {
    name: 'a url with an address',
    arguments: { path: undefined, url: '"https://[::1]:8443"' },
    webhook: { clientConfig: { url: 'https://[::1]:8443' } },
  },
  {
    name: 'namespaceSelector',
    arguments: {
      namespaceSelector: `{
        matchLabels: {team: a, "example.com/tier": ''},
        matchExpressions: [
          {key: kubernetes.io/metadata.name, operator: NotIn, values: [kube-system, kube-public]},
          {key: x, operator: Exists},
          {key: y, operator: DoesNotExist, values: []},
          {key: z, operator: In, values: ["1", '']}
        ]
      }`,
    },
    webhook: {
      namespaceSelector: {
        matchLabels: { team: 'a', 'example.com/tier': '' },
        matchExpressions: [
          { key: 'kubernetes.io/metadata.name', operator: 'NotIn', values: ['kube-system', 'kube-public'] },
          { key: 'x', operator: 'Exists' },
          { key: 'y', operator: 'DoesNotExist', values: [] },
          { key: 'z', operator: 'In', values: ['1', ''] },
        ],
      },
    },
  },
  {
    name: 'an empty selector',
    arguments: { namespaceSelector: '{}', objectSelector: '{matchLabels: {}}' },
    webhook: { namespaceSelector: {}, objectSelector: { matchLabels: {} } },
  },
  {
    name: 'objectSelector',
    arguments: { objectSelector: '{matchLabels: {managed: "true"}}' },
    webhook: { objectSelector: { matchLabels: { managed: 'true' } } },
  },
  {
    name: 'matchConditions',
    arguments: {
      matchConditions: `[
        {name: exclude-leases, expression: '!(request.resource.group == "coordination.k8s.io")'},
        {name: example.com/not-nodes, expression: "!('system:nodes' in request.userInfo.groups)"},
      ]`,
    },
    webhook: {
      matchConditions: [
        { name: 'exclude-leases', expression: '!(request.resource.group == "coordination.k8s.io")' },
        { name: 'example.com/not-nodes', expression: "!('system:nodes' in request.userInfo.groups)" },
      ],
    },
  },
  {
    name: 'a condition that asks the authorizer',
    arguments: {
      matchConditions: `[{name: a, expression: "authorizer.group('').resource('pods').check('get').allowed()"}]`,
    },
    webhook: {
      matchConditions: [
        { name: 'a', expression: "authorizer.group('').resource('pods').check('get').allowed()" },
      ],
    },
  },
  {
    name: '64 matchConditions',
    arguments: { matchConditions: JSON.stringify(conditions(64)) },
    webhook: { matchConditions: conditions(64) },
  },
  {
    name: 'a patch',
    arguments: {
      timeoutSeconds: '5',
      matchPolicy: 'Exact',
      patch: `{timeoutSeconds: null, failurePolicy: Ignore, clientConfig: {service: {port: 8443}},
        objectSelector: {matchLabels: {a: b}}, rules: [{apiGroups: [''], apiVersions: [v1], operations: [CREATE], resources: [pods]},
        {apiGroups: [apps], apiVersions: [v1], operations: ['*'], resources: [deployments], scope: Namespaced}],
        matchConditions: [{name: a, expression: 'true'}]}`,
    },
    webhook: {
      matchPolicy: 'Exact',
      failurePolicy: 'Ignore',
      clientConfig: { service: { ...service, port: 8443 } },
      objectSelector: { matchLabels: { a: 'b' } },
      rules: [
        { apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['pods'] },
        {
          apiGroups: ['apps'],
          apiVersions: ['v1'],
          operations: ['*'],
          resources: ['deployments'],
          scope: 'Namespaced',
        },
      ],
      matchConditions: [{ name: 'a', expression: 'true' }],
    },
  },
  {
    name: 'a patch that is text',
    arguments: { patch: `'{"namespaceSelector":{"matchLabels":{"a":"b"}}}'` },
    webhook: { namespaceSelector: { matchLabels: { a: 'b' } } },
  },
];
