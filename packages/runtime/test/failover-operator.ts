import { AsyncResource } from 'node:async_hooks';
import { ConfigMap } from 'ots-kubernetes/core/v1';
import {
  type ConnectionConfig,
  Manager,
  type RuntimeError,
  createLogger,
  shutdownSignal,
} from '../src/index.ts';

// A replica of an operator that does nothing but write who it is; run as a child process.

interface Settings {
  connection: ConnectionConfig;
  identity: string;
}

const { connection, identity } = JSON.parse(process.argv[2]!) as Settings;
const writers = 8;
/** More than a client has connections. */
const burst = 100;

process.on('disconnect', () => process.exit(2));

const manager = await Manager.create({
  connection,
  logger: createLogger({ level: 'silent' }),
  leaderElection: {
    id: 'failover',
    namespace: 'default',
    identity,
    leaseDuration: '2s',
    renewDeadline: '1.2s',
    retryPeriod: '300ms',
  },
});

async function write(worker: number, count: number): Promise<void> {
  try {
    const data = { writer: identity, [`worker${worker}`]: `${count}` };
    await manager.client.patch(ConfigMap, { namespace: 'default', name: 'ledger' }, { data });
  } catch {
    // The server is busy, or the fence is closed.
  }
}

async function keepWriting(worker: number, signal: AbortSignal): Promise<void> {
  for (let count = 1; !signal.aborted; count += 1) {
    await write(worker, count);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

/** Stands still, with writes under way and more that wait for a connection. */
function freeze({ block }: { block?: number }): void {
  for (let count = 0; count < burst; count += 1) void write(writers, count);
  setImmediate(() => {
    // Stopped by itself, and so between two turns of the event loop: a process that is stopped from outside may stand
    // between the check of its fence and the system call that sends, which nothing inside of it can notice.
    if (block === undefined) process.kill(process.pid, 'SIGSTOP');
    else for (const end = performance.now() + block; performance.now() < end;);
  });
}

manager.add({
  start: async (signal) => {
    // In the context of this work, and so behind its fence.
    process.on('message', AsyncResource.bind(freeze));
    process.send?.({ leads: true });
    await Promise.all(Array.from({ length: writers }, (_, worker) => keepWriting(worker, signal)));
  },
});

try {
  await manager.start(shutdownSignal());
  process.exit(0);
} catch (error) {
  const { code } = error as RuntimeError;
  process.send?.({ code }, () => process.exit(1));
}
