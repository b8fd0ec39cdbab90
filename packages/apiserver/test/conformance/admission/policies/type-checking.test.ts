import { beforeAll, expect, test } from 'vitest';
import { crdOf, installCrd, until } from '../../../support/fixtures.ts';
import { onEachServer } from '../../../support/on-each-server.ts';
import { asRecorded } from '../../../support/recorded.ts';
import { registration } from './policy-case.ts';
import { statusOf } from './policy-status.ts';

const path = `${registration}/validatingadmissionpolicies`;

function ruleFor(apiGroups: string[], resources: string[], apiVersions = ['v1']): object {
  return { operations: ['CREATE', 'UPDATE'], apiGroups, apiVersions, resources };
}

function policyFor(rule: object | object[], ...expressions: string[]): Record<string, unknown> {
  return {
    matchConstraints: { resourceRules: [rule].flat() },
    validations: expressions.map((expression) => ({ expression })),
  };
}

const deployments = ruleFor(['apps'], ['deployments']);
const configMaps = ruleFor([''], ['configmaps']);
const widgets = ruleFor(['conformance.example.com'], ['widgets']);

/** Specs of policies, by what they show. */
const specs: Record<string, Record<string, unknown>> = {
  'no errors': policyFor(deployments, 'object.spec.replicas > 1', 'has(object.metadata.labels)'),
  'an undefined field': policyFor(deployments, 'object.spec.replica > 1'),
  'undefined fields': policyFor(
    deployments,
    'object.spec.replica > 1 && object.sepc.replicas < 3',
    'object.foo == 1',
  ),
  'an undefined field at the root': policyFor(configMaps, 'object.spec == 1'),
  'a wrong type': policyFor(deployments, 'object.spec.replicas == "3"'),
  'wrong types on several lines': policyFor(
    deployments,
    'object.spec.replicas > 1 &&\n  object.metadata.name == 1 ||\n\tobject.x',
  ),
  'a bool for a number': policyFor(deployments, 'object.spec.paused + 1 > 2'),
  'not a bool': policyFor(deployments, 'object.spec.paused && object.spec.replicas'),
  'a function that does not exist for the type': policyFor(
    deployments,
    'object.spec.replicas.startsWith("a")',
  ),
  'a field of a list': policyFor(deployments, 'object.spec.template.spec.containers.image == "x"'),
  'a field of an item': policyFor(deployments, 'object.spec.template.spec.containers.all(c, c.imag == "x")'),
  'a macro for a number': policyFor(deployments, 'object.spec.replicas.all(x, x > 1)'),
  'an index of the wrong type': policyFor(deployments, 'object.metadata.labels[1] == "a"'),
  'a map': policyFor(deployments, 'object.metadata.labels["a"] == 1', 'object.metadata.labels.app == "x"'),
  'a quantity': policyFor(
    deployments,
    'object.spec.template.spec.containers.all(c, has(c.resources.limits))',
  ),
  'an int or string': policyFor(deployments, 'object.spec.strategy.rollingUpdate.maxSurge == "25%"'),
  times: policyFor(
    deployments,
    'object.metadata.creationTimestamp > timestamp("2000-01-01T00:00:00Z")',
    'object.metadata.creationTimestamp > "2000"',
  ),
  bytes: policyFor(ruleFor([''], ['secrets']), 'object.data["a"] == "x"', 'object.data["a"] == b"x"'),
  'the old object': policyFor(
    deployments,
    'oldObject.spec.replica == 1',
    'oldObject == null || object.spec == oldObject.spec',
  ),
  'the request': policyFor(
    deployments,
    'request.operation == "CREATE" && request.options.foo == 1',
    'request.kind.kind == "x"',
  ),
  'the authorizer': policyFor(deployments, 'authorizer.group("").resource("pods").check("get").allowed()'),
  'the resource of the request': policyFor(deployments, 'authorizer.requestResource.check("get").allowed()'),
  'the namespace': policyFor(deployments, 'namespaceObject.metadata.name == "a"'),
  'several kinds': policyFor(
    ruleFor(['apps'], ['deployments', 'statefulsets', 'daemonsets']),
    'object.spec.replicas > 1',
    'object.spec.serviceName == "x"',
  ),
  'several rules': policyFor([configMaps, deployments], 'object.data.size() > 1', 'object.spec.replicas > 1'),
  'several groups': policyFor(
    ruleFor(['apps', 'batch'], ['jobs', 'deployments']),
    'object.spec.replicas > 1',
  ),
  'a kind in two groups': policyFor(
    ruleFor([''], ['events']),
    'object.involvedObject.name == "x"',
    'object.note == "x"',
  ),
  'a resource of another group': policyFor(ruleFor([''], ['deployments']), 'object.spec.replica > 1'),
  'a singular': policyFor(ruleFor(['apps'], ['deployment']), 'object.spec.replica > 1'),
  'upper case': policyFor(ruleFor(['apps'], ['Deployments']), 'object.spec.replica > 1'),
  'all groups': policyFor(ruleFor(['*'], ['deployments']), 'object.foo == 1'),
  'all versions': policyFor(ruleFor(['apps'], ['deployments'], ['*']), 'object.foo == 1'),
  'all resources': policyFor(ruleFor(['apps'], ['*']), 'object.foo == 1'),
  'a subresource': policyFor(ruleFor(['apps'], ['deployments/scale']), 'object.foo == 1'),
  'a subresource and its resource': policyFor(
    ruleFor(['apps'], ['deployments', 'deployments/scale']),
    'object.foo == 1',
  ),
  'a resource that does not exist': policyFor(ruleFor(['apps'], ['nothings']), 'object.foo == 1'),
  'more kinds than are checked': policyFor(
    ruleFor(
      ['', 'apps', 'batch'],
      [
        'configmaps',
        'secrets',
        'pods',
        'services',
        'nodes',
        'jobs',
        'cronjobs',
        'deployments',
        'daemonsets',
        'statefulsets',
        'replicasets',
        'endpoints',
      ],
    ),
    'object.foo == 1',
  ),
  'a custom resource': policyFor(
    widgets,
    'object.spec.size > 1',
    'object.spec.sise > 1',
    'object.spec.size == "x"',
    'object.metadata.labels["a"] == "b"',
    'object.status.ready == 1',
  ),
  'a definition that contains itself': policyFor(
    ruleFor(['apiextensions.k8s.io'], ['customresourcedefinitions']),
    'object.spec.versions.all(v, v.schema.openAPIV3Schema.type == "x")',
    'object.spec.versions.all(v, v.schema.openAPIV3Schema.not.type == "x")',
  ),
  variables: {
    matchConstraints: { resourceRules: [deployments] },
    variables: [
      { name: 'count', expression: 'size(object.metadata.labels)' },
      { name: 'broken', expression: 'object.foo' },
      { name: 'spec', expression: 'object.spec' },
      { name: 'names', expression: 'object.spec.template.spec.containers.map(c, c.name)' },
    ],
    validations: [
      { expression: 'variables.count > 1' },
      { expression: 'variables.broken == 1' },
      { expression: 'variables.spec.replica == 1' },
      { expression: 'variables.names.exists(n, n == 1)' },
    ],
  },
  messages: {
    matchConstraints: { resourceRules: [deployments] },
    validations: [
      { expression: 'true', messageExpression: '"x" + string(object.spec.replica)' },
      { expression: 'object.a == 1', messageExpression: '"x" + object.spec.replicas' },
    ],
  },
  parameters: {
    ...policyFor(
      deployments,
      'params.data["max"] == object.metadata.name',
      'params.spec == 1',
      'params.data.max > 1',
    ),
    paramKind: { apiVersion: 'v1', kind: 'ConfigMap' },
  },
  'custom parameters': {
    ...policyFor(deployments, 'object.spec.replicas < params.spec.size', 'params.spec.sise == 1'),
    paramKind: { apiVersion: 'conformance.example.com/v1', kind: 'Widget' },
  },
  'parameters of a kind that does not exist': {
    ...policyFor(deployments, 'params.foo == 1', 'object.spec.replicas == params.x'),
    paramKind: { apiVersion: 'nothing.example.com/v1', kind: 'Nothing' },
  },
  'optional fields': policyFor(
    deployments,
    'object.?spec.?replica.orValue(1) > 1',
    'object.spec.?replicas.orValue("a") == "a"',
  ),
  'conditions of two types': policyFor(
    deployments,
    '(object.spec.paused ? object.spec.replicas : object.metadata.name) == 1',
  ),
  'list literals': policyFor(
    deployments,
    '[object.spec.replicas, object.metadata.name].size() > 1',
    '{"a": object.spec.replicas, "b": object.metadata.name}.size() > 1',
  ),
  in: policyFor(
    deployments,
    'object.spec.replicas in ["a", "b"]',
    '"a" in object.metadata.labels',
    '1 in object.spec',
  ),
  negation: policyFor(deployments, '!object.spec.replicas', '-object.metadata.name == "x"'),
  has: policyFor(deployments, 'has(object.spec.replica)', 'has(object.spec.replicas.x)'),
  'wide characters': policyFor(
    deployments,
    '"ä€😀" == object.spec.replica',
    'object.metadata.name == "äöü" && object.x',
  ),
  'audit annotations and conditions, which are not checked': {
    ...policyFor(deployments, 'true'),
    auditAnnotations: [{ key: 'a', valueExpression: 'string(object.foo)' }],
    matchConditions: [{ name: 'a', expression: 'object.foo == 1' }],
  },
};
onEachServer('type checking', { controllers: true }, (server) => {
  beforeAll(() => installCrd(server.session, crdOf('Widget', { size: { type: 'integer' } })));

  test.each(Object.entries(specs))('%s', async (title, spec) => {
    const name = title.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-');
    const created = await server.session.post(path, { metadata: { name }, spec });
    expect(created.body.message).toBeUndefined();
    const status = await statusOf(server.session, `${path}/${name}`);
    await expect(asRecorded(status)).toMatchFileSnapshot(`../../recorded/policies/types/${name}.yaml`);
  });

  test('a change is checked again', async () => {
    const metadata = { name: 'changing' };
    const spec = policyFor(deployments, 'object.foo == 1');
    const { body } = await server.session.post(path, { metadata, spec });
    const before = await statusOf(server.session, `${path}/changing`);
    const changed = { ...body, spec: policyFor(deployments, 'object.bar == 1', 'true') };
    await until(async () => {
      const { body: current } = await server.session.get(`${path}/changing`);
      const { resourceVersion } = current.metadata;
      const answer = await server.session.put(`${path}/changing`, {
        ...changed,
        metadata: { ...metadata, resourceVersion },
      });
      return answer.code === 200;
    });
    const after = await statusOf(server.session, `${path}/changing`, 2);
    await expect(asRecorded([before, after])).toMatchFileSnapshot(
      '../../recorded/policies/types/changing.yaml',
    );
  });
});
