import { type CaseRequest, type PolicyCase, configMap, configMaps } from './policy-case.ts';

/** A policy with validations that are expressions. */
function validating(...expressions: string[]): Record<string, unknown> {
  return { validations: expressions.map((expression) => ({ expression })) };
}

/** A policy whose message is the value of an expression. */
function telling(messageExpression: string): Record<string, unknown> {
  return { validations: [{ expression: 'false', messageExpression: `string(${messageExpression})` }] };
}

function posting(...bodies: object[]): CaseRequest[] {
  return bodies.map((body) => ({ body }));
}

const existing = { path: 'configmaps/one' };
const deployment = {
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'web' },
  spec: {
    replicas: 3,
    selector: { matchLabels: { app: 'web' } },
    template: {
      metadata: { labels: { app: 'web' } },
      spec: { containers: [{ name: 'c', image: 'nginx' }] },
    },
  },
};
const scaling: CaseRequest = {
  path: '/apis/apps/v1/namespaces/NAMESPACE/deployments/web/scale',
  method: 'PATCH',
  body: { spec: { replicas: 4 } },
  contentType: 'application/merge-patch+json',
};
const autoscaler: CaseRequest = {
  path: '/apis/autoscaling/v2/namespaces/NAMESPACE/horizontalpodautoscalers',
  body: {
    metadata: { name: 'h' },
    spec: { maxReplicas: 3, scaleTargetRef: { kind: 'Deployment', name: 'd', apiVersion: 'apps/v1' } },
  },
};
const paramKind = { apiVersion: 'v1', kind: 'ConfigMap' };
const limits: [string, object] = [
  'configmaps',
  { metadata: { name: 'limits', labels: { use: 'yes' } }, data: { max: '2' } },
];
const moreLimits: [string, object] = [
  'configmaps',
  { metadata: { name: 'more', labels: { use: 'yes' } }, data: { max: '1' } },
];
const one: [string, object] = ['configmaps', configMap({ a: '1' })];
const tooMany = validating('size(object.data) <= int(params.data.max)');
const notFound = { parameterNotFoundAction: 'Deny' };
const nine = '[1,2,3,4,5,6,7,8,9]';
/** About 450,000 units: it reads a text of 1,000 characters again and again, which takes much less time than loops of this cost. */
const expensive = `[1,2,3,4,5].all(a, ${nine}.all(b, !'${'x'.repeat(1000)}'.contains('${'y'.repeat(1000)}') && a + b > 0))`;
/** Loops in loops, in the words of the recorded answers. */
const endless = `${['a', 'b', 'c', 'd', 'e'].map((name) => `${nine}.all(${name}, `).join('')}${nine}.all(f, f + a > 0) && a + b + c + d + e > 0)))))`;
const three = { a: '1', b: '2', c: '3' };
const role = {
  metadata: { name: 'reader' },
  rules: [
    { apiGroups: [''], resources: ['secrets'], verbs: ['get'], resourceNames: ['allowed'] },
    { apiGroups: [''], resources: ['configmaps'], verbs: ['create', 'frob'] },
  ],
};
const access: [string, object][] = [
  ['/apis/rbac.authorization.k8s.io/v1/namespaces/NAMESPACE/roles', role],
  [
    '/apis/rbac.authorization.k8s.io/v1/namespaces/NAMESPACE/rolebindings',
    {
      metadata: { name: 'reader' },
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'reader' },
      subjects: [
        { kind: 'User', apiGroup: 'rbac.authorization.k8s.io', name: 'jane' },
        { kind: 'ServiceAccount', name: 'robot', namespace: 'default' },
      ],
    },
  ],
];

function asked(expression: string): PolicyCase {
  return { spec: telling(expression) };
}

function authorized(expression: string, user = 'jane'): PolicyCase {
  return { spec: validating(expression), objects: access, requests: [{ user }] };
}

const oneDeployment = (spec: object = {}): CaseRequest => ({
  path: '/apis/apps/v1/namespaces/NAMESPACE/deployments',
  body: { ...deployment, spec: { ...deployment.spec, ...spec } },
});

