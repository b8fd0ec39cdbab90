import { once } from 'node:events';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { ConversionWebhook } from '../../support/conversion-webhook.ts';
import { configMaps, installCrd, pathOf } from '../../support/fixtures.ts';
import { type Server, onEachServer } from '../../support/on-each-server.ts';
import { outcomeOf } from '../../support/converted-outcome.ts';
import { asRecorded } from '../../support/recorded.ts';
import type { Answer } from '../../support/session.ts';
import { untilCached } from '../../support/until-cached.ts';
import { convertEndpoint, endpoint, endpointCrd } from '../../support/versioned-endpoint.ts';

const limitMs = 30_000;
const apply = 'application/apply-patch+yaml';

/** The requests in a version that only the webhook can convert, by the name of their object. */
const requests: Record<string, (server: Server, name: string) => Promise<Answer>> = {
  'a read': ({ session }, name) => session.get(`${pathOf('Hanging')}/${name}`),
  'a read of the status': ({ session }, name) => session.get(`${pathOf('Hanging')}/${name}/status`),
  'a create': ({ session }, name) =>
    session.post(pathOf('Hanging'), endpoint('Hanging', 'v1', `${name}-new`, { host: 'a' })),
  'a merge patch': ({ session }, name) =>
    session.merge(`${pathOf('Hanging')}/${name}`, { spec: { host: 'b' } }),
  'an apply': ({ session }, name) =>
    session.send('PATCH', `${pathOf('Hanging')}/${name}?fieldManager=me&force=true`, {
      body: endpoint('Hanging', 'v1', name, { host: 'b' }),
      contentType: apply,
    }),
  'a deletion': ({ session }, name) => session.delete(`${pathOf('Hanging')}/${name}`),
};

/** Waits for the time limit of the calls that are under way. Only the embedded server shares the clock of the test. */
async function passLimit(name: Server['name'], beforeTheEnd: () => Promise<void>): Promise<void> {
  if (name === 'kube-apiserver') return;
  await vi.advanceTimersByTimeAsync(limitMs - 1);
  await beforeTheEnd();
  await vi.advanceTimersByTimeAsync(1);
}

/** Several timers of a real server end a call at the same time, and each reports it in its own words. */
function withOneReason(outcome: unknown): unknown {
  const text = JSON.stringify(outcome).replace(
    /(?:context deadline exceeded|net\/http: request canceled)(?: \(Client\.Timeout [^)]*\))?/,
    'context deadline exceeded',
  );
  return JSON.parse(text);
}

onEachServer('conversion webhooks that hang', (server) => {
  let webhook: ConversionWebhook;
  /** Resolve when the server has closed the connection of a call. */
  const closed: Promise<unknown>[] = [];
  beforeAll(async () => {
    webhook = await ConversionWebhook.start(convertEndpoint);
    await installCrd(server.session, endpointCrd('Hanging', webhook));
  });
  afterEach(() => {
    vi.useRealTimers();
    webhook.answer = undefined;
  });
  afterAll(() => webhook.close());

  /** Creates an object that every version of a real server's cache knows. */
  const create = async (name: string) => {
    const object = endpoint('Hanging', 'v2', name, { host: 'a', port: '1' });
    await server.session.post(pathOf('Hanging', 'v2'), object);
    await untilCached(server.session, `${pathOf('Hanging')}/${name}`, `${pathOf('Hanging', 'v2')}/${name}`);
  };
  /** Lets the webhook hang, within its answer about objects that ask for it. @returns when it was called so many times */
  const hang = (calls: number) =>
    new Promise<void>((resolve) => {
      let left = calls;
      webhook.answer = ({ request }, response) => {
        closed.push(once(response, 'close'));
        if (request.objects[0].metadata.name.startsWith('within')) {
          response.writeHead(200, { 'content-type': 'application/json' });
          response.write('{');
        }
        left -= 1;
        if (left === 0) resolve();
      };
    });

  test('fail requests after 30 seconds, and no others', async () => {
    const all = ['before', 'within'].flatMap((when) =>
      Object.entries(requests).map(([title, request]) => {
        const name = `${when}-${title.replaceAll(' ', '-')}`;
        return { title: `${title}, hanging ${when} the answer`, name, request };
      }),
    );
    for (const { name } of all) await create(name);
    if (server.name === 'embedded') vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const reached = hang(all.length);
    const outcomes: Record<string, unknown> = {};
    const started = Date.now();
    const answered = all.map(async ({ title, name, request }) => {
      outcomes[title] = withOneReason(outcomeOf(await request(server, name)));
    });
    await reached;
    const others = async () => {
      expect((await server.session.get(configMaps)).code).toBe(200);
      expect((await server.session.get(`${pathOf('Hanging', 'v2')}/${all[0]?.name}`)).code).toBe(200);
      expect(outcomes).toStrictEqual({});
    };
    await others();
    await passLimit(server.name, others);
    await Promise.all(answered);
    await Promise.all(closed);
    if (server.name === 'kube-apiserver') expect(Date.now() - started).toBeGreaterThan(limitMs - 1000);
    const inOrder = all.map(({ title }) => [title, outcomes[title]]);
    await expect(asRecorded(Object.fromEntries(inOrder))).toMatchFileSnapshot(
      '../recorded/conversion-timeouts.yaml',
    );
  }, 60_000);

  test('a client that gives up leaves the object as it was', async () => {
    await create('given-up');
    const path = `${pathOf('Hanging')}/given-up`;
    const reached = hang(1);
    const client = new AbortController();
    const abandoned = server.session.send('GET', path, { signal: client.signal });
    await reached;
    client.abort();
    await expect(abandoned).rejects.toThrow('aborted');
    webhook.answer = undefined;
    const { code, body } = await server.session.get(path);
    expect([code, body.spec]).toStrictEqual([200, { host: 'a', note: 'second', port: '1' }]);
  });
});
