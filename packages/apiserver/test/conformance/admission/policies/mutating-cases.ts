import { type CaseRequest, type PolicyCase, configMap, configMaps } from './policy-case.ts';

function applying(...expressions: string[]): Record<string, unknown> {
  return {
    mutations: expressions.map((expression) => ({
      patchType: 'ApplyConfiguration',
      applyConfiguration: { expression },
    })),
  };
}

function patching(...expressions: string[]): Record<string, unknown> {
  return {
    mutations: expressions.map((expression) => ({ patchType: 'JSONPatch', jsonPatch: { expression } })),
  };
}

const deploymentRules = {
  matchConstraints: {
    resourceRules: [
      {
        operations: ['CREATE', 'UPDATE'],
        apiGroups: ['apps'],
        apiVersions: ['v1'],
        resources: ['deployments'],
      },
    ],
  },
};
const deployment = {
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'web' },
  spec: {
    replicas: 3,
    selector: { matchLabels: { app: 'web' } },
    template: {
      metadata: { labels: { app: 'web' } },
      spec: { containers: [{ name: 'c', image: 'nginx', args: ['a'] }], nodeSelector: { a: 'b' } },
    },
  },
};
const creating: CaseRequest[] = [
  { path: '/apis/apps/v1/namespaces/NAMESPACE/deployments', body: deployment },
];

function deploying(spec: Record<string, unknown>): PolicyCase {
  return { spec: { ...deploymentRules, ...spec }, requests: creating };
}

const withData: CaseRequest[] = [{ body: configMap({ a: '1' }) }];
const paramKind = { apiVersion: 'v1', kind: 'ConfigMap' };
const limits: [string, object] = [
  'configmaps',
  { metadata: { name: 'limits', labels: { use: 'yes' } }, data: { max: '2' } },
];
const moreLimits: [string, object] = [
  'configmaps',
  { metadata: { name: 'more', labels: { use: 'yes' } }, data: { min: '1' } },
];
const notFound = { parameterNotFoundAction: 'Deny' };
const autoscaler: CaseRequest = {
  path: '/apis/autoscaling/v2/namespaces/NAMESPACE/horizontalpodautoscalers',
  body: {
    metadata: { name: 'h' },
    spec: { maxReplicas: 3, scaleTargetRef: { kind: 'Deployment', name: 'd', apiVersion: 'apps/v1' } },
  },
};
const appending = '[JSONPatch{op: "replace", path: "/data/a", value: object.data.a + "+"}]';

