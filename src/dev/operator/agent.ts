// The first module in the process of an operator that `ots dev` runs: it lets Node load TypeScript, and connects the runtime to
// `ots dev`. A bundle of its own: the project's files and its runtime are not part of it.
import { createRequire, register } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { attachDebugger, queueSnapshots, setNetworkClock } from 'ots-runtime/debugging';
import { replaceClock } from '../clock/replace-clock.ts';
import { Holds } from './holds.ts';
import type { FromOperator, ToOperator } from './operator-message.ts';
import { endedState, queueState, startedState } from './reconcile-state.ts';

/** The time between two looks at the queues, in milliseconds. */
const queuesMs = 100;

const { clock, real } = replaceClock();
const holds = new Holds();
let start!: () => void;
const run = new Promise<void>((resolve) => (start = resolve));

/** Sends a message to `ots dev`. */
function report(message: FromOperator): void {
  if (process.connected) process.send!(message, () => {});
}

function receive(message: ToOperator): void {
  if (message.type === 'run') {
    if (message.reportsRequests)
      attachDebugger({ requested: (request) => report({ type: 'request', request }) });
    start();
  } else if (message.type === 'advance') clock.advance(message.milliseconds);
  else holds[message.type](message.object);
}

/** Loads the copy of the runtime that the operator loads: it is most of what takes time. */
async function loadRuntime(): Promise<void> {
  const fromProject = createRequire(join(process.cwd(), 'package.json'));
  await import(pathToFileURL(fromProject.resolve('ots-runtime')).href);
}

/** Reports the queues whenever they have changed. */
function followQueues(): void {
  let last = '[]';
  const look = () => {
    const queues = queueSnapshots().map(queueState);
    // The time of a timer is computed each time, and differs by a millisecond.
    const text = JSON.stringify(queues).replaceAll(/\.\d{3}Z"/g, '"');
    if (text !== last) report({ type: 'queues', queues });
    last = text;
  };
  setInterval(look, queuesMs).unref();
}

// The server responds in real time, also while the time of the operator moves.
setNetworkClock(real);
register('./dev-hooks.mjs', import.meta.url);
// Without `ots dev` nothing would stop the operator.
process.on('disconnect', () => process.exit());
process.on('message', receive);
attachDebugger({
  started: (record) => report({ type: 'reconcile', reconcile: startedState(record) }),
  ended: (record) => report({ type: 'reconcile', reconcile: endedState(record) }),
  admit: ({ controller, request: { namespace, name } }) =>
    holds.admit({ controller, name, ...(namespace !== undefined && { namespace }) }),
});
await loadRuntime();
report({ type: 'waiting' });
await run;
followQueues();
