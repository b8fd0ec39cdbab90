import { expect, test } from 'vitest';
import type { ObjectSchema } from './object-schema.ts';
import { objectSchema, objectSchemaKinds } from './object-schemas.ts';
import { resources } from './resources.ts';

type KindName = readonly [group: string, version: string, kind: string];

const deployment: KindName = ['apps', 'v1', 'Deployment'];
const service: KindName = ['', 'v1', 'Service'];
const pod: KindName = ['', 'v1', 'Pod'];
const crd: KindName = ['apiextensions.k8s.io', 'v1', 'CustomResourceDefinition'];

const groupVersions = [...new Set(resources.map(({ group, version }) => `${group}/${version}`))];

/** @param path the names of fields; passes through lists and maps */
function at(kind: KindName, path: string): ObjectSchema {
  let schema = objectSchema(...kind);
  for (const name of path.split('.')) {
    schema = (schema?.items ?? schema?.additionalProperties ?? schema)?.properties?.get(name);
  }
  if (!schema) throw new Error(`${kind.join(' ')} has no field ${path}`);
  return schema;
}

test.each(groupVersions)(
  'every kind of %s that discovery lists has a schema with metadata',
  (groupVersion) => {
    const served = resources.filter(({ group, version }) => `${group}/${version}` === groupVersion);
    for (const { group, version, kind, plural, verbs } of served) {
      const schema = objectSchema(group, version, kind);
      expect(schema, plural).toMatchObject({ type: 'object', name: kind });
      expect([...schema!.properties!.keys()], plural).toEqual(
        expect.arrayContaining(['apiVersion', 'kind', 'metadata']),
      );
      if (verbs.includes('list')) {
        const list = objectSchema(group, version, `${kind}List`);
        expect(list?.properties?.get('items')?.items?.definition).toBe(schema!.definition);
      }
    }
  },
);

test('the kinds of subresources have schemas; the options of connections, which come in the query, have none', () => {
  const without = resources
    .flatMap(({ subresources }) => subresources)
    .filter(({ group, version, kind }) => !objectSchema(group, version, kind))
    .map(({ kind }) => kind);
  expect(new Set(without)).toStrictEqual(
    new Set([
      'NodeProxyOptions',
      'PodAttachOptions',
      'PodExecOptions',
      'PodPortForwardOptions',
      'PodProxyOptions',
      'ServiceProxyOptions',
    ]),
  );
});

test('the kinds of the protocol belong to the core group, options and watch events to every group', () => {
  for (const kind of ['Status', 'APIGroup', 'APIGroupList', 'APIResourceList', 'APIVersions']) {
    expect(objectSchema('', 'v1', kind)?.name).toBe(kind);
    expect(objectSchema('apps', 'v1', kind)).toBeUndefined();
  }
  for (const kind of ['DeleteOptions', 'WatchEvent']) {
    const definitions = groupVersions.map((groupVersion) => {
      const [group = '', version = ''] = groupVersion.split('/');
      return objectSchema(group, version, kind)?.definition;
    });
    expect(new Set(definitions)).toStrictEqual(new Set([`io.k8s.apimachinery.pkg.apis.meta.v1.${kind}`]));
  }
});

test.each([
  ['', 'v1', 'Deployment'],
  ['apps', 'v2', 'Deployment'],
  ['apps', 'v1', 'DeploymentSpec'],
  ['apps', 'v1', 'Deployment*'],
  ['apps', 'v1', ''],
  ['', '-', 'Quantity'],
  ['', '', '-'],
  ['__proto__', 'constructor', 'toString'],
  ['apps', 'v1', '__proto__'],
])('%s/%s has no kind %s', (group, version, kind) => {
  expect(objectSchema(group, version, kind)).toBeUndefined();
});

test('an unknown group or version has no kinds', () => {
  expect(objectSchemaKinds('apps', 'v2')).toStrictEqual([]);
  expect(objectSchemaKinds('example.com', 'v1')).toStrictEqual([]);
});

test('a definition has one schema, wherever it is', () => {
  expect(objectSchema(...deployment)).toBe(objectSchema(...deployment));
  const template = at(deployment, 'spec.template');
  expect(template).toBe(at(['batch', 'v1', 'Job'], 'spec.template'));
  expect(template.properties).toBe(at(['', 'v1', 'PodTemplate'], 'template').properties);
});

