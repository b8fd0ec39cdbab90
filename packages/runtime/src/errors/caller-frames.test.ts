import { expect, test } from 'vitest';
import { ScriptedServer, json, status } from '../../test/scripted-server.ts';
import { Thing, thing } from '../../test/thing.ts';
import { VirtualClock, settled } from '../../test/virtual-clock.ts';
import { eventually } from '../../test/eventually.ts';
import { Client } from '../client/client.ts';
import { createOrPatch } from '../create-or-update/create-or-patch.ts';
import { Transport } from '../transport/transport.ts';
import { waitForObject } from '../waiting/wait-for-object.ts';
import { waitFor } from '../waiting/wait-for.ts';

const key = { name: 'a', namespace: 'default' };

/** The functions of this file that a stack names. */
function ownFrames({ stack = '' }: Error): string[] {
  return stack
    .split('\n')
    .filter((line) => line.includes('caller-frames.test.ts'))
    .map((line) => /at (?:async )?(\S+) \(/.exec(line)?.[1] ?? 'anonymous');
}

async function failure(run: () => Promise<unknown>): Promise<Error> {
  return run().then(
    () => expect.unreachable('it must fail'),
    (error: unknown) => error as Error,
  );
}

test.each<[string, (clock: VirtualClock) => Promise<unknown>]>([
  ['waitFor', (clock) => waitFor(() => false, { clock })],
  ['waitForObject', (clock) => waitForObject({ get: () => undefined }, Thing, key, Boolean, { clock })],
])('the error of %s points at its call, also when it is awaited elsewhere', async (_, wait) => {
  const clock = new VirtualClock();
  function oneWait(): Promise<unknown> {
    return wait(clock);
  }
  function anotherWait(): Promise<unknown> {
    return wait(clock);
  }
  const waits = [oneWait(), anotherWait()].map((each) => failure(() => each));
  await settled();
  await clock.advance(10_000);
  const errors = await Promise.all(waits);
  expect(errors.map((error) => ownFrames(error).slice(0, 2))).toEqual([
    [expect.anything(), 'oneWait'],
    [expect.anything(), 'anotherWait'],
  ]);
  for (const { stack, message } of errors) {
    const [first, second] = stack!.split('\n');
    expect(first).toBe(`WaitTimeoutError: ${message}`);
    expect(second).toContain('caller-frames.test.ts');
  }
});

test('a disabled stack stays disabled', async () => {
  const limit = Error.stackTraceLimit;
  Error.stackTraceLimit = 0;
  try {
    const { stack, message } = await failure(() => waitFor(() => false, { timeout: 0 }));
    expect(stack).toBe(`WaitTimeoutError: ${message}`);
  } finally {
    Error.stackTraceLimit = limit;
  }
});

test.each<[string, (client: Client) => Promise<unknown>]>([
  ['get', (client) => client.get(Thing, key)],
  ['create', (client) => client.create(Thing, thing('a'))],
  ['status.patch', (client) => client.status.patch(Thing, key, { status: { size: 1 } })],
  [
    'createOrPatch',
    (client) => createOrPatch(client, Thing, key, (draft) => void (draft.spec = { size: 1 })),
  ],
])('an error of %s shows the function that waits for it, whatever made the error', async (_, call) => {
  async function author(client: Client): Promise<void> {
    await call(client);
  }
  const clock = new VirtualClock();
  await using server = await ScriptedServer.start(({ response }) =>
    json(response, 403, status(403, 'Forbidden')),
  );
  await using refused = new Client({ server: server.url });
  const refusal = await failure(() => author(refused));
  server.script = ({ response }) => response.writeHead(200).write('{');
  await using waiting = new Client(new Transport({ server: server.url, clock }));
  const late = failure(() => author(waiting));
  await eventually(() => server.exchanges.length === 2);
  await clock.advance(30_000);
  await using unreachable = new Client({ server: 'http://127.0.0.1:1' });
  const errors = [refusal, await late, await failure(() => author(unreachable))];
  expect(errors.map(({ name }) => name)).toEqual(['ApiError', 'RequestTimeoutError', 'UnreachableError']);
  for (const error of errors) expect(ownFrames(error)).toContain('author');
});
