import fc from 'fast-check';
import { expect, test } from 'vitest';
import { copyOf } from './copy-of.ts';

test('copies any JSON, and shares nothing with it', () => {
  fc.assert(
    fc.property(fc.json({ maxDepth: 5 }), (text) => {
      const original: unknown = JSON.parse(text);
      const copy = copyOf(original);
      expect(JSON.stringify(copy)).toBe(JSON.stringify(original));
      if (typeof original === 'object' && original !== null) expect(copy).not.toBe(original);
    }),
  );
  const nested = { list: [{ a: 1 }] };
  const copy = copyOf(nested);
  copy.list[0]!.a = 2;
  expect(nested.list[0]!.a).toBe(1);
});

test('takes __proto__ for a name like any other', () => {
  const text = '{"data":{"__proto__":{"polluted":true},"constructor":1}}';
  const copy = copyOf(JSON.parse(text));
  expect(JSON.stringify(copy)).toBe(text);
  expect(copy.data.polluted).toBeUndefined();
});
