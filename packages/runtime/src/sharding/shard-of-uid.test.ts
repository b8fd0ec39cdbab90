import { randomUUID } from 'node:crypto';
import { fnv64 } from 'ots-apimachinery/fnv64';
import { expect, test } from 'vitest';
import { shardOfUid, shardSelector } from './shard-of-uid.ts';
import { shardCount } from './shard-of.ts';

const pattern =
  /shardRange\(object\.metadata\.uid, '(0x[0-9a-f]{16})', '(0x[0-9a-f]{16}|0x10000000000000000)'\)/g;

/** As a server reads the selector. */
function selects(selector: string, uid: string): boolean {
  const { high, low } = fnv64(uid);
  const hash = (BigInt(high) << 32n) | BigInt(low);
  return [...selector.matchAll(pattern)].some(
    ([, start, end]) => hash >= BigInt(start!) && hash < BigInt(end!),
  );
}

test.each([
  ['the first', [0]],
  ['the last', [shardCount - 1]],
  ['the upper half', Array.from({ length: shardCount / 2 }, (_, index) => shardCount / 2 + index)],
  ['every third', Array.from({ length: 341 }, (_, index) => index * 3)],
  ['all but one', Array.from({ length: shardCount - 1 }, (_, index) => (index < 500 ? index : index + 1))],
  ['none', []],
])('the selector of %s selects exactly the UIDs of these shards', (_, numbers) => {
  const shards = new Set(numbers);
  const selector = shardSelector(shards)!;
  for (let count = 0; count < 300; count += 1) {
    const uid = randomUUID();
    expect(selects(selector, uid)).toBe(shards.has(shardOfUid(uid)));
  }
});

test('all shards need no selector', () => {
  expect(shardSelector(new Set(Array.from({ length: shardCount }, (_, shard) => shard)))).toBeUndefined();
});

test('shards that follow each other are one range', () => {
  expect(shardSelector(new Set([1, 2, 3, 5]))).toBe(
    "shardRange(object.metadata.uid, '0x0040000000000000', '0x0100000000000000') || " +
      "shardRange(object.metadata.uid, '0x0140000000000000', '0x0180000000000000')",
  );
});

test('UIDs are divided fairly', () => {
  const counts = Array.from({ length: 16 }, () => 0);
  for (let count = 0; count < 16_000; count += 1) counts[shardOfUid(randomUUID()) >> 6]! += 1;
  expect(Math.min(...counts)).toBeGreaterThan(800);
});
