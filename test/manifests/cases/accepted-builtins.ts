import { typeSchema } from 'ots-kubernetes/type-schemas';
import { schemaToJson } from '../../../src/manifests/schema/schema-json.ts';
import type { AcceptedSchema } from '../accepted-schemas.ts';

const string = { type: 'string' };
const strings = { type: 'array', items: string };
const map = { type: 'object', additionalProperties: string };
const atomic = { 'x-kubernetes-list-type': 'atomic' };

const importOf = (name: string, module: string) => `import type { ${name} } from 'ots-kubernetes/${module}';`;

const secretKeySelector = {
  type: 'object',
  required: ['key'],
  properties: { key: string, name: { type: 'string', default: '' }, optional: { type: 'boolean' } },
  'x-kubernetes-map-type': 'atomic',
};

const labelSelector = {
  type: 'object',
  properties: {
    matchExpressions: {
      type: 'array',
      items: {
        type: 'object',
        required: ['key', 'operator'],
        properties: { key: string, operator: string, values: { ...strings, ...atomic } },
      },
      ...atomic,
    },
    matchLabels: map,
  },
  'x-kubernetes-map-type': 'atomic',
};

const ownerReference = {
  type: 'object',
  required: ['apiVersion', 'kind', 'name', 'uid'],
  properties: {
    apiVersion: string,
    blockOwnerDeletion: { type: 'boolean' },
    controller: { type: 'boolean' },
    kind: string,
    name: string,
    uid: string,
  },
  'x-kubernetes-map-type': 'atomic',
};

const objectReference = {
  type: 'object',
  properties: Object.fromEntries(
    ['apiVersion', 'fieldPath', 'kind', 'name', 'namespace', 'resourceVersion', 'uid'].map((name) => [
      name,
      string,
    ]),
  ),
  'x-kubernetes-map-type': 'atomic',
};

/** Types whose schemas are too long to be written here; controller-gen says what they are (controller-gen/builtins.test.ts). */
const large = [
  ['core/v1', 'Affinity'],
  ['core/v1', 'Container'],
  ['core/v1', 'EnvVar'],
  ['core/v1', 'ResourceRequirements'],
  ['core/v1', 'PersistentVolumeClaim'],
  ['core/v1', 'Pod'],
  ['core/v1', 'PodTemplateSpec'],
  ['core/v1', 'ServiceSpec'],
  ['core/v1', 'Volume'],
  ['apps/v1', 'DeploymentSpec'],
  ['apps/v1', 'StatefulSet'],
  ['batch/v1', 'Job'],
  ['batch/v1', 'JobTemplateSpec'],
  ['networking/v1', 'IngressSpec'],
  ['networking/v1', 'NetworkPolicySpec'],
  ['policy/v1', 'PodDisruptionBudgetSpec'],
  ['autoscaling/v2', 'HorizontalPodAutoscalerSpec'],
  ['rbac/v1', 'PolicyRule'],
] as const;

export const acceptedBuiltins: readonly AcceptedSchema[] = [
  {
    name: 'a type of core/v1',
    types: importOf('SecretKeySelector', 'core/v1'),
    spec: 'x: SecretKeySelector;',
    schema: secretKeySelector,
  },
  {
    name: 'a type of core/v1 with a description and a default of its own',
    types: importOf('SecretKeySelector', 'core/v1'),
    spec: '/** Where it is. @default {key: token} */ x?: SecretKeySelector;',
    optional: true,
    schema: { ...secretKeySelector, description: 'Where it is.', default: { key: 'token' } },
  },
  {
    name: 'a type of a namespace import',
    types: `import type * as core from 'ots-kubernetes/core/v1';`,
    spec: 'x: core.SecretKeySelector;',
    schema: secretKeySelector,
  },
  {
    name: 'a renamed type',
    types: importOf('ObjectReference as Reference', 'core/v1'),
    spec: 'x: Reference;',
    schema: objectReference,
  },
  {
    name: 'a list of a built-in type, in an alias, with keys',
    types: `${importOf('EnvVarSource, LocalObjectReference', 'core/v1')} type References = LocalObjectReference[];`,
    spec: '/** @listType map @listMapKey name @maxItems 3 */ x: References;',
    schema: {
      type: 'array',
      items: {
        type: 'object',
        properties: { name: { type: 'string', default: '' } },
        'x-kubernetes-map-type': 'atomic',
      },
      maxItems: 3,
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['name'],
    },
  },
  {
    name: 'two fields of one built-in type, one of them nullable',
    types: importOf('LabelSelector', 'meta/v1'),
    spec: 'x: LabelSelector; y?: LabelSelector | null;',
    schema: labelSelector,
  },
  {
    name: 'LabelSelector | null',
    types: importOf('LabelSelector', 'meta/v1'),
    spec: 'x: LabelSelector | null;',
    schema: { ...labelSelector, nullable: true },
  },
  {
    name: 'OwnerReference of ots-runtime',
    types: `import type { OwnerReference } from 'ots-runtime';`,
    spec: 'x: OwnerReference;',
    schema: ownerReference,
  },
  {
    name: 'ObjectMeta of a template',
    spec: 'x: ObjectMeta;',
    schema: {
      type: 'object',
      properties: { annotations: map, finalizers: strings, labels: map, name: string, namespace: string },
    },
  },
  ...large.map(([module, name]) => ({
    name: `${name} of ${module}`,
    types: importOf(name, module),
    spec: `x: ${name};`,
    schema: schemaToJson()(typeSchema(module, name)!),
  })),
];
