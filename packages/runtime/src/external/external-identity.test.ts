import { expect, test } from 'vitest';
import { bucket } from '../../test/buckets.ts';
import {
  createStartedAnnotation,
  createdAnnotation,
  idAnnotation,
  mayBeHidden,
  storedIdentity,
  uniqueIdentity,
  unknownCreate,
} from './external-identity.ts';

const uid = '0b5a3c1e-1111-4222-8333-123456789abc';

test.each([
  ['web', `web-${uid}`],
  ['web.example.com', `web-example-com-${uid}`],
  ['a'.repeat(100), `${'a'.repeat(26)}-${uid}`],
  [`${'a'.repeat(25)}.b`, `${'a'.repeat(25)}-${uid}`],
  ['', uid],
])('the identity of %j is a DNS label with its uid', (name, identity) => {
  const object = { ...bucket('a'), metadata: { name, uid } };
  expect(uniqueIdentity(object)).toBe(identity);
  expect(identity).toMatch(/^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/);
});

const annotated = (annotations?: Record<string, string>, reason?: string, lastTransitionTime = '') => ({
  ...bucket('a'),
  metadata: { name: 'a', ...(annotations && { annotations }) },
  ...(reason && {
    status: {
      conditions: [{ type: 'Ready', status: 'False' as const, reason, message: '', lastTransitionTime }],
    },
  }),
});

test('an empty annotation is none', () => {
  expect(storedIdentity(annotated())).toBeUndefined();
  expect(storedIdentity(annotated({ [idAnnotation]: '' }))).toBeUndefined();
  expect(storedIdentity(annotated({ [idAnnotation]: 'a' }))).toBe('a');
});

test('a creation is unknown until there is an ID', () => {
  expect(unknownCreate(annotated())).toBeUndefined();
  expect(unknownCreate(annotated({ [createStartedAnnotation]: 'then' }))).toBe('then');
  const known = { [createStartedAnnotation]: 'then', [idAnnotation]: 'a' };
  expect(unknownCreate(annotated(known))).toBeUndefined();
});

const created = '2026-01-01T00:00:10.500Z';
const soon = Date.parse(created) + 10_000;

test.each([
  ['without a time', undefined, soon, undefined, '', false],
  ['with a time that is none', 'then', soon, undefined, '', false],
  ['soon after the creation', created, soon, undefined, '', true],
  ['later', created, soon + 20_000, undefined, '', false],
  ['while it is created', created, soon, 'Creating', '2026-01-01T00:00:10Z', true],
  ['when it was seen', created, soon, 'Available', '2026-01-01T00:00:10Z', false],
  ['when an earlier one was seen', created, soon, 'Available', '2026-01-01T00:00:09Z', true],
  ['when it is being deleted', created, soon, 'Deleting', '2026-01-01T00:00:09Z', false],
])('an external resource may be hidden %s', (_, time, now, reason, transition, expected) => {
  for (const name of [createdAnnotation, createStartedAnnotation]) {
    const object = annotated(time ? { [name]: time } : undefined, reason, transition);
    expect(mayBeHidden(object, now)).toBe(expected);
  }
});
