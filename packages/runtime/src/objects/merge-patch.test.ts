import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { mergePatchBetween, patchOf } from './merge-patch.ts';
import { propertyRuns } from '../../../../test/support/property-runs.ts';

type Json = Record<string, unknown>;

/** RFC 7386, section 2, to the letter. */
function merged(target: unknown, patch: unknown): unknown {
  if (typeof patch !== 'object' || patch === null || Array.isArray(patch)) return patch;
  const isObject = typeof target === 'object' && target !== null && !Array.isArray(target);
  const result: Json = Object.assign(Object.create(null), isObject ? target : {});
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) delete result[key];
    else result[key] = merged(result[key], value);
  }
  return result;
}

/** Without fields that are null or undefined, which no merge patch can bring about. Lists stay as they are. */
function stored(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  const fields = Object.entries(value).filter(([, field]) => field !== null && field !== undefined);
  return Object.fromEntries(fields.map(([key, field]) => [key, stored(field)]));
}

const keys = fc.constantFrom('a', 'b', 'c', 'constructor', '__proto__');
const scalar = fc.oneof(fc.constantFrom(0, 1, '', 'x', true, null), fc.constant(undefined));
const { object } = fc.letrec<{ value: unknown; object: Json }>((tie) => ({
  object: fc
    .array(fc.tuple(keys, tie('value')), { maxLength: 4 })
    .map((entries) => Object.fromEntries(entries)),
  value: fc.oneof({ maxDepth: 3 }, scalar, tie('object'), fc.array(fc.constantFrom(1, null, 'x'))),
}));

describe('the patch between two objects', () => {
  test('turns one into the other, and is empty only when they are equal', () => {
    fc.assert(
      fc.property(object, object, (base, draft) => {
        const before = stored(base) as Json;
        const snapshot = JSON.stringify(before);
        const patch = mergePatchBetween(before, draft);
        // It goes over the wire.
        const sent = JSON.parse(JSON.stringify(patch ?? {})) as unknown;
        expect(JSON.stringify(sorted(merged(before, sent)))).toBe(JSON.stringify(sorted(stored(draft))));
        expect(JSON.stringify(before)).toBe(snapshot);
        expect(patch === undefined).toBe(
          JSON.stringify(sorted(before)) === JSON.stringify(sorted(stored(draft))),
        );
      }),
      { numRuns: propertyRuns(500) },
    );
  });

  test.each<[string, object, object, object | undefined]>([
    ['removed', { a: 1, b: 2 }, { b: 2 }, { a: null }],
    ['undefined', { a: 1 }, { a: undefined }, { a: null }],
    ['never there', {}, { a: undefined, b: null }, undefined],
    ['a list, whole', { a: [1, 2, 3] }, { a: [1, 3] }, { a: [1, 3] }],
    ['the same list', { a: [{ b: 1 }] }, { a: [{ b: 1, c: undefined }] }, undefined],
    ['deep', { a: { b: { c: 1, d: 1 } } }, { a: { b: { c: 2, d: 1 } } }, { a: { b: { c: 2 } } }],
    ['another type', { a: { b: 1 } }, { a: 'x' }, { a: 'x' }],
  ])('%s', (_, base, draft, expected) => {
    expect(mergePatchBetween(base, draft)).toEqual(expected);
  });

  test('it carries the uid of the object that was read, and with a lock the version', () => {
    const patch = { metadata: { labels: { a: 'b' } } };
    const read = { uid: 'u', resourceVersion: '7' };
    expect(patchOf(read, patch)).toEqual({ metadata: { labels: { a: 'b' }, uid: 'u' } });
    expect(patchOf(read, patch, true)).toEqual({
      metadata: { labels: { a: 'b' }, uid: 'u', resourceVersion: '7' },
    });
    expect(patchOf({}, patch)).toEqual(patch);
    expect(() => patchOf({ uid: 'u' }, {}, true)).toThrow('without a resourceVersion');
  });
});

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value;
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return entries.map(([key, field]) => [key, sorted(field)]);
}
