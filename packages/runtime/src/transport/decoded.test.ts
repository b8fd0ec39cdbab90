import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { decoded } from './decoded.ts';

const gzip = (text: string) => ({
  status: 200,
  headers: { 'content-encoding': 'gzip' },
  body: gzipSync(text),
});

test('what is compressed is decompressed, up to a limit of its length', async () => {
  const text = 'x'.repeat(1000);
  expect((await decoded(gzip(text), 1000)).toString()).toBe(text);
  await expect(decoded(gzip(text), 999)).rejects.toBeInstanceOf(RangeError);
});

test('what is not compressed is left alone', async () => {
  const body = Buffer.from('plain');
  expect(await decoded({ status: 200, headers: {}, body }, 1)).toBe(body);
});
