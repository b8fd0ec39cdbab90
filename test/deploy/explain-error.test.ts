import { ApiError, type FailureStatus } from 'ots-runtime';
import { expect, test } from 'vitest';
import { explainError } from '../../src/deploy/explain-error.ts';

const service = { apiVersion: 'v1', kind: 'Service', namespace: 'default', name: 'web' };
const explained = (status: FailureStatus) => explainError(new ApiError(status), service);

test('a conflict names each field and its owner', () => {
  const conflict = (manager: string, field: string) => ({
    reason: 'FieldManagerConflict',
    message: `conflict with ${manager}`,
    field,
  });
  const causes = [
    conflict('"kubectl" using v1', '.spec.ports'),
    conflict('"hpa" with subresource "scale" using v1', '.spec.replicas'),
  ];
  expect(
    explained({ code: 409, reason: 'Conflict', message: 'Apply failed', details: { causes } }),
  ).toMatchObject({
    code: 'FIELD_CONFLICT',
    message: 'service/web: "kubectl" owns .spec.ports, "hpa" with subresource "scale" owns .spec.replicas',
    hint: expect.stringContaining('--force-conflicts'),
  });
});

test.each([
  [
    'an admission webhook that denies',
    {
      code: 403,
      reason: 'Forbidden',
      message: 'admission webhook "policy.example.com" denied the request: no\nway',
    },
    'service/web: admission webhook "policy.example.com" denied the request: no way',
    'Correct the object in config/, or the webhook of the cluster that denies it.',
  ],
  [
    'RBAC that forbids',
    {
      code: 403,
      reason: 'Forbidden',
      message: 'services "web" is forbidden: User "jane" cannot patch resource "services" in API group ""',
    },
    /^service\/web: services "web" is forbidden/,
    'Use a context whose user may do this (--context), or ask the administrator of the cluster for the right.',
  ],
  [
    'a field that is not valid',
    { code: 422, reason: 'Invalid', message: 'spec.ports: Required value' },
    'service/web: spec.ports: Required value',
    'Correct the fields that the message names in config/, and run the command again.',
  ],
])('%s is one line, and what to do another', (_, status, message, hint) => {
  expect(explained(status)).toMatchObject({
    message: typeof message === 'string' ? message : expect.stringMatching(message),
    hint,
  });
});

test('an unknown error stays what it is', () => {
  const error = new TypeError('a bug');
  expect(explainError(error, service)).toBe(error);
});
