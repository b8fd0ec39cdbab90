import { expect, test } from 'vitest';
import { refusal } from '../../support/normalize.ts';
import { onEachServer } from '../../support/on-each-server.ts';
import { asRecorded } from '../../support/recorded.ts';
import { withoutCompiler } from '../../support/without-compiler.ts';

const api = '/apis/admissionregistration.k8s.io/v1';
const metadata = { name: 'expressions' };
const constraints = {
  resourceRules: [
    { operations: ['CREATE'], apiGroups: ['apps'], apiVersions: ['v1'], resources: ['deployments'] },
  ],
};
const validations = [{ expression: 'true' }];

/** Objects with an expression, by the field that contains it. */
const places: Record<string, { plural: string; write: (expression: string) => object }> = {
  'a webhook that is asked': {
    plural: 'validatingwebhookconfigurations',
    write: (expression) => ({ webhooks: [webhookWith(expression)] }),
  },
  'a webhook that changes': {
    plural: 'mutatingwebhookconfigurations',
    write: (expression) => ({ webhooks: [webhookWith(expression)] }),
  },
  'a condition of a policy': {
    plural: 'validatingadmissionpolicies',
    write: (expression) => policyWith({ validations, matchConditions: [{ name: 'c', expression }] }),
  },
  'a condition of a policy with parameters': {
    plural: 'validatingadmissionpolicies',
    write: (expression) =>
      policyWith({
        validations,
        matchConditions: [{ name: 'c', expression }],
        paramKind: { apiVersion: 'v1', kind: 'ConfigMap' },
      }),
  },
  'a validation': {
    plural: 'validatingadmissionpolicies',
    write: (expression) => policyWith({ validations: [{ expression }] }),
  },
  'a validation with variables': {
    plural: 'validatingadmissionpolicies',
    write: (expression) =>
      policyWith({ validations: [{ expression }], variables: [{ name: 'x', expression: '1' }] }),
  },
  'a variable': {
    plural: 'validatingadmissionpolicies',
    write: (expression) => policyWith({ validations, variables: [{ name: 'x', expression }] }),
  },
};

const expressions = [
  '... [] bad expression',
  'true',
  '1',
  '"x"',
  'object.spec.replicas',
  'object.spec.replicas > 1',
  'object == oldObject',
  'foo == 1',
  'self == 1',
  'params.x == 1',
  'variables.x == 1',
  'request.dryRun',
  'request.kind.kind == "x"',
  'namespaceObject.metadata.name == "x"',
  'object.all(x, x)',
  'size(1) == 1',
  'object.x.matches("[")',
  'authorizer.group("").resource("pods").check("get").allowed()',
  'authorizer.(',
  'dyn(1)',
  'int("x") == 1',
  'duration("x") == duration("1s") || int("x") == 1',
  'object.x.find("[") == ""',
];

function webhookWith(expression: string): object {
  return {
    name: 'a.example.com',
    clientConfig: { url: 'https://a.example.com/hook' },
    sideEffects: 'None',
    admissionReviewVersions: ['v1'],
    matchConditions: [{ name: 'c', expression }],
  };
}

function policyWith(spec: object): object {
  return { spec: { matchConstraints: constraints, ...spec } };
}

onEachServer('expressions about requests', (server) => {
  test('expressions are compiled', async () => {
    const outcomes: Record<string, Record<string, unknown>> = {};
    for (const [place, { plural, write }] of Object.entries(places)) {
      outcomes[place] = {};
      for (const expression of expressions) {
        const answer = await server.session.post(`${api}/${plural}?dryRun=All`, {
          metadata,
          ...write(expression),
        });
        outcomes[place][expression] = answer.code === 201 ? 'created' : withoutCompiler(refusal(answer));
      }
    }
    await expect(asRecorded(outcomes)).toMatchFileSnapshot('../recorded/admission-expressions.yaml');
  });

  test('a syntax error names its line and column', async () => {
    const answer = await server.session.post(`${api}/validatingwebhookconfigurations?dryRun=All`, {
      metadata,
      webhooks: [webhookWith('1 == 1 =')],
    });
    expect(answer.code).toBe(422);
    expect(answer.body.message).toContain('compilation failed: ERROR: <input>:1:8: Syntax error: ');
  });

  test('expressions that a patch adds are compiled', async () => {
    const path = `${api}/validatingwebhookconfigurations`;
    const good = { metadata: { name: 'patched' }, webhooks: [webhookWith('true')] };
    expect((await server.session.post(path, good)).code).toBe(201);
    const patch = [{ op: 'replace', path: '/webhooks/0/matchConditions/0/expression', value: '1' }];
    const refused = await server.session.jsonPatch(`${path}/patched`, patch);
    expect(refused.body.message).toContain('Invalid value: "1": must evaluate to bool but got int');
    await server.session.delete(`${path}/patched`);
  });
});