test.each([
  ['containers of a pod', pod, 'spec.containers', ['name'], 'name'],
  ['volumes of a pod', pod, 'spec.volumes', ['name'], 'name'],
  ['variables of a container', deployment, 'spec.template.spec.containers.env', ['name'], 'name'],
  ['ports of a container', pod, 'spec.containers.ports', ['containerPort', 'protocol'], 'containerPort'],
  ['mounts of a container', pod, 'spec.initContainers.volumeMounts', ['mountPath'], 'mountPath'],
  ['devices of a container', pod, 'spec.containers.volumeDevices', ['devicePath'], 'devicePath'],
  ['ports of a service', service, 'spec.ports', ['port', 'protocol'], 'port'],
  ['addresses of a pod', pod, 'status.podIPs', ['ip'], 'ip'],
  ['owners', pod, 'metadata.ownerReferences', ['uid'], 'uid'],
  ['conditions of a pod', pod, 'status.conditions', ['type'], 'type'],
  ['conditions of a deployment', deployment, 'status.conditions', ['type'], 'type'],
  [
    'spread constraints',
    pod,
    'spec.topologySpreadConstraints',
    ['topologyKey', 'whenUnsatisfiable'],
    'topologyKey',
  ],
] as const)(
  '%s are a list map; patches merge them by one key',
  (_, kind, path, listMapKeys, patchMergeKey) => {
    expect(at(kind, path)).toMatchObject({ type: 'array', listType: 'map', listMapKeys, patchMergeKey });
    expect(at(kind, path).patchStrategy).toContain('merge');
  },
);

test('patches and apply see some fields in different ways', () => {
  expect(at(pod, 'metadata.finalizers')).toMatchObject({ listType: 'set', patchStrategy: ['merge'] });
  expect(at(pod, 'metadata.finalizers').patchMergeKey).toBeUndefined();
  expect(at(pod, 'spec.volumes').patchStrategy).toStrictEqual(['merge', 'retainKeys']);
  expect(at(['batch', 'v1', 'Job'], 'status.conditions')).toMatchObject({
    listType: 'atomic',
    patchMergeKey: 'type',
  });
  const crdConditions = at(crd, 'status.conditions');
  expect(crdConditions).toMatchObject({ listType: 'map', listMapKeys: ['type'] });
  expect(crdConditions.patchStrategy).toBeUndefined();
});

test('lists and maps can be atomic', () => {
  expect(at(pod, 'spec.tolerations').listType).toBe('atomic');
  expect(at(pod, 'spec.tolerations').patchStrategy).toBeUndefined();
  expect(at(service, 'spec.selector').mapType).toBe('atomic');
  expect(at(deployment, 'spec.selector')).toMatchObject({ name: 'LabelSelector', mapType: 'atomic' });
  expect(at(pod, 'metadata.labels').mapType).toBeUndefined();
});

test('a field has the attributes of its definition, overridden by its own', () => {
  const strategy = at(deployment, 'spec.strategy');
  expect(strategy).toMatchObject({ name: 'DeploymentStrategy', patchStrategy: ['retainKeys'], default: {} });
  expect(strategy.properties?.has('rollingUpdate')).toBe(true);
  const selector = at(['policy', 'v1', 'PodDisruptionBudget'], 'spec.selector');
  expect(selector).toMatchObject({ name: 'LabelSelector', mapType: 'atomic', patchStrategy: ['replace'] });
  // An ObjectReference is atomic, but not that of a claim.
  expect(at(['', 'v1', 'PersistentVolume'], 'spec.claimRef').mapType).toBe('granular');
  expect(at(pod, 'spec.containers.resources').default).toStrictEqual({});
});

test('defaults are values and the zeros that Go writes', () => {
  expect(at(service, 'spec.ports.protocol').default).toBe('TCP');
  expect(at(pod, 'spec.containers.ports.protocol').default).toBe('TCP');
  expect(at(pod, 'spec.containers.name').default).toBe('');
  expect(at(pod, 'spec.containers.ports.containerPort').default).toBe(0);
  expect(at(pod, 'status.containerStatuses.ready').default).toBe(false);
  expect(at(deployment, 'metadata').default).toStrictEqual({});
  expect(at(deployment, 'spec.replicas').default).toBeUndefined();
  expect(Object.isFrozen(at(deployment, 'metadata').default)).toBe(true);
});