/** Policies that change objects, by what they show. */
export const mutatingCases: Record<string, PolicyCase> = {
  // ApplyConfiguration.
  'a label': { spec: applying('Object{metadata: Object.metadata{labels: {"added": "yes"}}}') },
  'a label beside others': {
    spec: applying('Object{metadata: Object.metadata{labels: {"added": "yes", "a": "c"}}}'),
    requests: [{ body: configMap({}, { labels: { a: 'b', z: 'z' } }) }],
  },
  'an entry': { spec: applying('Object{data: {"b": "2"}}'), requests: withData },
  'an empty object': { spec: applying('Object{}'), requests: withData },
  'a choice': {
    spec: applying('has(object.data) ? Object{data: {"x": "y"}} : Object{}'),
    requests: [...withData, {}],
  },
  'a computed entry': {
    spec: applying('Object{data: {"count": string(size(object.data)), "who": request.userInfo.username}}'),
    requests: withData,
  },
  'an optional field': {
    spec: applying('Object{metadata: Object.metadata{?labels: object.?data}}'),
    requests: [...withData, {}],
  },
  'several mutations': {
    spec: applying('Object{data: {"b": "2"}}', 'Object{data: {"c": object.data.b + "3"}}'),
    requests: withData,
  },
  'a number': deploying(applying('Object{spec: Object.spec{replicas: object.spec.replicas + 2}}')),
  'an item of a list with keys': deploying(
    applying(
      'Object{spec: Object.spec{template: Object.spec.template{spec: Object.spec.template.spec{containers: [Object.spec.template.spec.containers{name: "c", image: "other"}, Object.spec.template.spec.containers{name: "sidecar", image: "x"}]}}}}',
    ),
  ),
  'every item of a list': deploying(
    applying(
      'Object{spec: Object.spec{template: Object.spec.template{spec: Object.spec.template.spec{containers: object.spec.template.spec.containers.map(c, Object.spec.template.spec.containers{name: c.name, imagePullPolicy: "Always"})}}}}',
    ),
  ),
  'a list that is owned as a whole': deploying(
    applying(
      'Object{spec: Object.spec{template: Object.spec.template{spec: Object.spec.template.spec{containers: [Object.spec.template.spec.containers{name: "c", args: ["b"]}]}}}}',
    ),
  ),
  'a map that is owned as a whole': deploying(
    applying(
      'Object{spec: Object.spec{template: Object.spec.template{spec: Object.spec.template.spec{nodeSelector: {"x": "y"}}}}}',
    ),
  ),
  'a map literal for an object': deploying(applying('Object{spec: {"replicas": 5}}')),
  'an unknown field': deploying(applying('Object{spec: Object.spec{nothing: 1}}')),
  'an unknown field of a ConfigMap': { spec: applying('Object{spec: Object.spec{x: 1}}') },
  'a field of the wrong type': deploying(applying('Object{spec: Object.spec{replicas: "many"}}')),
  'an item without a key': deploying(
    applying(
      'Object{spec: Object.spec{template: Object.spec.template{spec: Object.spec.template.spec{containers: [Object.spec.template.spec.containers{image: "x"}]}}}}',
    ),
  ),
  'a type in the wrong place': deploying(applying('Object{spec: Object.metadata{replicas: 1}}')),
  'types in the wrong place': deploying(
    applying('Object{spec: Object.spec{template: Object.spec.foo{spec: Object.bar{}}}}'),
  ),
  'a type of an item in the wrong place': deploying(
    applying(
      'Object{spec: Object.spec{template: Object.spec.template{spec: Object.spec.template.spec{containers: [Object.spec{name: "c"}]}}}}',
    ),
  ),
  'an invalid object': deploying(applying('Object{spec: Object.spec{replicas: -1}}')),
  'a value that does not exist': { spec: applying('Object{data: {"x": object.nothing.there}}') },
  'a value that does not exist, ignored': {
    spec: { ...applying('Object{data: {"x": object.nothing.there}}'), failurePolicy: 'Ignore' },
  },
  'a mutation after one that fails': {
    spec: {
      ...applying('Object{data: {"x": object.no.where}}', 'Object{data: {"b": "2"}}'),
      failurePolicy: 'Ignore',
    },
  },
  'two mutations that fail': {
    spec: applying('Object{data: {"x": object.no.where}}', 'Object{data: {"x": object.no.there}}'),
  },
  'a null': { spec: applying('Object{data: {"b": "2"}, immutable: dyn(null)}') },
  'a null for a text': { spec: applying('Object{data: {"b": dyn(null)}}') },
  'a null for a number': deploying(applying('Object{spec: Object.spec{replicas: dyn(null)}}')),
  'a null for an object': deploying(applying('Object{spec: Object.spec{template: dyn(null)}}')),
  'a bool': { spec: applying('Object{immutable: true}') },
  'the name of the object': { spec: applying('Object{metadata: Object.metadata{name: "other"}}') },
  'the namespace of the object': { spec: applying('Object{metadata: Object.metadata{namespace: "other"}}') },
  'the kind of the object': { spec: applying('Object{kind: "Secret", data: {"x": "y"}}') },
  'annotations and finalizers': {
    spec: applying(
      'Object{metadata: Object.metadata{annotations: {"a/b": "c"}, finalizers: ["example.com/keep"]}}',
    ),
    requests: [{ body: configMap({}, { finalizers: ['example.com/other'] }) }],
  },
  // JSON patches.
  'a patch': { spec: patching('[JSONPatch{op: "add", path: "/data/b", value: "2"}]'), requests: withData },
  'an empty patch': {
    spec: patching('false ? [JSONPatch{op: "add", path: "/data/x", value: "1"}] : []'),
    requests: withData,
  },
  'a patch of several operations': {
    spec: patching(
      '[JSONPatch{op: "test", path: "/data/a", value: "1"}, JSONPatch{op: "replace", path: "/data/a", value: "2"}, JSONPatch{op: "copy", from: "/data/a", path: "/data/b"}, JSONPatch{op: "move", from: "/data/a", path: "/data/c"}]',
    ),
    requests: withData,
  },
  'a test that fails': {
    spec: patching(
      '[JSONPatch{op: "test", path: "/data/a", value: "2"}, JSONPatch{op: "replace", path: "/data/a", value: "3"}]',
    ),
    requests: withData,
  },
  'a patch that does not apply': {
    spec: patching('[JSONPatch{op: "remove", path: "/data/x"}]'),
    requests: withData,
  },
  'a patch of a parent that does not exist': {
    spec: patching('[JSONPatch{op: "add", path: "/nothing/x", value: 1}]'),
  },
  'a patch that does not apply, ignored': {
    spec: { ...patching('[JSONPatch{op: "remove", path: "/data/x"}]'), failurePolicy: 'Ignore' },
    requests: withData,
  },
  'an operation that does not exist': {
    spec: patching('[JSONPatch{op: "frob", path: "/data/x"}]'),
    requests: withData,
  },
  'an operation without a path': { spec: patching('[JSONPatch{op: "add", value: "x"}]'), requests: withData },
  'an operation without a value': {
    spec: patching('[JSONPatch{op: "add", path: "/data/x"}]'),
    requests: withData,
  },
  'a patch with an unknown field': {
    spec: patching('[JSONPatch{op: "add", path: "/nothing", value: {"x": "y"}}]'),
    requests: withData,
  },
  'a patch with a value of the wrong type': {
    spec: patching('[JSONPatch{op: "add", path: "/data/x", value: 1}]'),
    requests: withData,
  },
  'an escaped key': {
    spec: patching(
      '[JSONPatch{op: "add", path: "/metadata/annotations", value: {}}, JSONPatch{op: "add", path: "/metadata/annotations/" + jsonpatch.escapeKey("example.com/a~b"), value: "x"}]',
    ),
  },
  'an object in a patch': deploying(
    patching(
      '[JSONPatch{op: "add", path: "/spec/template/spec/containers/-", value: Object.spec.template.spec.containers{name: "sidecar", image: "x", ports: [Object.spec.template.spec.containers.ports{containerPort: 80}]}}]',
    ),
  ),
  'an object of the wrong type in a patch': deploying(
    patching(
      '[JSONPatch{op: "add", path: "/spec/strategy", value: Object.spec.strategy{rollingUpdate: Object.foo{}}}]',
    ),
  ),
  'a list and numbers in a patch': deploying(
    patching(
      '[JSONPatch{op: "replace", path: "/spec/replicas", value: object.spec.replicas + 1}, JSONPatch{op: "add", path: "/spec/template/spec/containers/0/args", value: ["x", "y"]}]',
    ),
  ),
  'patches by condition': {
    spec: patching(
      'has(object.data) && "a" in object.data ? [JSONPatch{op: "add", path: "/data/b", value: object.data.a}] : []',
    ),
    requests: [...withData, {}],
  },
  'mixed mutations': {
    spec: {
      mutations: [
        {
          patchType: 'JSONPatch',
          jsonPatch: { expression: '[JSONPatch{op: "add", path: "/data/b", value: "2"}]' },
        },
        {
          patchType: 'ApplyConfiguration',
          applyConfiguration: { expression: 'Object{data: {"c": object.data.b + "3"}}' },
        },
      ],
    },
    requests: withData,
  },
  // What mutations see.
  'system fields of a new object': {
    spec: applying(
      'Object{data: {"seen": [has(object.metadata.uid), has(object.metadata.creationTimestamp), has(object.metadata.managedFields), has(object.metadata.namespace)].map(x, string(x)).join()}}',
    ),
  },
  'a generated name': {
    spec: applying('Object{data: {"named": string(has(request.name)) + string(has(object.metadata.name))}}'),
    requests: [{ body: configMap({}, { name: undefined, generateName: 'generated-' }) }],
  },
  'the namespace': {
    spec: applying('Object{data: {"team": namespaceObject.metadata.labels["team"]}}'),
    labels: { team: 'a' },
  },
  'variables of changed objects': {
    spec: {
      variables: [{ name: 'count', expression: 'string(size(object.data))' }],
      ...applying('Object{data: {"x": variables.count}}', 'Object{data: {"y": variables.count}}'),
    },
    requests: withData,
  },
  conditions: {
    spec: {
      ...applying('Object{data: {"x": "y"}}'),
      matchConditions: [{ name: 'c', expression: 'has(object.data)' }],
    },
    requests: [...withData, {}],
  },
  'a condition that fails': {
    spec: {
      ...applying('Object{data: {"x": "y"}}'),
      matchConditions: [{ name: 'c', expression: 'object.no.where == 1' }],
    },
  },
  'a condition that fails, ignored': {
    spec: {
      ...applying('Object{data: {"x": "y"}}'),
      failurePolicy: 'Ignore',
      matchConditions: [{ name: 'c', expression: 'object.no.where == 1' }],
    },
  },
  'the authorizer': {
    spec: applying('Object{data: {"may": string(authorizer.requestResource.check("anything").allowed())}}'),
  },
  'an update': {
    spec: applying('Object{metadata: Object.metadata{labels: {"op": request.operation}}}'),
    objects: [['configmaps', configMap({ a: '1' })]],
    requests: [
      { path: 'configmaps/one', method: 'PUT', body: configMap({ a: '2' }) },
      {
        path: 'configmaps/one',
        method: 'PATCH',
        body: { data: { a: '3' } },
        contentType: 'application/merge-patch+json',
      },
      {
        path: 'configmaps/one?fieldManager=me&force=true',
        method: 'PATCH',
        body: { apiVersion: 'v1', kind: 'ConfigMap', data: { a: '4' } },
        contentType: 'application/apply-patch+yaml',
      },
      { path: 'configmaps/one', method: 'DELETE' },
    ],
  },
  // Parameters and configuration.
  'a parameter': {
    spec: { ...applying('Object{data: {"max": params.data.max}}'), paramKind },
    bindings: [{ paramRef: { name: 'limits', ...notFound } }],
    objects: [limits],
  },
  'every parameter': {
    spec: { ...applying('Object{data: params.data}'), paramKind },
    bindings: [{ paramRef: { selector: { matchLabels: { use: 'yes' } }, ...notFound } }],
    objects: [limits, moreLimits],
  },
  'a parameter that does not exist': {
    spec: { ...applying('Object{data: {"max": params.data.max}}'), paramKind },
    bindings: [{ paramRef: { name: 'limits', ...notFound } }],
  },
  'a parameter that does not exist, allowed': {
    spec: { ...applying('Object{data: {"max": params.data.max}}'), paramKind },
    bindings: [{ paramRef: { name: 'limits', parameterNotFoundAction: 'Allow' } }],
  },
  'a kind of parameters that does not exist': {
    spec: { ...applying('Object{}'), paramKind: { apiVersion: 'nothing.example.com/v1', kind: 'Nothing' } },
    bindings: [{ paramRef: { name: 'limits', ...notFound } }],
  },
  'no binding': { spec: applying('Object{data: {"x": "y"}}'), bindings: [] },
  'two bindings': {
    spec: patching(appending),
    bindings: [{}, {}],
    requests: withData,
  },
  reinvocation: {
    spec: { ...patching(appending), reinvocationPolicy: 'IfNeeded' },
    requests: withData,
  },
  'no reinvocation': { spec: patching(appending), requests: withData },
  'reinvocation in two bindings': {
    spec: { ...patching(appending), reinvocationPolicy: 'IfNeeded' },
    bindings: [{}, {}],
    requests: withData,
  },
  // Constraints.
  'an equivalent version': {
    spec: {
      matchConstraints: {
        resourceRules: [
          {
            operations: ['CREATE'],
            apiGroups: ['autoscaling'],
            apiVersions: ['v1'],
            resources: ['horizontalpodautoscalers'],
          },
        ],
      },
      ...applying('Object{spec: Object.spec{targetCPUUtilizationPercentage: 44}}'),
    },
    requests: [autoscaler],
  },
  scale: {
    spec: {
      matchConstraints: {
        resourceRules: [
          {
            operations: ['UPDATE'],
            apiGroups: ['apps'],
            apiVersions: ['v1'],
            resources: ['deployments/scale'],
          },
        ],
      },
      ...patching('[JSONPatch{op: "replace", path: "/spec/replicas", value: 9}]'),
    },
    objects: [['/apis/apps/v1/namespaces/NAMESPACE/deployments', deployment]],
    requests: [
      {
        path: '/apis/apps/v1/namespaces/NAMESPACE/deployments/web/scale',
        method: 'PATCH',
        body: { spec: { replicas: 4 } },
        contentType: 'application/merge-patch+json',
      },
    ],
  },
  'another resource': { spec: { ...applying('Object{data: {"x": "y"}}'), ...deploymentRules } },
  'an excluded name': {
    spec: {
      ...applying('Object{data: {"x": "y"}}'),
      matchConstraints: { excludeResourceRules: [{ ...configMaps, resourceNames: ['one'] }] },
    },
    requests: [{}, { body: configMap({}, { name: 'two' }) }],
  },
  // Costs.
  'a mutation that is too expensive': {
    spec: applying(
      'Object{data: {"x": string([1,2,3,4,5,6,7,8,9].all(a, [1,2,3,4,5,6,7,8,9].all(b, [1,2,3,4,5,6,7,8,9].all(c, [1,2,3,4,5,6,7,8,9].all(d, [1,2,3,4,5,6,7,8,9].all(e, [1,2,3,4,5,6,7,8,9].all(f, a + b + c + d + e + f > 0)))))))}}',
    ),
  },
};
