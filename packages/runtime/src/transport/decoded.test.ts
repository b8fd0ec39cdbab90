import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { decoded } from './decoded.ts';

const gzip = (text: string) => ({
  status: 200,
  headers: { 'content-encoding': 'gzip' },
  body: gzipSync(text),
});

test('a compressed body is decompressed, up to a maximum length', async () => {
  const text = 'x'.repeat(1000);
  expect((await decoded(gzip(text), 1000)).toString()).toBe(text);
  await expect(decoded(gzip(text), 999)).rejects.toBeInstanceOf(RangeError);
});

test('a wrong length in gzip only costs time', async () => {
  const text = 'x'.repeat(2 ** 19);
  const answer = gzip(text);
  expect((await decoded(answer, 2 ** 20)).toString()).toBe(text);
  for (const claim of [0, 2 ** 18 + 1, 2 ** 20 - 1, 2 ** 32 - 1]) {
    // One more that is empty: decompressors go on with the next, and the claim is that of the last.
    const body = Buffer.concat([answer.body, gzipSync('')]);
    body.writeUInt32LE(claim, body.length - 4);
    const decompressing = decoded({ ...answer, body }, 2 ** 20);
    if (claim === 0) expect((await decompressing).toString()).toBe(text);
    else await expect(decompressing).rejects.toMatchObject({ code: 'Z_DATA_ERROR' });
  }
  const two = Buffer.concat([gzipSync('ab'), answer.body]);
  expect((await decoded({ ...answer, body: two }, 2 ** 20)).toString()).toBe(`ab${text}`);
});

test('an uncompressed body is unchanged', async () => {
  const body = Buffer.from('plain');
  expect(await decoded({ status: 200, headers: {}, body }, 1)).toBe(body);
});
