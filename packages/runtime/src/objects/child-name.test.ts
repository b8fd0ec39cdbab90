import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { childName } from './child-name.ts';

const named = (name?: string): { metadata: { name?: string } } => ({
  metadata: name === undefined ? {} : { name },
});
const label = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/;

describe('childName', () => {
  test('is plain where possible', () => {
    expect(childName(named('shop'), 'config')).toBe('shop-config');
    expect(childName(named('a'.repeat(56)), 'config')).toBe(`${'a'.repeat(56)}-config`);
  });

  test('is the same in every process', () => {
    expect(childName(named('a'.repeat(57)), 'config')).toBe(`${'a'.repeat(45)}-config-6cfqlgfcbd`);
    expect(childName(named('shop.example'), 'config')).toBe('shop-example-config-8zzfr8cqrp');
    expect(childName(named('shop'), 'web-server')).toBe('shop-web-server-zwcqlfckjn');
  });

  test('respects another limit', () => {
    const name = childName(named('a'.repeat(50)), 'db', 52);
    expect(name).toHaveLength(52);
    expect(childName(named('shop'), 'db', 10)).toBe('shop-db');
    expect(() => childName(named('shop'), 'web-server', 18)).toThrow('has no room for the suffix web-server');
  });

  test('a cut does not leave a dash before the suffix', () => {
    expect(childName(named(`${'a'.repeat(44)}-${'b'.repeat(20)}`), 'config')).toMatch(/a-config-/);
  });

  test.each(['', 'Config', '-config', 'config-', 'a.b', 'a_b'])('%j is not a suffix', (suffix) => {
    expect(() => childName(named('shop'), suffix)).toThrow('is not a suffix');
  });

  test('an owner without a name has no children', () => {
    expect(() => childName(named(), 'config')).toThrow('has no name');
  });

  const chars = ['a', 'b', '1', '-'];
  const part = (maxLength: number, alphabet = chars): fc.Arbitrary<string> =>
    fc
      .array(fc.constantFrom(...alphabet), { minLength: 1, maxLength })
      .map((letters) => letters.join(''))
      .filter((text) => label.test(text.replaceAll('.', 'a')));

  test('is always a label, and two pairs never share one', () => {
    const names = new Map<string, string>();
    fc.assert(
      fc.property(
        part(80, [...chars, '.']),
        part(12),
        fc.integer({ min: 30, max: 63 }),
        (owner, suffix, max) => {
          const name = childName(named(owner), suffix, max);
          expect(name).toMatch(label);
          expect(name.length).toBeLessThanOrEqual(max);
          const pair = JSON.stringify([owner, suffix]);
          expect(names.get(name) ?? pair).toBe(pair);
          names.set(name, pair);
        },
      ),
      { numRuns: 5000 },
    );
  });
});
