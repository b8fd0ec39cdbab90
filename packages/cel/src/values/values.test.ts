import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { escapeProperty, unescapeProperty } from '../escape-property.ts';
import { functions } from '../functions/functions.ts';
import { findOverload } from '../functions/overload.ts';
import type { CelResult, CelValue } from './cel-value.ts';
import { codePointLength, compareStrings, sliceCodePoints } from './code-points.ts';
import { compare } from './compare.ts';
import { equals } from './equals.ts';
import { isError } from './evaluation-error.ts';
import { parseDuration } from './parse-duration.ts';
import { parseIp } from './parse-ip.ts';
import { parseQuantity } from './parse-quantity.ts';
import { parseTimestamp } from './parse-timestamp.ts';
import { Timestamp } from './timestamp.ts';
import { Uint } from './uint.ts';
import { unicodeCharacter } from '../../../../test/support/unicode-character.ts';

const text = fc.string({ unit: 'grapheme', maxLength: 8 });
const int = fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n });
const uint = fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }).map((value) => new Uint(value));
const scalar: fc.Arbitrary<CelValue> = fc.oneof(
  int,
  uint,
  fc.double(),
  text,
  fc.boolean(),
  fc.constant(null),
);

function call(name: string, ...args: CelValue[]): CelResult {
  const overload = findOverload(functions.get(name)!, args)!;
  return overload.run(...(args as never[]));
}

describe('values', () => {
  test('are equal in both directions, and then compare as equal', () => {
    fc.assert(
      fc.property(scalar, scalar, (a, b) => {
        expect(equals(a, b)).toBe(equals(b, a));
        if (compare(a, b) !== undefined) expect(compare(a, b) === 0).toBe(equals(a, b));
      }),
    );
  });

  test('have an order', () => {
    fc.assert(
      fc.property(int, fc.oneof(int, uint), (a, b) => {
        const [x, y] = [compare(a, b)!, compare(b, a)!];
        expect(x + y).toBe(0);
      }),
    );
  });

  test('overflow when they leave 64 bits, and not before', () => {
    fc.assert(
      fc.property(int, int, fc.constantFrom('_+_', '_-_', '_*_'), (a, b, name) => {
        const exact = name === '_+_' ? a + b : name === '_-_' ? a - b : a * b;
        const result = call(name, a, b);
        if (BigInt.asIntN(64, exact) === exact) expect(result).toBe(exact);
        else expect(result).toMatchObject({ message: 'integer overflow' });
      }),
    );
  });

  test('quotient and remainder make up the dividend', () => {
    fc.assert(
      fc.property(
        int,
        int.filter((b) => b > 0n),
        (a, b) => {
          expect((call('_/_', a, b) as bigint) * b + (call('_%_', a, b) as bigint)).toBe(a);
        },
      ),
    );
  });
});

describe('texts', () => {
  test('are counted and ordered by code points', () => {
    fc.assert(
      fc.property(fc.string({ unit: unicodeCharacter }), fc.string({ unit: unicodeCharacter }), (a, b) => {
        expect(codePointLength(a)).toBe(Array.from(a).length);
        const expected = Buffer.compare(Buffer.from(a), Buffer.from(b));
        expect(compareStrings(a, b)).toBe(expected);
      }),
    );
  });

  test('consist of their parts', () => {
    fc.assert(
      fc.property(text, fc.nat(10), (whole, at) => {
        const length = codePointLength(whole);
        const cut = Math.min(at, length);
        expect(sliceCodePoints(whole, 0, cut) + sliceCodePoints(whole, cut, length)).toBe(whole);
      }),
    );
  });

  test('are found where they are', () => {
    fc.assert(
      fc.property(text, text, text, (before, part, after) => {
        const whole = before + part + after;
        const found = call('indexOf', whole, part);
        expect(found).toBeLessThanOrEqual(codePointLength(before));
        const size = BigInt(codePointLength(part));
        expect(call('substring', whole, found as bigint, (found as bigint) + size)).toBe(part);
      }),
    );
  });

  test('are the same after split and join', () => {
    fc.assert(
      fc.property(text, text, (whole, separator) => {
        expect(call('join', call('split', whole, separator) as CelValue, separator)).toBe(whole);
      }),
    );
  });
});

describe('formatted values can be parsed again', () => {
  test('timestamps', () => {
    const nanoseconds = fc.bigInt({ min: -62_135_596_800n * 10n ** 9n, max: 253_402_300_799n * 10n ** 9n });
    fc.assert(
      fc.property(nanoseconds, fc.integer({ min: -23 * 60, max: 23 * 60 }), (time, offset) => {
        const timestamp = new Timestamp(time, offset);
        // A local year before 0 or after 9999 cannot be written.
        fc.pre(/^\d{4}-/.test(timestamp.toString()));
        expect(parseTimestamp(timestamp.toString())).toEqual(timestamp);
      }),
    );
  });

  test('durations of whole microseconds', () => {
    fc.assert(
      fc.property(fc.integer({ min: -(10 ** 12), max: 10 ** 12 }), (microseconds) => {
        const duration = parseDuration(`${microseconds}us`)!;
        expect(parseDuration(duration.toString())!.nanoseconds).toBe(duration.nanoseconds);
      }),
    );
  });

  test('addresses', () => {
    const address = fc.oneof(fc.ipV4(), fc.ipV6());
    fc.assert(
      fc.property(address, (written) => {
        const ip = parseIp(written);
        if (isError(ip)) expect(ip.message).toMatch(/IPv4-mapped/);
        else expect(parseIp(ip.toString())).toEqual(ip);
      }),
    );
  });

  test('names of properties', () => {
    const name = fc.stringMatching(/^[a-zA-Z_./-][\w./-]{0,8}$/);
    fc.assert(
      fc.property(name, (property) => {
        expect(unescapeProperty(escapeProperty(property)!)).toBe(property);
      }),
    );
  });
});

describe('quantities', () => {
  const quantity = fc.stringMatching(
    /^-?[0-9]{1,20}(\.[0-9]{0,5})?(n|u|m|k|M|G|T|P|E|Ki|Mi|Gi|Ti|Pi|Ei|e[+-]?[0-9]{1,3})?$/,
  );

  test('can be added and subtracted again', () => {
    fc.assert(
      fc.property(quantity, quantity, (a, b) => {
        const [x, y] = [parseQuantity(a), parseQuantity(b)];
        if (isError(x) || isError(y)) throw new Error('no quantity');
        const sum = x.add(y);
        if (isError(sum)) throw new Error(sum.message);
        const difference = sum.add(y.negate());
        expect(isError(difference) || difference.compareTo(x)).toBe(0);
      }),
    );
  });
});
