import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Lease } from 'ots-kubernetes/coordination/v1';
import { ConfigMap } from 'ots-kubernetes/core/v1';
import { Event } from 'ots-kubernetes/events/v1';
import { rolldown } from 'rolldown';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { apiServerFixture } from '../../test/api-server-fixture.ts';
import { eventually } from '../../test/eventually.ts';
import { Client } from '../client/client.ts';
import { createLogger } from '../logging/create-logger.ts';
import { untilAborted } from '../signals/until-aborted.ts';
import { Transport } from '../transport/transport.ts';
import { Manager } from './manager.ts';

// Runs against the embedded API server, and against a real one when KUBEBUILDER_ASSETS is set.

const root = fileURLToPath(new URL('../../../../', import.meta.url));
const ledger = { namespace: 'default', name: 'ledger' };
const apiServer = apiServerFixture();
let transport: Transport;
let client: Client;
let directory: string;
let program: string;
const stopWatching = new AbortController();
/** Who wrote, in the order in which the server has it; each once for a run of writes. */
const writers: string[] = [];
let names = 0;

class Replica {
  readonly identity: string;
  readonly process: ChildProcess;
  leads = false;
  /** What `manager.start` threw. */
  code: string | undefined;

  constructor() {
    names += 1;
    this.identity = `replica-${names}`;
    const settings = JSON.stringify({ connection: apiServer.config, identity: this.identity });
    this.process = fork(program, [settings], { serialization: 'json', execArgv: [] });
    this.process.on('message', (message: { leads?: boolean; code?: string }) => {
      this.leads ||= message.leads ?? false;
      this.code ??= message.code;
    });
  }

  /** It has, and all that it said has arrived. */
  get hasEnded(): boolean {
    const { exitCode, signalCode, connected } = this.process;
    return (exitCode !== null || signalCode !== null) && !connected;
  }
}

const replicas = new Set<Replica>();

/** Like a Deployment with three replicas: replaces those that ended. */
function replenish(): void {
  for (const replica of replicas) {
    if (replica.hasEnded) replicas.delete(replica);
  }
  while (replicas.size < 3) replicas.add(new Replica());
}

/** The replica that wrote last, once one other than those given does. */
async function nextLeader(...former: Replica[]): Promise<Replica> {
  const before = new Set(former.map(({ identity }) => identity));
  await eventually(() => {
    replenish();
    const last = writers.at(-1);
    return last !== undefined && !before.has(last) && [...replicas].some(({ identity }) => identity === last);
  }, 'another leader');
  return [...replicas].find(({ identity }) => identity === writers.at(-1))!;
}

/** @returns the leader that received the message, and adds those that ended before it arrived to the former ones */
async function sendToLeader(former: Replica[], message: object): Promise<Replica> {
  for (;;) {
    const leader = await nextLeader(...former);
    former.push(leader);
    const failure = await new Promise((resolve) => {
      leader.process.send(message, resolve);
    });
    if (failure === null) return leader;
  }
}

/** Follows the ledger, every version of it. */
async function follow(resourceVersion: string): Promise<void> {
  const query = { watch: true, resourceVersion, fieldSelector: 'metadata.name=ledger' };
  let rest = '';
  for await (const chunk of await transport.stream(
    '/api/v1/namespaces/default/configmaps',
    query,
    stopWatching.signal,
  )) {
    const lines = (rest + chunk.toString()).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) {
      const { object } = JSON.parse(line) as { object: ConfigMap };
      const writer = object.data?.['writer'];
      if (writer !== undefined && writer !== writers.at(-1)) writers.push(writer);
    }
  }
}

beforeAll(async () => {
  transport = new Transport(apiServer.config);
  client = new Client(transport);
  // Inside the project, so that the program finds what it depends on.
  const cache = join(root, 'node_modules', '.cache');
  await mkdir(cache, { recursive: true });
  directory = await mkdtemp(join(cache, 'failover-'));
  program = join(directory, 'operator.mjs');
  const bundle = await rolldown({
    input: fileURLToPath(new URL('../../test/failover-operator.ts', import.meta.url)),
    platform: 'node',
    external: ['undici', 'pino', 'yaml', 'prom-client', '@opentelemetry/api'],
    resolve: { alias: { 'ots-kubernetes': join(root, 'packages/kubernetes/src') } },
    logLevel: 'silent',
  });
  await bundle.write({ file: program, codeSplitting: false });
  await bundle.close();
  const created = await client.create(ConfigMap, { apiVersion: 'v1', kind: 'ConfigMap', metadata: ledger });
  follow(created.metadata.resourceVersion!).catch(() => {});
}, 60_000);

