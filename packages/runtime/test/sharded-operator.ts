import { ConfigMap } from 'ots-kubernetes/core/v1';
import {
  type ConnectionConfig,
  ControllerBuilder,
  Manager,
  createLogger,
  shutdownSignal,
} from '../src/index.ts';

// A replica of an operator that writes who it is, again and again; run as a child process.

interface Settings {
  connection: ConnectionConfig;
  identity: string;
  namespaces: string[];
}

const { connection, identity, namespaces } = JSON.parse(process.argv[2]!) as Settings;

process.on('disconnect', () => process.exit(2));

const manager = await Manager.create({
  connection,
  logger: createLogger({ level: 'silent' }),
  cache: { namespaces },
  sharding: {
    leasePrefix: 'sharded',
    by: 'namespace',
    namespace: 'default',
    identity,
    leaseDuration: '4s',
    renewDeadline: '2s',
    retryPeriod: '400ms',
  },
});
/** Writes that are sent are awaited, so that no reconcile ends before they have arrived. */
const { signal } = new AbortController();

new ControllerBuilder(manager)
  .for(ConfigMap)
  .withOptions({ maxConcurrentReconciles: 16 })
  .complete(async (request) => {
    if (request.name !== 'ledger') return undefined;
    const data = { writer: identity, count: `${performance.now()}` };
    await manager.client.patch(ConfigMap, request, { data }, { signal });
    return { requeueAfter: 50 };
  });

// Stopped by itself, and so between two turns of the event loop: see failover-operator.ts.
process.on('message', () => setImmediate(() => process.kill(process.pid, 'SIGSTOP')));

await manager.start(shutdownSignal());
process.exit(0);
