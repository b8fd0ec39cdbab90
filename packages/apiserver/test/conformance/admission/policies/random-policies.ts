import type { Randomness } from '../../../support/randomness.ts';
import { type CaseRequest, type PolicyCase, configMap } from './policy-case.ts';
import { type Vocabulary, randomCondition, randomText } from './random-expressions.ts';

const paramKind = { apiVersion: 'v1', kind: 'ConfigMap' };
const notFoundActions = ['Deny', 'Allow'];
const questionsPerPolicy = 7;

/** A policy with random rules, expressions, binding and parameters, and random requests. */
export function randomCase(random: Randomness): PolicyCase {
  const params = random.chance(0.4);
  const variables = random.chance(0.4) ? ['v', 'w'].slice(0, random.pick([1, 2])) : [];
  const words: Vocabulary = { params, variables };
  return {
    spec: {
      ...(params && { paramKind }),
      ...(random.chance(0.3) && { failurePolicy: 'Ignore' }),
      ...(random.chance(0.2) && { matchConstraints: randomConstraints(random) }),
      ...(variables.length > 0 && {
        variables: variables.map((name, index) => ({
          name,
          expression: randomText(random, { params, variables: variables.slice(0, index) }, 2),
        })),
      }),
      ...(random.chance(0.25) && {
        matchConditions: [{ name: 'c', expression: randomCondition(random, { params, variables: [] }, 2) }],
      }),
      ...(random.chance(0.2) && {
        auditAnnotations: [{ key: 'a', valueExpression: `string(${randomText(random, words, 1)})` }],
      }),
      validations: Array.from({ length: random.pick([1, 1, 2, 3]) }, () => ({
        expression: randomCondition(random, words),
        ...(random.chance(0.3) && { message: random.pick(['no', ' two  words ', 'ä']) }),
        ...(random.chance(0.4) && { messageExpression: `string(${randomText(random, words, 2)})` }),
        ...(random.chance(0.3) && { reason: random.pick(['Forbidden', 'Invalid', 'RequestEntityTooLarge']) }),
      })),
    },
    bindings: [randomBinding(random, params)],
    labels: random.chance(0.5) ? { team: 'a' } : {},
    objects: [
      ['configmaps', configMap(randomData(random), { name: 'existing', labels: randomData(random) })],
      ['configmaps', configMap({ max: '2', a: 'abc' }, { name: 'limits', labels: { use: 'yes' } })],
    ],
    requests: Array.from({ length: questionsPerPolicy }, () => randomRequest(random)),
  };
}

function randomConstraints(random: Randomness): object {
  return random.pick([
    { objectSelector: { matchLabels: { a: '1' } } },
    { objectSelector: { matchExpressions: [{ key: 'b', operator: 'DoesNotExist' }] } },
    {
      excludeResourceRules: [
        {
          operations: ['*'],
          apiGroups: [''],
          apiVersions: ['*'],
          resources: ['configmaps'],
          resourceNames: ['b'],
        },
      ],
    },
    {
      resourceRules: [
        {
          operations: ['CREATE'],
          apiGroups: ['*'],
          apiVersions: ['*'],
          resources: ['*'],
          scope: 'Namespaced',
        },
      ],
    },
  ]);
}

function randomBinding(random: Randomness, params: boolean): Record<string, unknown> {
  const parameterNotFoundAction = random.pick(notFoundActions);
  const reference = random.pick([
    { name: 'limits' },
    { name: 'missing' },
    { selector: { matchLabels: { use: 'yes' } } },
    { selector: { matchLabels: { use: 'no' } } },
  ]);
  return {
    validationActions: random.pick([['Deny'], ['Deny'], ['Deny', 'Audit'], ['Warn'], ['Warn', 'Audit']]),
    ...(params && random.chance(0.8) && { paramRef: { ...reference, parameterNotFoundAction } }),
    ...(random.chance(0.15) && { matchResources: { objectSelector: { matchLabels: { a: '1' } } } }),
  };
}

function randomRequest(random: Randomness): CaseRequest {
  const data = randomData(random);
  const labels = random.chance(0.6) ? { labels: randomData(random) } : {};
  if (random.chance(0.6))
    return { body: configMap(data, { name: random.pick(['a', 'b', 'x-1']), ...labels }) };
  const path = 'configmaps/existing';
  if (random.chance(0.3)) return { method: 'DELETE', path };
  return { method: 'PUT', path, body: configMap(data, { name: 'existing', ...labels }) };
}

function randomData(random: Randomness): Record<string, string> {
  const keys = ['a', 'b', 'c'].filter(() => random.chance(0.5));
  return Object.fromEntries(keys.map((key) => [key, random.pick(['1', '2', 'abc', 'a', ''])]));
}