const rulesFor = (rule: object, more: object = {}) => ({
  ...validating('false'),
  matchConstraints: { resourceRules: [{ ...configMaps, ...rule }], ...more },
});

/** Policies with validations, by what they show. */
export const validatingCases: Record<string, PolicyCase> = {
  'an expression that holds': { spec: validating('true') },
  'an expression that does not hold': { spec: validating('false') },
  'the first of several failures': { spec: validating('true', 'object.data.size() > 3', 'false') },
  'a message': { spec: { validations: [{ expression: 'false', message: '  no way ' }] } },
  'a message and a message expression': {
    spec: {
      validations: [
        { expression: 'false', message: 'no', messageExpression: '"not " + object.metadata.name' },
      ],
    },
  },
  'a message expression that fails': {
    spec: {
      validations: [{ expression: 'false', message: 'no', messageExpression: 'string(object.data.missing)' }],
    },
  },
  'a message expression of two lines': telledAs('"a\\nb"'),
  'a message expression that is blank': telledAs('"   "'),
  'a message expression that is long': telledAs(
    '["0123456789"].map(x, [1,2,3,4,5,6,7,8].map(y, [1,2,3,4,5,6,7,8].map(z, x).join() + x).join() + [1,2,3,4,5,6,7,8].map(y, [1,2,3,4,5,6,7,8].map(z, x).join() + x).join()).join()',
  ),
  'an expression on several lines': { spec: validating('\n  1 ==\n  2\n') },
  'the reason Forbidden': { spec: { validations: [{ expression: 'false', reason: 'Forbidden' }] } },
  'the reason RequestEntityTooLarge': {
    spec: { validations: [{ expression: 'false', reason: 'RequestEntityTooLarge' }] },
  },
  'the reason Invalid': { spec: { validations: [{ expression: 'false', reason: 'Invalid' }] } },
  'a key that does not exist': { spec: validating('object.spec.replicas > 1') },
  'a key that does not exist, ignored': {
    spec: { ...validating('object.spec.replicas > 1'), failurePolicy: 'Ignore' },
  },
  'a failure beside an error that is ignored': {
    spec: { ...validating('object.spec.replicas > 1', '1 == 2'), failurePolicy: 'Ignore' },
  },
  'values of the wrong type': { spec: validating('object.data.a > 1') },
  'a value that is not a bool at run time': { spec: validating('dyn(object.data.a)  == true') },
  'a division by zero': {
    spec: validating('1 / size(object.metadata.name.split("o").filter(x, x == "x")) > 1'),
  },
  warnings: { spec: validating('false', 'true', '1 == 2'), bindings: [{ validationActions: ['Warn'] }] },
  'warnings and audit': { spec: validating('false'), bindings: [{ validationActions: ['Warn', 'Audit'] }] },
  'audit alone': { spec: validating('false'), bindings: [{ validationActions: ['Audit'] }] },
  'deny and audit': { spec: validating('false'), bindings: [{ validationActions: ['Deny', 'Audit'] }] },
  'a warning about an error': {
    spec: validating('object.nothing == 1'),
    bindings: [{ validationActions: ['Warn'] }],
  },
  'a warning with a reason': {
    spec: { validations: [{ expression: 'false', reason: 'Forbidden', message: 'careful "now"' }] },
    bindings: [{ validationActions: ['Warn'] }],
  },
  'no binding': { spec: validating('false'), bindings: [] },
  'a binding of another policy': { spec: validating('false'), bindings: [{ policyName: 'missing' }] },
  'warn and deny in two bindings': {
    spec: validating('false'),
    bindings: [{ validationActions: ['Warn'] }, { validationActions: ['Deny'] }],
  },
  // Variables.
  'a variable': {
    spec: {
      variables: [{ name: 'count', expression: 'size(object.data)' }],
      validations: [
        { expression: 'variables.count < 2', messageExpression: '"found " + string(variables.count)' },
      ],
    },
    requests: posting(configMap({ a: '1' }), configMap(three)),
  },
  'a variable of a variable': {
    spec: {
      variables: [
        { name: 'keys', expression: 'object.data.map(k, k)' },
        { name: 'big', expression: 'variables.keys.exists(k, k == "b")' },
      ],
      ...validating('!variables.big'),
    },
    requests: posting(configMap(), configMap(three)),
  },
  'a variable that fails': {
    spec: {
      variables: [{ name: 'v', expression: 'object.nothing.there' }],
      ...validating('variables.v == 1'),
    },
  },
  'a variable that fails and is not needed': {
    spec: {
      variables: [{ name: 'v', expression: 'object.nothing.there' }],
      ...validating('true || variables.v == 1', 'size(object.metadata.name) > 5'),
    },
  },
  'a variable that fails in a variable': {
    spec: {
      variables: [
        { name: 'v', expression: 'object.nothing.there' },
        { name: 'w', expression: 'variables.v + 1' },
      ],
      ...validating('variables.w == 1'),
    },
  },
  'has() of a variable': {
    spec: {
      variables: [{ name: 'v', expression: '1' }],
      ...validating('has(variables.v) && variables.v == 2'),
    },
  },
  // Conditions.
  'a condition that does not hold': {
    spec: {
      ...validating('false'),
      matchConditions: [{ name: 'c', expression: 'object.metadata.name == "x"' }],
    },
  },
  'conditions that hold': {
    spec: {
      ...validating('false'),
      matchConditions: [
        { name: 'a', expression: 'true' },
        { name: 'b', expression: 'request.operation == "CREATE"' },
      ],
    },
  },
  'a condition that fails': {
    spec: { ...validating('false'), matchConditions: [{ name: 'c', expression: 'object.x.y == 1' }] },
  },
  'conditions that fail': {
    spec: {
      ...validating('false'),
      matchConditions: [
        { name: 'c', expression: 'object.x.y == 1' },
        { name: 'd', expression: 'object.data.z == "1"' },
        { name: 'e', expression: 'object.x.y == 1' },
      ],
    },
  },
  'a condition that fails, ignored': {
    spec: {
      ...validating('false'),
      failurePolicy: 'Ignore',
      matchConditions: [{ name: 'c', expression: 'object.x.y == 1' }],
    },
  },
  'a condition that fails beside one that does not hold': {
    spec: {
      ...validating('false'),
      matchConditions: [
        { name: 'c', expression: 'object.x.y == 1' },
        { name: 'd', expression: 'false' },
      ],
    },
  },
  'the namespace in a condition': {
    spec: { ...validating('false'), matchConditions: [{ name: 'c', expression: 'namespaceObject == null' }] },
  },
  'the authorizer in a condition': {
    spec: {
      ...validating('false'),
      matchConditions: [{ name: 'c', expression: 'authorizer.requestResource.check("frob").allowed()' }],
    },
    objects: access,
    requests: [{ user: 'jane' }, {}],
  },
  // What expressions see.
  'the request': {
    ...asked(
      '[request.operation, request.name, request.namespace, request.kind.kind, request.kind.version, request.kind.group, request.resource.resource, request.requestKind.kind, request.requestResource.version, string(request.dryRun), request.userInfo.username, request.userInfo.groups.join("+")].join("|")',
    ),
    requests: [{}, { user: 'jane' }],
    objects: access,
  },
  'a user without extra fields': { ...asked('has(request.userInfo.extra)'), requests: [{}] },
  'the user id': { ...asked('has(request.userInfo.uid)'), objects: access, requests: [{ user: 'jane' }] },
  'the subresource of a request for the object': asked('has(request.subResource)'),
  'the options of a create': {
    ...asked(
      '[string(has(request.options.dryRun)), string(request.options.kind), string(request.options.apiVersion)].join("|")',
    ),
    requests: [{}, { stored: true, body: configMap({}, { name: 'stored' }) }],
  },
  'the options with a manager': {
    ...asked('[request.options.fieldManager, request.options.fieldValidation].join("|")'),
    requests: [{ path: 'configmaps?fieldManager=me&fieldValidation=Strict' }],
  },
  'the name of an object with a generated name': {
    ...asked('string(has(request.name)) + string(size(object.metadata.name) > 2)'),
    requests: posting(configMap({}, { name: undefined, generateName: 'generated-' })),
  },
  'the object': asked('object.kind + object.apiVersion + object.metadata.namespace'),
  'system fields of the object': asked(
    '[has(object.metadata.uid), has(object.metadata.creationTimestamp), has(object.metadata.managedFields), has(object.metadata.resourceVersion), has(object.metadata.generation)].map(x, string(x)).join()',
  ),
  'the old object of a create': asked('oldObject == null'),
  'the namespace': {
    ...asked(
      '[namespaceObject.metadata.name, namespaceObject.metadata.labels["team"], namespaceObject.status.phase, namespaceObject.spec.finalizers.join()].join("|")',
    ),
    labels: { team: 'a' },
  },
  'annotations of a namespace without any': asked('has(namespaceObject.metadata.annotations)'),
  'the time of a namespace, which is a text': asked(
    'namespaceObject.metadata.creationTimestamp > timestamp("2000-01-01T00:00:00Z")',
  ),
  'defaults of the object': {
    spec: {
      ...telling(
        'string(object.spec.replicas) + object.spec.template.spec.restartPolicy + object.spec.strategy.type',
      ),
      matchConstraints: {
        resourceRules: [{ ...configMaps, apiGroups: ['apps'], resources: ['deployments'] }],
      },
    },
    requests: [oneDeployment({ replicas: undefined })],
  },
  'the status of a new object': {
    spec: {
      ...telling('string(has(object.status)) + string(object.status.size())'),
      matchConstraints: {
        resourceRules: [{ ...configMaps, apiGroups: ['apps'], resources: ['deployments'] }],
      },
    },
    requests: [oneDeployment()],
  },
  'ints and quantities of an object': {
    spec: {
      ...validating(
        'object.spec.template.spec.containers.all(c, has(c.resources.limits) && quantity(c.resources.limits["memory"]).isLessThan(quantity("1Gi")))',
      ),
      matchConstraints: {
        resourceRules: [{ ...configMaps, apiGroups: ['apps'], resources: ['deployments'] }],
      },
    },
    requests: [
      oneDeployment(),
      oneDeployment({
        template: {
          metadata: { labels: { app: 'web' } },
          spec: { containers: [{ name: 'c', image: 'x', resources: { limits: { memory: '2Gi' } } }] },
        },
      }),
    ],
  },
  'an update': {
    spec: validating('request.operation != "UPDATE" || oldObject.data.a == object.data.a'),
    objects: [one],
    requests: [
      { ...existing, method: 'PUT', body: configMap({ a: '1', b: '2' }) },
      { ...existing, method: 'PUT', body: configMap({ a: '2' }) },
      {
        ...existing,
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
    ],
  },
  'the options of an update': {
    ...asked('request.options.kind + string(has(request.options.force))'),
    objects: [one],
    requests: [
      { ...existing, method: 'PUT', body: configMap({ a: '2' }) },
      {
        ...existing,
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
    ],
  },
  'a deletion': {
    spec: validating('request.operation != "DELETE" || oldObject.data.a != "1" || object != null'),
    objects: [one],
    requests: [{ ...existing, method: 'DELETE' }],
  },
  'the options of a deletion': {
    ...asked('request.options.kind + string(has(request.options.propagationPolicy)) + request.name'),
    objects: [one],
    requests: [
      { ...existing, method: 'DELETE' },
      { ...existing, method: 'DELETE', body: { propagationPolicy: 'Foreground' } },
    ],
  },
  'a deletion of many': {
    ...asked('string(has(request.name)) + oldObject.metadata.name'),
    objects: [one],
    requests: [{ method: 'DELETE', path: 'configmaps' }],
  },
  // Authorizer.
  'a check that is allowed': authorized(
    '!authorizer.group("").resource("secrets").namespace(request.namespace).name("allowed").check("get").allowed()',
  ),
  'a check that is not allowed': authorized(
    'authorizer.group("").resource("secrets").namespace(request.namespace).name("other").check("get").allowed()',
  ),
  'the reason of a check': {
    spec: {
      variables: [
        {
          name: 'decision',
          expression:
            'authorizer.group("").resource("secrets").namespace(request.namespace).name("allowed").check("get")',
        },
      ],
      validations: [
        {
          expression: 'false',
          messageExpression:
            'variables.decision.reason() + string(variables.decision.errored()) + variables.decision.error()',
        },
      ],
    },
    objects: access,
    requests: [{ user: 'jane' }],
  },
  'the resource of the request': authorized('!authorizer.requestResource.check("frob").allowed()'),
  'a ServiceAccount that may': authorized(
    '!authorizer.serviceAccount("default", "robot").group("").resource("configmaps").namespace(request.namespace).check("frob").allowed()',
  ),
  'a ServiceAccount that may not': authorized(
    'authorizer.serviceAccount("default", "other").group("").resource("configmaps").check("frob").allowed()',
  ),
  'a ServiceAccount without a name': authorized(
    'authorizer.serviceAccount("default", "").group("").resource("configmaps").check("frob").allowed()',
  ),
  'a ServiceAccount in a bad namespace': authorized(
    'authorizer.serviceAccount("a.b", "x").group("").resource("configmaps").check("frob").allowed()',
  ),
  'a path': authorized('authorizer.path("/metrics").check("get").allowed()'),
  'a path that all may read': authorized('!authorizer.path("/healthz").check("get").allowed()'),
  'a path that is empty': authorized('authorizer.path(" ").check("get").allowed()'),
  'a resource that is empty': authorized('authorizer.group("").resource("").check("get").allowed()'),
  'a subresource': authorized(
    'authorizer.group("").resource("configmaps").subresource("status").namespace(request.namespace).check("create").allowed()',
  ),
  'selectors in a check': authorized(
    '!authorizer.group("").resource("configmaps").namespace(request.namespace).fieldSelector("metadata.name=x").labelSelector("a=b").check("frob").allowed()',
  ),
  'two checks': authorized(
    '!(authorizer.requestResource.check("frob").allowed() && authorizer.requestResource.check("create").allowed())',
  ),
  'three checks are too expensive': authorized(
    '!(authorizer.requestResource.check("frob").allowed() && authorizer.requestResource.check("create").allowed() && authorizer.requestResource.check("frob").allowed())',
  ),
  'the authorizer of the administrator': {
    spec: validating('!authorizer.requestResource.check("anything").allowed()'),
  },
  // Costs.
  'an expression that is too expensive': { spec: validating(endless) },
  'an expression that is too expensive, ignored': {
    spec: { ...validating(endless), failurePolicy: 'Ignore' },
  },
  'expressions that are too expensive together': {
    spec: validating(...Array.from({ length: 40 }, () => expensive)),
  },
  'expressions that are too expensive together, ignored': {
    spec: { ...validating(...Array.from({ length: 40 }, () => expensive)), failurePolicy: 'Ignore' },
  },
  'conditions that are too expensive together': {
    spec: {
      ...validating('false'),
      matchConditions: Array.from({ length: 10 }, (_, index) => ({
        name: `c${index}`,
        expression: expensive,
      })),
    },
  },
  'conditions that are too expensive together, ignored': {
    spec: {
      ...validating('false'),
      failurePolicy: 'Ignore',
      matchConditions: Array.from({ length: 10 }, (_, index) => ({
        name: `c${index}`,
        expression: expensive,
      })),
    },
  },
  'a variable that is too expensive': {
    spec: { variables: [{ name: 'v', expression: endless }], ...validating('variables.v') },
  },
  'variables that are too expensive together': {
    spec: {
      variables: Array.from({ length: 40 }, (_, index) => ({ name: `v${index}`, expression: expensive })),
      ...validating(Array.from({ length: 40 }, (_, index) => `variables.v${index}`).join(' && ')),
    },
  },
  'message expressions that are too expensive together': {
    spec: {
      validations: Array.from({ length: 40 }, () => ({
        expression: 'true',
        messageExpression: `string(${expensive})`,
      })),
    },
  },
  'audit annotations that are too expensive together': {
    spec: {
      ...validating('true'),
      auditAnnotations: Array.from({ length: 20 }, (_, index) => ({
        key: `k${index}`,
        valueExpression: `string(${expensive} && ${expensive})`,
      })),
    },
  },
  // Audit annotations.
  'audit annotations': {
    spec: {
      auditAnnotations: [
        { key: 'a', valueExpression: '"x"' },
        { key: 'b', valueExpression: 'null' },
      ],
    },
  },
  'an audit annotation that fails': {
    spec: { auditAnnotations: [{ key: 'a', valueExpression: 'object.x.y == 1 ? "a" : "b"' }] },
    bindings: [{ validationActions: ['Warn'] }],
  },
  'an audit annotation that fails, ignored': {
    spec: {
      failurePolicy: 'Ignore',
      auditAnnotations: [{ key: 'a', valueExpression: 'object.x.y == 1 ? "a" : "b"' }],
    },
  },
  'a failure and an audit annotation that fails': {
    spec: { ...validating('false'), auditAnnotations: [{ key: 'a', valueExpression: 'string(object.x)' }] },
  },
  // Parameters.
  'a parameter': {
    spec: { ...tooMany, paramKind },
    bindings: [{ paramRef: { name: 'limits', ...notFound } }],
    objects: [limits],
    requests: posting(configMap(), configMap(three)),
  },
  'the kind of a parameter': {
    spec: { ...telling('params.kind + params.apiVersion + params.metadata.name'), paramKind },
    bindings: [{ paramRef: { name: 'limits', ...notFound } }],
    objects: [limits],
  },
  'a parameter in another namespace': {
    spec: { ...validating('params == null'), paramKind },
    bindings: [{ paramRef: { name: 'kube-root-ca.crt', namespace: 'kube-system', ...notFound } }],
  },
  'parameters by labels': {
    spec: {
      paramKind,
      validations: [
        {
          expression: 'size(object.data) <= int(params.data.max)',
          messageExpression: '"at most " + params.data.max',
        },
      ],
    },
    bindings: [{ paramRef: { selector: { matchLabels: { use: 'yes' } }, ...notFound } }],
    objects: [limits, moreLimits],
    requests: posting(configMap(), configMap({ a: '1', b: '2' })),
  },
  'no parameters with the labels': {
    spec: { ...tooMany, paramKind },
    bindings: [{ paramRef: { selector: { matchLabels: { use: 'no' } }, ...notFound } }],
  },
  'no parameters with the labels, allowed': {
    spec: { ...tooMany, paramKind },
    bindings: [{ paramRef: { selector: { matchLabels: { use: 'no' } }, parameterNotFoundAction: 'Allow' } }],
  },
  'all parameters': {
    spec: { ...validating('params.metadata.name != "limits"'), paramKind },
    bindings: [{ paramRef: { selector: {}, ...notFound } }],
    objects: [limits],
  },
  'a parameter that does not exist': {
    spec: { ...tooMany, paramKind },
    bindings: [{ paramRef: { name: 'limits', ...notFound } }],
  },
  'a parameter that does not exist, with a warning': {
    spec: { ...tooMany, paramKind },
    bindings: [{ validationActions: ['Warn'], paramRef: { name: 'limits', ...notFound } }],
  },
  'a parameter that does not exist, allowed': {
    spec: { ...tooMany, paramKind },
    bindings: [{ paramRef: { name: 'limits', parameterNotFoundAction: 'Allow' } }],
  },
  'a parameter that does not exist, ignored': {
    spec: { ...tooMany, paramKind, failurePolicy: 'Ignore' },
    bindings: [{ paramRef: { name: 'limits', ...notFound } }],
  },
  'a binding without parameters': { spec: { ...validating('params != null'), paramKind } },
  'a parameter for a policy without parameters': {
    spec: validating('false'),
    bindings: [{ paramRef: { name: 'limits', ...notFound } }],
  },
  'a kind of parameters that does not exist': {
    spec: { ...validating('true'), paramKind: { apiVersion: 'nothing.example.com/v1', kind: 'Nothing' } },
    bindings: [{ paramRef: { name: 'limits', ...notFound } }],
  },
  'a kind of parameters in a version that does not exist': {
    spec: { ...validating('true'), paramKind: { apiVersion: 'apps/v2', kind: 'Deployment' } },
    bindings: [{ paramRef: { name: 'limits', ...notFound } }],
  },
  'a kind of parameters that does not exist, ignored': {
    spec: {
      ...validating('false'),
      failurePolicy: 'Ignore',
      paramKind: { apiVersion: 'v1', kind: 'Nothing' },
    },
    bindings: [{ paramRef: { name: 'limits', ...notFound } }],
  },
  'a namespace for parameters without one': {
    spec: { ...validating('true'), paramKind: { apiVersion: 'v1', kind: 'Namespace' } },
    bindings: [{ paramRef: { name: 'default', namespace: 'default', ...notFound } }],
  },
  'a cluster-scoped parameter': {
    spec: {
      ...validating('params.metadata.name != "default"'),
      paramKind: { apiVersion: 'v1', kind: 'Namespace' },
    },
    bindings: [{ paramRef: { name: 'default', ...notFound } }],
  },
  'a condition about a parameter': {
    spec: {
      ...validating('false'),
      paramKind,
      matchConditions: [{ name: 'c', expression: 'params.data.max == object.data.max' }],
    },
    bindings: [{ paramRef: { name: 'limits', ...notFound } }],
    objects: [limits],
    requests: posting(configMap({ max: '2' }), configMap({ max: '3' })),
  },
  'a parameter in a message and a variable': {
    spec: {
      paramKind,
      variables: [{ name: 'max', expression: 'int(params.data.max)' }],
      validations: [{ expression: 'false', messageExpression: 'string(variables.max) + params.data.max' }],
    },
    bindings: [{ paramRef: { name: 'limits', ...notFound } }],
    objects: [limits],
  },
  // Constraints.
  'another operation': { spec: rulesFor({ operations: ['UPDATE'] }) },
  'all operations': { spec: rulesFor({ operations: ['*'] }) },
  'another group': { spec: rulesFor({ apiGroups: ['apps'] }) },
  'another version': { spec: rulesFor({ apiVersions: ['v2'] }) },
  'all groups, versions and resources': {
    spec: rulesFor({ apiGroups: ['*'], apiVersions: ['*'], resources: ['*'] }),
  },
  'namespaced resources': { spec: rulesFor({ scope: 'Namespaced' }) },
  'cluster-scoped resources': { spec: rulesFor({ scope: 'Cluster' }) },
  names: {
    spec: rulesFor({ resourceNames: ['one'] }),
    requests: posting(configMap(), configMap({}, { name: 'two' })),
  },
  'an excluded resource': { spec: rulesFor({}, { excludeResourceRules: [configMaps] }) },
  'an excluded name': {
    spec: rulesFor({}, { excludeResourceRules: [{ ...configMaps, resourceNames: ['two'] }] }),
    requests: posting(configMap(), configMap({}, { name: 'two' })),
  },
  'labels of objects': {
    spec: rulesFor({}, { objectSelector: { matchLabels: { a: 'b' } } }),
    requests: posting(configMap(), configMap({}, { labels: { a: 'b' } })),
  },
  'labels of the old object': {
    spec: rulesFor({}, { objectSelector: { matchExpressions: [{ key: 'a', operator: 'Exists' }] } }),
    objects: [['configmaps', configMap({}, { labels: { a: 'b' } })]],
    requests: [
      { ...existing, method: 'PUT', body: configMap() },
      { ...existing, method: 'DELETE' },
    ],
  },
  'labels of namespaces': {
    spec: rulesFor({}, { namespaceSelector: { matchLabels: { team: 'a' } } }),
    labels: { team: 'a' },
  },
  'other labels of namespaces': {
    spec: rulesFor(
      {},
      { namespaceSelector: { matchExpressions: [{ key: 'team', operator: 'NotIn', values: ['a'] }] } },
    ),
    labels: { team: 'a' },
  },
  'rules of a binding': {
    spec: validating('false'),
    bindings: [{ matchResources: { resourceRules: [{ ...configMaps, resourceNames: ['two'] }] } }],
    requests: posting(configMap(), configMap({}, { name: 'two' })),
  },
  'excluded by a binding': {
    spec: validating('false'),
    bindings: [{ matchResources: { excludeResourceRules: [{ ...configMaps, resourceNames: ['two'] }] } }],
    requests: posting(configMap(), configMap({}, { name: 'two' })),
  },
  'a subresource that is not in the rules': {
    spec: rulesFor({ apiGroups: ['apps'], resources: ['deployments'] }),
    objects: [['/apis/apps/v1/namespaces/NAMESPACE/deployments', deployment]],
    requests: [scaling],
  },
  scale: {
    spec: {
      ...telling(
        '[string(object.kind), request.kind.kind, request.subResource, request.resource.resource, string(object.spec.replicas), string(oldObject.spec.replicas), request.requestKind.group].join("|")',
      ),
      matchConstraints: {
        resourceRules: [{ ...configMaps, apiGroups: ['apps'], resources: ['deployments/scale'] }],
      },
    },
    objects: [['/apis/apps/v1/namespaces/NAMESPACE/deployments', deployment]],
    requests: [scaling],
  },
  'all subresources': {
    spec: rulesFor({ apiGroups: ['apps'], resources: ['deployments/*'] }),
    objects: [['/apis/apps/v1/namespaces/NAMESPACE/deployments', deployment]],
    requests: [scaling],
  },
  'a subresource of all resources': {
    spec: rulesFor({ apiGroups: ['*'], resources: ['*/scale'] }),
    objects: [['/apis/apps/v1/namespaces/NAMESPACE/deployments', deployment]],
    requests: [scaling, {}],
  },
  'a token of a ServiceAccount': {
    spec: rulesFor({ resources: ['serviceaccounts/token'] }),
    objects: [['serviceaccounts', { metadata: { name: 'robot' } }]],
    requests: [{ path: 'serviceaccounts/robot/token', body: { spec: { audiences: ['a'] } } }],
  },
  'an eviction': {
    spec: {
      ...telling('object.kind + request.kind.group + request.name'),
      matchConstraints: { resourceRules: [{ ...configMaps, resources: ['pods/eviction'] }] },
    },
    objects: [['pods', { metadata: { name: 'p' }, spec: { containers: [{ name: 'c', image: 'x' }] } }]],
    requests: [{ path: 'pods/p/eviction', body: { metadata: { name: 'p' } } }],
  },
  'an equivalent version': {
    spec: {
      ...telling(
        'object.apiVersion + request.kind.version + request.requestKind.version + string(has(object.spec.metrics))',
      ),
      matchConstraints: {
        resourceRules: [
          {
            ...configMaps,
            apiGroups: ['autoscaling'],
            apiVersions: ['v1'],
            resources: ['horizontalpodautoscalers'],
          },
        ],
      },
    },
    requests: [autoscaler],
  },
  'the exact version': {
    spec: {
      ...validating('false'),
      matchConstraints: {
        matchPolicy: 'Exact',
        resourceRules: [
          {
            ...configMaps,
            apiGroups: ['autoscaling'],
            apiVersions: ['v1'],
            resources: ['horizontalpodautoscalers'],
          },
        ],
      },
    },
    requests: [autoscaler],
  },
};

function telledAs(messageExpression: string): PolicyCase {
  return { spec: { validations: [{ expression: 'false', message: 'fallback', messageExpression }] } };
}