afterEach(async () => {
  for (const { process } of replicas) {
    process.kill('SIGKILL');
    if (process.exitCode === null && process.signalCode === null) await once(process, 'exit');
  }
  replicas.clear();
});

afterAll(async () => {
  stopWatching.abort();
  await transport.close();
  await rm(directory, { recursive: true, force: true });
});

test('of three managers in one process one works at a time, and a stop hands over at once', async () => {
  const log: string[] = [];
  const managers = await Promise.all(
    ['a', 'b', 'c'].map(async (identity) => {
      const manager = await Manager.create({
        connection: apiServer.config,
        logger: createLogger({ level: 'silent' }),
        // A stop that hands over late would take this long.
        leaderElection: {
          id: 'together',
          namespace: 'default',
          identity,
          leaseDuration: '1h',
          retryPeriod: '50ms',
        },
      });
      manager.add({
        start: async (signal) => {
          log.push(`${identity} starts`);
          await untilAborted(signal);
          log.push(`${identity} ends`);
        },
      });
      return { identity, manager, run: manager.start() };
    }),
  );
  const order: string[] = [];
  while (order.length < managers.length) {
    const waiting = managers.filter(({ identity }) => !order.includes(identity));
    const first = await Promise.race(
      waiting.map(({ manager, identity }) => manager.elected.then(() => identity)),
    );
    order.push(first);
    const { manager, run } = waiting.find(({ identity }) => identity === first)!;
    await manager.stop();
    await run;
  }
  expect(log).toEqual(order.flatMap((identity) => [`${identity} starts`, `${identity} ends`]));
  const { items } = await client.list(Event, { namespace: 'default' });
  const notes = items.filter(({ regarding }) => regarding?.name === 'together').map(({ note }) => note);
  const expected = order.flatMap((identity) => [`${identity} became leader`, `${identity} stopped leading`]);
  expect(new Set(notes)).toEqual(new Set(expected));
}, 60_000);

test('three replicas take over from each other, and no write of a former leader arrives', async () => {
  const killed = await nextLeader();
  killed.process.kill('SIGKILL');

  // On a busy machine a leader may lose the lease and end before a message reaches it: then the next one gets it.
  const former = [killed];
  const frozen = await sendToLeader(former, {});
  await nextLeader(...former);
  frozen.process.kill('SIGCONT');
  await eventually(() => frozen.hasEnded, 'the end of the frozen leader');
  expect(frozen).toMatchObject({ code: 'LEADERSHIP_LOST', process: { exitCode: 1 } });

  // Longer than the others wait.
  const blocked = await sendToLeader(former, { block: 4000 });
  await nextLeader(...former);
  await eventually(() => blocked.hasEnded, 'the end of the blocked leader');
  expect(blocked).toMatchObject({ code: 'LEADERSHIP_LOST', process: { exitCode: 1 } });

  const { spec } = (await client.get(Lease, { namespace: 'default', name: 'failover' }))!;
  expect(spec?.leaseDurationSeconds).toBe(2);
  expect(spec?.leaseTransitions).toBeGreaterThanOrEqual(new Set(writers).size - 1);

  let stopped: Replica;
  // On a busy machine, a leader may lose the lease before it receives the signal. Then the next leader is stopped.
  do {
    stopped = await nextLeader(...former);
    former.push(stopped);
    stopped.process.kill('SIGTERM');
    await eventually(() => stopped.hasEnded, 'the end of the stopped leader');
  } while (stopped.code === 'LEADERSHIP_LOST');
  expect(stopped).toMatchObject({ code: undefined, process: { exitCode: 0 } });

  expect((await nextLeader(...former)).leads).toBe(true);
  // A former leader that writes would show up a second time.
  expect(writers).toEqual([...new Set(writers)]);
}, 60_000);
