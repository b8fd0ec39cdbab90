import { endpoint } from '../../../support/versioned-endpoint.ts';
import type { CaseRequest, PolicyCase } from './policy-case.ts';

const group = 'conformance.example.com';
const ruleFor = (...apiVersions: string[]) => ({
  operations: ['CREATE', 'UPDATE', 'DELETE'],
  apiGroups: [group],
  apiVersions,
  resources: ['converteds', 'converteds/status'],
});
const changesFor = (...apiVersions: string[]) => ({
  ...ruleFor(...apiVersions),
  operations: ['CREATE', 'UPDATE'],
});
const pathOf = (version: string, plural = 'converteds') =>
  `/apis/${group}/${version}/namespaces/NAMESPACE/${plural}`;
const fields = { host: 'a', port: '1', tls: true };

/** A Converted in a version. */
function converted(version: string, labels?: object, name = 'one'): any {
  const { metadata, ...rest } = endpoint('Converted', version, name, fields);
  return { ...rest, metadata: { ...metadata, ...(labels && { labels }) } };
}
const create = (version: string, labels?: object, name?: string): CaseRequest => ({
  path: pathOf(version),
  body: converted(version, labels, name),
});
const existing: [string, object] = [pathOf('v2'), converted('v2', undefined, 'old')];
const merge = (version: string, spec: object): CaseRequest => ({
  method: 'PATCH',
  path: `${pathOf(version)}/old`,
  body: { spec },
  contentType: 'application/merge-patch+json',
});
const remove = (version: string): CaseRequest => ({ method: 'DELETE', path: `${pathOf(version)}/old` });
const every = ['v1', 'v2', 'v3'].map((version) => create(version));
/** Says what the policy sees. */
const telling = (what: string) => ({ expression: 'false', messageExpression: `string(${what})` });
const seen =
  '[request.kind.version, request.requestKind.version, object == null ? "-" : string(object.apiVersion), oldObject == null ? "-" : string(oldObject.apiVersion)].join(" ")';
const endpointSeen = 'object.spec.endpoint.host + ":" + string(object.spec.endpoint.port)';

/** Params of a kind that a webhook converts, stored in v2. */
function param(name: string, host: string, labels?: object, kind = 'Param'): [string, object] {
  const { metadata, ...rest } = endpoint(kind, 'v2', name, { host, port: '7' });
  return [
    pathOf('v2', `${kind.toLowerCase()}s`),
    { ...rest, metadata: { ...metadata, ...(labels && { labels }) } },
  ];
}
const paramKind = (version: string) => ({ apiVersion: `${group}/${version}`, kind: 'Param' });

