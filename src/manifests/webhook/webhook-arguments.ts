import type { ArgumentSpec } from '../tag-syntax/parse-arguments.ts';

/** The arguments that @webhook requires and a class can supply. */
export const requiredArguments = ['mutating', 'name', 'groups', 'versions', 'resources', 'verbs'] as const;

/**
 * The arguments of @webhook. Arguments with a fixed set of values are checked later, because kubebuilder
 * accepts them in any case.
 */
export const webhookArguments: readonly ArgumentSpec[] = [
  { name: 'mutating', type: 'boolean' },
  { name: 'name', type: 'string' },
  { name: 'path', type: 'string' },
  { name: 'url', type: 'string' },
  { name: 'groups', type: 'list' },
  { name: 'versions', type: 'list' },
  { name: 'resources', type: 'list' },
  { name: 'verbs', type: 'list' },
  { name: 'scope', type: 'string' },
  { name: 'failurePolicy', type: 'string' },
  { name: 'matchPolicy', type: 'string' },
  { name: 'sideEffects', type: 'string' },
  { name: 'timeoutSeconds', type: 'integer' },
  { name: 'reinvocationPolicy', type: 'string' },
  { name: 'admissionReviewVersions', type: 'list' },
  { name: 'namespaceSelector', type: 'json' },
  { name: 'objectSelector', type: 'json' },
  { name: 'matchConditions', type: 'json' },
  { name: 'serviceName', type: 'string' },
  { name: 'serviceNamespace', type: 'string' },
  { name: 'servicePort', type: 'integer' },
  { name: 'webhookVersions', type: 'list', values: ['v1'] },
  { name: 'patch', type: 'json' },
];

/** The field of a webhook that each argument sets, if it has a different name. */
export const fieldOfArgument: Readonly<Record<string, readonly (string | number)[]>> = {
  url: ['clientConfig', 'url'],
  path: ['clientConfig', 'service', 'path'],
  serviceName: ['clientConfig', 'service', 'name'],
  serviceNamespace: ['clientConfig', 'service', 'namespace'],
  servicePort: ['clientConfig', 'service', 'port'],
  groups: ['rules', 0, 'apiGroups'],
  versions: ['rules', 0, 'apiVersions'],
  verbs: ['rules', 0, 'operations'],
  resources: ['rules', 0, 'resources'],
  scope: ['rules', 0, 'scope'],
};
