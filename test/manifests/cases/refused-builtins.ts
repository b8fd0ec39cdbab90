import type { RefusedSpec } from '../refused-specs.ts';

const of = (name: string, specifier: string) => ({
  imports: `import type { ${name} } from '${specifier}';`,
  spec: `x: ${name};`,
  at: `${name};`,
});

export const refusedBuiltins: readonly RefusedSpec[] = [
  {
    name: 'a built-in type of the wrong module',
    ...of('PodSpec', 'ots-kubernetes/apps/v1'),
    message: /^PodSpec of ots-kubernetes\/apps\/v1 has no schema$/,
    hint: /^write import type \{ PodSpec \} from 'ots-kubernetes\/core\/v1'$/,
  },
  {
    name: 'a built-in type of the root that is asked of meta/v1',
    ...of('OwnerReference', 'ots-kubernetes/meta/v1'),
    message: /has no schema/,
    hint: /import type \{ OwnerReference \} from 'ots-kubernetes'/,
  },
  {
    name: 'a type of the root that ots-runtime does not export',
    ...of('ManagedFieldsEntry', 'ots-runtime'),
    message: /has no schema/,
    hint: /from 'ots-kubernetes'$/,
  },
  {
    name: 'a misspelled built-in type',
    ...of('PodTemplatSpec', 'ots-kubernetes/core/v1'),
    message: /has no schema/,
    hint: /^did you mean PodTemplateSpec\?$/,
  },
  {
    name: 'a type that no module has',
    ...of('Basket', 'ots-kubernetes/core/v1'),
    message: /has no schema/,
    hint: /declare an interface/,
  },
  {
    name: 'a misspelled module',
    ...of('Pot', 'ots-kubernetes/coer/v1'),
    message: /^ots-kubernetes\/coer\/v1 is not a module with types of Kubernetes$/,
    hint: /^did you mean ots-kubernetes\/core\/v1\?$/,
  },
  {
    name: 'a module that is not there, of a type that is',
    ...of('Ingress', 'ots-kubernetes/extensions/v1beta1'),
    message: /is not a module/,
    hint: /from 'ots-kubernetes\/networking\/v1'/,
  },
  {
    name: 'a module of prototypes',
    ...of('toString', 'ots-kubernetes/__proto__'),
    message: /is not a module/,
    hint: /there are ots-kubernetes, .*ots-kubernetes\/batch\/v1/,
  },
  {
    name: 'a built-in type that contains itself',
    ...of('JSONSchemaProps', 'ots-kubernetes/apiextensions/v1'),
    message: /cannot be part of a CRD: it contains itself/,
    hint: /refer to such objects by their name/,
  },
  {
    name: 'a built-in type whose list has keys that may be missing',
    ...of('ServiceAccount', 'ots-kubernetes/core/v1'),
    message: /the items of its list secrets may lack their key name/,
    refusedSchema: {
      type: 'object',
      properties: {
        secrets: {
          type: 'array',
          items: { type: 'object', properties: { name: { type: 'string' } } },
          'x-kubernetes-list-type': 'map',
          'x-kubernetes-list-map-keys': ['name'],
        },
      },
    },
  },
  {
    name: 'a type of kubernetes-types',
    ...of('PodSpec', 'kubernetes-types/core/v1'),
    message: /PodSpec comes from kubernetes-types\/core\/v1/,
    hint: /^write import type \{ PodSpec \} from 'ots-kubernetes\/core\/v1'$/,
  },
  {
    name: 'a type of kubernetes-types that several modules have',
    ...of('Event', 'kubernetes-types/events/v1'),
    message: /comes from/,
    hint: /^write import type \{ Event \} from 'ots-kubernetes\/events\/v1'$/,
  },
  {
    name: 'a type of kubernetes-types that is in our root',
    ...of('ManagedFieldsEntry', 'kubernetes-types/meta/v1'),
    message: /comes from/,
    hint: /^write import type \{ ManagedFieldsEntry \} from 'ots-kubernetes'$/,
  },
  {
    name: 'a type of @kubernetes/client-node',
    ...of('V2MetricSpec', '@kubernetes/client-node'),
    message: /V2MetricSpec comes from @kubernetes\/client-node/,
    hint: /^write import type \{ MetricSpec \} from 'ots-kubernetes\/autoscaling\/v2'$/,
  },
  {
    name: 'a type of @kubernetes/client-node that is called by its group',
    ...of('RbacV1Subject', '@kubernetes/client-node'),
    message: /comes from/,
    hint: /import type \{ Subject \} from 'ots-kubernetes\/rbac\/v1'/,
  },
  {
    name: 'a type of @kubernetes/client-node that we do not have',
    ...of('V1Basket', '@kubernetes/client-node'),
    message: /comes from/,
    hint: /declare the type in this project/,
  },
];