test('an absent field is written as its default, as the zero value of Go, or not at all', () => {
  expect(at(service, 'spec.ports.protocol').whenAbsent).toBe('TCP');
  expect(at(deployment, 'status').whenAbsent).toStrictEqual({});
  expect(at(deployment, 'spec.replicas').whenAbsent).toBeUndefined();
  // Times, and lists that Go does not omit when empty, have no zero value in JSON.
  expect(at(deployment, 'status.conditions.lastUpdateTime')).toMatchObject({
    default: undefined,
    whenAbsent: null,
  });
  expect(at(['', 'v1', 'Event'], 'eventTime').whenAbsent).toBeNull();
  expect(at(['rbac.authorization.k8s.io', 'v1', 'ClusterRole'], 'rules').whenAbsent).toBeNull();
  expect(at(pod, 'metadata.creationTimestamp').whenAbsent).toBeUndefined();
  expect(at(pod, 'spec.containers.env.valueFrom.resourceFieldRef.divisor').whenAbsent).toBe('0');
  // An empty string that Go omits is still a default: the key of an item in a list map.
  expect(at(pod, 'spec.imagePullSecrets.name')).toMatchObject({ default: '', whenAbsent: undefined });
  expect(at(['autoscaling', 'v1', 'Scale'], 'spec.replicas')).toMatchObject({
    default: 0,
    whenAbsent: undefined,
  });
  // A pointer distinguishes the zero that a server has set.
  expect(at(pod, 'spec.volumes.azureDisk.readOnly')).toMatchObject({ default: false, whenAbsent: false });
});

test('fields are required, and values enumerated', () => {
  expect(at(deployment, 'spec').required).toStrictEqual(['selector', 'template']);
  expect(at(pod, 'spec').required).toStrictEqual(['containers']);
  expect(objectSchema(...deployment)?.required).toBeUndefined();
  expect(at(pod, 'spec.restartPolicy').enum).toStrictEqual(['Always', 'Never', 'OnFailure']);
  expect(at(['rbac.authorization.k8s.io', 'v1', 'Role'], 'rules').items?.required).toStrictEqual(['verbs']);
});

test('scalars have types, formats and names', () => {
  const bytes = at(['', 'v1', 'Secret'], 'data').additionalProperties;
  expect(bytes).toMatchObject({ type: 'string', format: 'byte' });
  expect(at(deployment, 'spec.replicas')).toMatchObject({ type: 'integer', format: 'int32' });
  expect(at(pod, 'metadata.creationTimestamp')).toMatchObject({
    type: 'string',
    format: 'date-time',
    name: 'Time',
  });
  const renewTime = at(['coordination.k8s.io', 'v1', 'Lease'], 'spec.renewTime');
  expect(renewTime).toMatchObject({ type: 'string', format: 'date-time', name: 'MicroTime' });
  const limit = at(pod, 'spec.containers.resources.limits').additionalProperties;
  expect(limit).toMatchObject({ name: 'Quantity', quantity: true });
  expect(limit?.type).toBeUndefined();
  expect(at(service, 'spec.ports.targetPort')).toMatchObject({ name: 'IntOrString', intOrString: true });
});

test('a value without a schema keeps unknown fields; an empty object does not', () => {
  expect(at(['apps', 'v1', 'ControllerRevision'], 'data')).toMatchObject({
    name: 'RawExtension',
    preserveUnknownFields: true,
  });
  expect(at(pod, 'metadata.managedFields.fieldsV1')).toMatchObject({
    name: 'FieldsV1',
    preserveUnknownFields: true,
  });
  const status = at(crd, 'spec.versions.subresources.status');
  expect(status.preserveUnknownFields).toBeUndefined();
  expect(status.properties?.size).toBe(0);
});

test('a schema of a custom resource contains itself', () => {
  const schema = at(crd, 'spec.versions.schema.openAPIV3Schema');
  expect(schema.name).toBe('JSONSchemaProps');
  expect(schema.properties?.get('properties')?.additionalProperties?.properties).toBe(schema.properties);
  expect(schema.properties?.get('not')).toBe(schema);
  expect(schema.properties?.get('default')).toMatchObject({ name: 'JSON', preserveUnknownFields: true });
  expect(schema.properties?.get('items')).toMatchObject({
    name: 'JSONSchemaPropsOrArray',
    preserveUnknownFields: true,
  });
  expect(schema.properties?.get('x-kubernetes-validations')).toMatchObject({ listMapKeys: ['rule'] });
});

test('definitions with the same name are distinct', () => {
  expect(at(['discovery.k8s.io', 'v1', 'EndpointSlice'], 'ports').items).toMatchObject({
    name: 'EndpointPort',
    definition: 'io.k8s.api.discovery.v1.EndpointPort',
  });
  expect(at(['', 'v1', 'Endpoints'], 'subsets.ports').items?.definition).toBe(
    'io.k8s.api.core.v1.EndpointPort',
  );
  expect(objectSchema('events.k8s.io', 'v1', 'Event')?.properties?.has('note')).toBe(true);
  expect(objectSchema('', 'v1', 'Event')?.properties?.has('message')).toBe(true);
});
