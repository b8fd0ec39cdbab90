import { beforeAll, expect, test } from 'vitest';
import { type PolicyCase, configMap, installCases, sendRequest } from '../admission/policies/policy-case.ts';
import { type AuditedRequest, audited } from '../../support/audited.ts';
import { onEachServer } from '../../support/on-each-server.ts';
import { asRecorded } from '../../support/recorded.ts';

/** A policy with audit annotations: keys and expressions. */
function annotating(annotations: Record<string, string>): Record<string, unknown> {
  const entries = Object.entries(annotations);
  return { auditAnnotations: entries.map(([key, valueExpression]) => ({ key, valueExpression })) };
}

function validating(...expressions: string[]): Record<string, unknown> {
  return { validations: expressions.map((expression) => ({ expression })) };
}

const auditing = [{ validationActions: ['Audit'] }];
const ignored = { failurePolicy: 'Ignore' };
const paramKind = { apiVersion: 'v1', kind: 'ConfigMap' };
const selected = { paramRef: { selector: { matchLabels: { use: 'yes' } }, parameterNotFoundAction: 'Deny' } };
const paramOf = (name: string, value: string): [string, object] => [
  'configmaps',
  { metadata: { name, labels: { use: 'yes' } }, data: { value } },
];
const named = (name: string) => ({ paramRef: { name, parameterNotFoundAction: 'Deny' } });

/** Policies whose bindings a real server may use in any order give the same annotations in every order. */
const cases: Record<string, PolicyCase> = {
  values: { spec: annotating({ a: "'text'", 'b.C_d-9': "' trimmed '", c: 'string(object.data)' }) },
  'values without text': { spec: annotating({ none: 'null', empty: "''", blank: "' \\n\\t '", b: "'b'" }) },
  'a value that is too long': {
    spec: annotating({ a: 'string(object.data.a + object.data.a)' }),
    requests: [{ body: configMap({ a: 'x'.repeat(10_000) }) }],
  },
  'a value that is too long in the middle of a character': {
    spec: annotating({ a: 'string(object.data.a)' }),
    requests: [{ body: configMap({ a: `${'x'.repeat(10_238)}€€` }) }],
  },
  'a value that fails': { spec: annotating({ a: "object.x.y == 1 ? 'a' : 'b'", b: "'b'" }) },
  'a value that fails, ignored': {
    spec: { ...annotating({ a: "object.x.y == 1 ? 'a' : 'b'", b: "'b'" }), ...ignored },
  },
  'values beside a refusal': { spec: { ...annotating({ a: "'b'" }), ...validating('false') } },
  'values of a policy whose conditions do not match': {
    spec: { ...annotating({ a: "'b'" }), matchConditions: [{ name: 'no', expression: 'false' }] },
  },
  'values that see variables, the request and the old object': {
    spec: {
      ...annotating({
        a: 'string(variables.name)',
        b: 'request.operation',
        c: "oldObject == null ? 'new' : 'old'",
      }),
      variables: [{ name: 'name', expression: 'object.metadata.name' }],
    },
  },
  'the same value of several bindings': { spec: annotating({ a: "'b'" }), bindings: [{}, {}] },
  'the same value of several parameters': {
    spec: { ...annotating({ a: "params.metadata.name + 'x' == '' ? '' : 'b'" }), paramKind },
    objects: [paramOf('one', '1'), paramOf('two', '2')],
    bindings: [selected],
  },
  'values of several parameters': {
    spec: { ...annotating({ a: 'string(params.data.value)' }), paramKind },
    objects: [paramOf('one', '1'), paramOf('two', '2')],
    bindings: [selected],
  },
  'values of several bindings': {
    spec: { ...annotating({ a: 'string(params.data.value)' }), paramKind },
    objects: [paramOf('one', '1'), paramOf('two', '2'), paramOf('none', '')],
    bindings: [named('one'), named('two'), named('none')],
  },
  'a parameter that is missing': {
    spec: { ...annotating({ a: 'string(params.data.value)' }), paramKind },
    bindings: [named('missing')],
  },
  'a failure': { spec: validating('true', 'object.data == {}'), bindings: auditing },
  'several failures': { spec: validating('true', 'false', '1 == 2'), bindings: auditing },
  'a failure with a message': {
    spec: { validations: [{ expression: 'false', message: 'no "<b>&</b>" \u2028', reason: 'Forbidden' }] },
    bindings: auditing,
  },
  'a failure with a computed message': {
    spec: { validations: [{ expression: 'false', messageExpression: "'ü ' + object.metadata.name" }] },
    bindings: auditing,
  },
  'a failure and a warning': {
    spec: validating('false'),
    bindings: [{ validationActions: ['Warn', 'Audit'] }],
  },
  'a failure that refuses': {
    spec: validating('true', 'false'),
    bindings: [{ validationActions: ['Deny', 'Audit'] }],
  },
  'a failure that only refuses': { spec: validating('false') },
  'a failure and values': {
    spec: { ...validating('false'), ...annotating({ a: "'b'" }) },
    bindings: auditing,
  },
  'an error': { spec: validating('true', 'object.x.y == 1'), bindings: auditing },
  'an error that is ignored': { spec: { ...validating('object.x.y == 1'), ...ignored }, bindings: auditing },
  'conditions that fail': {
    spec: { ...validating('false'), matchConditions: [{ name: 'c', expression: 'object.x.y == 1' }] },
    bindings: auditing,
  },
  'a dry run, a deletion and what is stored': {
    spec: { ...validating('oldObject == null'), ...annotating({ a: 'request.operation' }) },
    bindings: auditing,
    requests: [
      { stored: true },
      { method: 'PUT', path: 'configmaps/one', body: configMap({ a: '2' }) },
      { method: 'DELETE', path: 'configmaps/one' },
      { method: 'DELETE', path: 'configmaps' },
    ],
  },
};

