import { expect, test } from 'vitest';
import { Thing, thing } from '../../test/thing.ts';
import { ApiError } from '../errors/api-error.ts';
import type { TransportRequest } from '../transport/transport-request.ts';
import type { Transport } from '../transport/transport.ts';
import { listAll } from './list-all.ts';
import { ListWatcher } from './list-watcher.ts';
import { VirtualClock } from '../../test/virtual-clock.ts';

const ownership = {
  owns: (uid: string) => uid.startsWith('own'),
  selector: "shardRange(object.metadata.uid, '0x0000000000000000', '0x8000000000000000')",
  onChange: () => () => {},
};
const objects = ['own-1', 'other-1', 'own-2'].map((uid) => {
  const object = thing(uid, 1);
  return { ...object, metadata: { ...object.metadata, uid } };
});
const { signal } = new AbortController();

/** A server whose lists have what `respond` says about the shard selector of a request. */
function serverOf(respond: (asked: unknown) => { selector: string } | undefined): {
  source: ListWatcher<Thing>;
  asked: unknown[];
} {
  const asked: unknown[] = [];
  const transport = {
    request: async ({ query }: TransportRequest) => {
      asked.push(query?.['shardSelector']);
      const shardInfo = respond(query?.['shardSelector']);
      return { items: structuredClone(objects), metadata: { resourceVersion: '1', shardInfo } };
    },
  };
  return { source: new ListWatcher(transport as unknown as Transport, Thing, { ownership }), asked };
}

async function listed(source: ListWatcher<Thing>): Promise<(string | undefined)[]> {
  const options = { source, paged: true, clock: new VirtualClock(), prepare: same, heard: () => {} };
  return (await listAll(options, signal)).objects.map(({ metadata }) => metadata.uid);
}

const same = (object: Thing): Thing => object;

function refused(code: number, message: string): ApiError {
  return new ApiError({ code, reason: '', message });
}

test.each([
  ['applies it', (asked: unknown) => ({ selector: String(asked) }), true, 1],
  ['does not know it', () => undefined, false, 1],
  ['applies another one', (asked: unknown) => (asked ? { selector: 'other' } : undefined), false, 2],
])('only own objects are kept if the server %s', async (_, respond, isSelected, requests) => {
  const { source, asked } = serverOf(respond);
  expect(await listed(source)).toEqual(['own-1', 'own-2']);
  expect(source.isSelectedByServer).toBe(isSelected);
  expect(asked).toHaveLength(requests);
  expect(asked[0]).toBe(ownership.selector);
});

test('a server that loses shard selectors between two lists is noticed', async () => {
  let hasGate = true;
  const { source } = serverOf((asked) => (hasGate ? { selector: String(asked) } : undefined));
  await listed(source);
  hasGate = false;
  expect(await listed(source)).toEqual(['own-1', 'own-2']);
  expect(source.isSelectedByServer).toBe(false);
});

test.each([
  [414, 'Request-URI Too Long'],
  [431, ''],
  [400, 'Bad Request'],
  [500, 'invalid shard selector: it is too long'],
])('a refusal of the selector with %i leads to a list without it, from then on', async (code, message) => {
  const { source, asked } = serverOf((selector) => {
    if (selector !== undefined) throw refused(code, message);
    return undefined;
  });
  expect(await listed(source)).toEqual(['own-1', 'own-2']);
  expect(await listed(source)).toEqual(['own-1', 'own-2']);
  expect(asked).toEqual([ownership.selector, undefined, undefined]);
});

test('another failure is none of the selector', async () => {
  const { source, asked } = serverOf(() => {
    throw refused(500, 'etcdserver: leader changed');
  });
  await expect(listed(source)).rejects.toThrow('leader changed');
  expect(asked).toEqual([ownership.selector]);
});
