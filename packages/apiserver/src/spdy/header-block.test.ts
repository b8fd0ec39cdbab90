import { constants, createInflate } from 'node:zlib';
import { expect, test } from 'vitest';
import { HeaderWriter, headerBlock } from '../../test/support/spdy-client.ts';
import { HeaderReader, emptyHeaders } from './header-block.ts';
import { headerDictionary, headerDictionaryId } from './header-dictionary.ts';

test('the dictionary has the checksum that names it', () => {
  let [low, high] = [1, 0];
  for (const byte of headerDictionary) {
    low = (low + byte) % 65_521;
    high = (high + low) % 65_521;
  }
  expect(high * 0x10000 + low).toBe(headerDictionaryId);
});

test('each block is read with what the blocks before it said', async () => {
  const [writer, reader] = [new HeaderWriter(), new HeaderReader()];
  for (const port of ['80', '80', '8080']) {
    const headers = { streamtype: 'data', port, requestid: '0' };
    expect(Object.fromEntries(await reader.read(await writer.write(headerBlock(headers))))).toStrictEqual(
      headers,
    );
  }
  reader.close();
});

test('a block that is too long, too short or not compressed is refused', async () => {
  const bomb = await new HeaderWriter().write(headerBlock({ a: 'x'.repeat(10_000_000) }));
  expect(bomb.length).toBeLessThan(20_000);
  await expect(new HeaderReader().read(bomb)).rejects.toThrow('the header block is too long');
  const short = await new HeaderWriter().write(headerBlock({ a: 'value' }).subarray(0, -1));
  await expect(new HeaderReader().read(short)).rejects.toThrow('the header block is too short');
  await expect(new HeaderReader().read(Buffer.from('headers'))).rejects.toThrow('incorrect header check');
});

test('blocks without headers can be decompressed', async () => {
  const inflate = createInflate({ dictionary: headerDictionary, finishFlush: constants.Z_SYNC_FLUSH });
  inflate.end(Buffer.concat([emptyHeaders(true), emptyHeaders(false), emptyHeaders(false)]));
  const parts = [];
  for await (const part of inflate) parts.push(part);
  expect(Buffer.concat(parts)).toStrictEqual(Buffer.alloc(12));
});