const mutating: Record<string, PolicyCase> = {
  'a mutation, which has no annotation': {
    spec: {
      mutations: [
        {
          patchType: 'ApplyConfiguration',
          applyConfiguration: { expression: 'Object{data: {"seen": "yes"}}' },
        },
      ],
    },
  },
  'a mutation that fails': {
    spec: {
      mutations: [
        { patchType: 'JSONPatch', jsonPatch: { expression: '[JSONPatch{op: "remove", path: "/x"}]' } },
      ],
    },
  },
};

for (const [kind, all] of [
  ['Validating', cases],
  ['Mutating', mutating],
] as const)
  onEachServer(`audit annotations of ${kind.toLowerCase()} policies`, { recordRequests: true }, (server) => {
    let refusals: string[] = [];
    beforeAll(async () => {
      refusals = await installCases(server.session, kind, Object.values(all));
    });

    test('no policy is refused', () => expect(refusals).toEqual([]));

    test('all cases', async () => {
      const found: Record<string, unknown> = {};
      for (const [index, [title, { requests = [{}] }]] of Object.entries(all).entries())
        for (const request of requests) {
          const recorded = await audited(server, () => sendRequest(server.session, index, request));
          const { method = 'POST', path = '' } = request;
          const key = requests.length === 1 ? title : `${title}: ${method} ${path}`;
          found[key] = recorded.map(withSortedLists);
        }
      await expect(asRecorded(found)).toMatchFileSnapshot(
        `../recorded/audit-annotations/${kind.toLowerCase()}-policies.yaml`,
      );
    });
  });

/** A real server uses bindings and parameters in any order, which shows in the values of annotations. */
function withSortedLists({ annotations, ...rest }: AuditedRequest): AuditedRequest {
  const entries = Object.entries(annotations).map(([key, value]) => [
    key,
    key.startsWith('case-') ? value.split(', ').toSorted().join(', ') : value,
  ]);
  return { ...rest, annotations: Object.fromEntries(entries) };
}