export const validating: Record<string, PolicyCase> = {
  'a rule of another version': {
    spec: {
      matchConstraints: { resourceRules: [ruleFor('v3')] },
      validations: [telling(seen), telling(endpointSeen)],
    },
    objects: [existing],
    requests: [...every, merge('v1', { host: 'b' }), merge('v2', { note: 'b' })],
  },
  'deletions in another version': {
    spec: {
      matchConstraints: { resourceRules: [ruleFor('v3')] },
      validations: [telling('oldObject.spec.endpoint.host')],
    },
    objects: [existing],
    requests: [remove('v1'), remove('v2'), remove('v3')],
  },
  'the status in another version': {
    spec: { matchConstraints: { resourceRules: [ruleFor('v3')] }, validations: [telling(seen)] },
    objects: [existing],
    requests: [{ ...merge('v1', {}), path: `${pathOf('v1')}/old/status`, body: { status: { ready: true } } }],
  },
  'an exact match': {
    spec: {
      matchConstraints: { resourceRules: [ruleFor('v3')], matchPolicy: 'Exact' },
      validations: [telling(seen)],
    },
    requests: every,
  },
  'two rules': {
    spec: {
      matchConstraints: { resourceRules: [ruleFor('v3'), ruleFor('v2')] },
      validations: [telling(seen)],
    },
    requests: every,
  },
  'a binding of another version': {
    spec: { matchConstraints: { resourceRules: [ruleFor('v3')] }, validations: [telling(seen)] },
    bindings: [{ matchResources: { resourceRules: [ruleFor('v2')] } }],
    requests: every,
  },
  'an exact binding': {
    spec: { matchConstraints: { resourceRules: [ruleFor('v3')] }, validations: [telling(seen)] },
    bindings: [{ matchResources: { resourceRules: [ruleFor('v1')], matchPolicy: 'Exact' } }],
    requests: every,
  },
  'conditions and variables in another version': {
    spec: {
      matchConstraints: { resourceRules: [ruleFor('v3')] },
      matchConditions: [{ name: 'tls', expression: 'object.spec.tls == true' }],
      variables: [{ name: 'host', expression: 'object.spec.endpoint.host' }],
      validations: [telling('variables.host')],
    },
    requests: every,
  },
  'params in another version': {
    spec: {
      paramKind: paramKind('v3'),
      validations: [telling('params.apiVersion + " " + params.spec.endpoint.host')],
    },
    bindings: [{ paramRef: { name: 'p', parameterNotFoundAction: 'Deny' } }],
    objects: [param('p', 'h')],
  },
  'params in the stored version': {
    spec: {
      paramKind: paramKind('v2'),
      validations: [telling('params.apiVersion + " " + params.spec.address')],
    },
    bindings: [{ paramRef: { name: 'p', parameterNotFoundAction: 'Deny' } }],
    objects: [param('p', 'h')],
  },
  'selected params in another version': {
    spec: { paramKind: paramKind('v1'), validations: [telling('params.spec.host')] },
    bindings: [{ paramRef: { selector: { matchLabels: { use: 'yes' } }, parameterNotFoundAction: 'Deny' } }],
    objects: [param('p', 'no'), param('q', 'yes', { use: 'yes' })],
  },
  'params and objects in other versions': {
    spec: {
      paramKind: paramKind('v1'),
      matchConstraints: { resourceRules: [ruleFor('v3')] },
      validations: [telling('params.spec.host + " " + object.spec.endpoint.host')],
    },
    bindings: [{ paramRef: { name: 'p', parameterNotFoundAction: 'Deny' } }],
    objects: [param('p', 'h')],
    requests: every,
  },
};

const fails = { fails: 'v1-v3' };
const policies = ['Fail', 'Ignore'];

/** Objects that cannot be converted. */
export const failingValidating: Record<string, PolicyCase> = Object.fromEntries(
  policies.flatMap((failurePolicy): [string, PolicyCase][] => [
    [
      `a conversion that fails, ${failurePolicy}`,
      {
        spec: {
          failurePolicy,
          matchConstraints: { resourceRules: [ruleFor('v3')] },
          validations: [telling(seen)],
        },
        requests: [create('v1', fails), create('v2', fails)],
      },
    ],
    [
      `params that cannot be converted, ${failurePolicy}`,
      {
        spec: {
          failurePolicy,
          paramKind: { ...paramKind('v3'), kind: 'Broken' },
          validations: [telling('params.kind')],
        },
        bindings: [{ paramRef: { name: 'p', parameterNotFoundAction: 'Deny' } }],
        objects: [param('p', 'h', { fails: 'v2-v3' }, 'Broken')],
      },
    ],
    [
      `a conversion that fails, with two bindings, ${failurePolicy}`,
      {
        spec: {
          failurePolicy,
          matchConstraints: { resourceRules: [ruleFor('v3')] },
          validations: [telling(seen)],
        },
        bindings: [{}, { validationActions: ['Warn'] }],
        requests: [create('v1', fails)],
      },
    ],
    [
      `a conversion that fails, without a binding that matches, ${failurePolicy}`,
      {
        spec: {
          failurePolicy,
          matchConstraints: { resourceRules: [ruleFor('v3')] },
          validations: [telling(seen)],
        },
        bindings: [{ matchResources: { objectSelector: { matchLabels: { other: 'yes' } } } }],
        requests: [create('v1', fails)],
      },
    ],
    [
      `a conversion that fails, without params, ${failurePolicy}`,
      {
        spec: {
          failurePolicy,
          paramKind: { apiVersion: 'v1', kind: 'ConfigMap' },
          matchConstraints: { resourceRules: [ruleFor('v3')] },
          validations: [telling(seen)],
        },
        bindings: [
          { paramRef: { name: 'missing', parameterNotFoundAction: 'Allow' } },
          { paramRef: { name: 'missing', parameterNotFoundAction: 'Deny' } },
        ],
        requests: [create('v1', fails)],
      },
    ],
  ]),
);

const apply = (expression: string) => ({
  patchType: 'ApplyConfiguration',
  applyConfiguration: { expression },
});
const jsonPatch = (expression: string) => ({ patchType: 'JSONPatch', jsonPatch: { expression } });
const rules = (...versions: string[]) => ({ resourceRules: [changesFor(...versions)] });
const setNote = apply('Object{spec: Object.spec{note: object.spec.endpoint.host + "!"}}');

export const mutating: Record<string, PolicyCase> = {
  'a mutation in another version': {
    spec: { matchConstraints: rules('v3'), mutations: [setNote] },
    objects: [existing],
    requests: [...every, merge('v1', { host: 'b' })],
  },
  'a patch in another version': {
    spec: {
      matchConstraints: rules('v3'),
      mutations: [jsonPatch('[JSONPatch{op: "replace", path: "/spec/endpoint/port", value: 9}]')],
    },
    requests: every,
  },
  'a mutation of what the version of the request lacks': {
    spec: {
      matchConstraints: rules('v3'),
      mutations: [
        apply('Object{spec: Object.spec{tls: false}}'),
        apply('Object{spec: Object.spec{note: string(object.spec.tls)}}'),
      ],
    },
    requests: every,
  },
  'a mutation in the stored version': {
    spec: { matchConstraints: rules('v2'), mutations: [apply('Object{spec: Object.spec{address: "x:9"}}')] },
    requests: every,
  },
  'an exact match': {
    spec: { matchConstraints: { ...rules('v3'), matchPolicy: 'Exact' }, mutations: [setNote] },
    requests: every,
  },
  'params in another version': {
    spec: {
      paramKind: paramKind('v3'),
      mutations: [apply('Object{data: {"host": params.spec.endpoint.host}}')],
    },
    bindings: [{ paramRef: { name: 'p', parameterNotFoundAction: 'Deny' } }],
    objects: [param('p', 'h')],
  },
};

/** Objects that cannot be converted. */
export const failingMutating: Record<string, PolicyCase> = Object.fromEntries(
  policies.flatMap((failurePolicy): [string, PolicyCase][] => [
    [
      `a conversion that fails, ${failurePolicy}`,
      {
        spec: { failurePolicy, matchConstraints: rules('v3'), mutations: [setNote] },
        requests: [create('v1', fails), create('v2', fails)],
      },
    ],
    [
      `a conversion that fails, with two bindings, ${failurePolicy}`,
      {
        spec: { failurePolicy, matchConstraints: rules('v3'), mutations: [setNote] },
        bindings: [{}, {}],
        requests: [create('v1', fails)],
      },
    ],
    [
      `a conversion that fails, without a binding that matches, ${failurePolicy}`,
      {
        spec: { failurePolicy, matchConstraints: rules('v3'), mutations: [setNote] },
        bindings: [{ matchResources: { objectSelector: { matchLabels: { other: 'yes' } } } }],
        requests: [create('v1', fails)],
      },
    ],
    [
      `a conversion back that fails, ${failurePolicy}`,
      {
        spec: { failurePolicy, matchConstraints: rules('v3'), mutations: [setNote] },
        requests: [create('v1', { fails: 'v3-v1' }), create('v2', { fails: 'v3-v1' })],
      },
    ],
  ]),
);
