import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { selfSignedCertificate } from 'ots-apimachinery/certificates/self-signed-certificate';
import { type Manager, WebhookBuilder } from '../../src/index.ts';
import { postReview, review } from '../admission-request.ts';
import { type Backend, startBackend } from '../faults/backend.ts';
import { isWatch } from '../faults/proxied-request.ts';
import { Storm } from '../faults/storm.ts';
import { Thing, thing } from '../thing.ts';
import { slope } from './slope.ts';

// `SOAK_CHANGES=200000 npm run test:soak` soaks for longer. Runs on the embedded server, and on a real one when
// KUBEBUILDER_ASSETS is set.

/** More than three changes per second for an hour by the clock of the operator. */
const changes = Number(process.env['SOAK_CHANGES'] ?? 12_000);
const rounds = 24;
const hour = 3_600_000;
/** After so many rounds, another replica leads. */
const term = 4;
const objects = 200;
const mebibyte = 2 ** 20;
/** How much the heap may grow in the second half, by the trend: less than a kilobyte per change. */
const maxGrowthMebibytes = 4;

interface Row {
  round: number;
  heap: number;
  external: number;
  rss: number;
  seconds: number;
}

interface Serving {
  backend: Backend;
  certDir: string;
  ca: string;
}

function serveWebhook(manager: Manager): void {
  new WebhookBuilder(manager, Thing)
    .withDefaulter({
      default: (object) => {
        object.spec.text ??= 'none';
      },
    })
    .complete();
}

function lead({ backend, certDir }: Serving, seed: number): Promise<Storm> {
  return Storm.start(backend, {
    seed,
    objects,
    namespace: 'soak',
    prepare: serveWebhook,
    manager: {
      leaderElection: { id: 'soak', namespace: 'default', identity: `replica-${seed}` },
      webhooks: { port: 0, host: '127.0.0.1', certDir },
      metrics: { port: 0, host: '127.0.0.1', secure: false },
    },
  });
}

async function callWebhook({ manager }: Storm, { ca }: Serving): Promise<void> {
  const body = review('CREATE', { object: thing('a') });
  const { code } = await postReview(manager.ports.webhooks, '/mutate-example-com-v1-thing', body, { ca });
  expect(code).toBe(200);
}

/** One round: changes, watches that break in the middle, lists, and calls of the webhook. */
async function live(storm: Storm, serving: Serving, round: number): Promise<void> {
  const parts = 5;
  for (let part = 0; part < parts; part += 1) {
    const churning = storm.churn.run(changes / rounds / parts, 8);
    if (part === 1) storm.proxy.break('reset', isWatch);
    if (part === 3) storm.proxy.break('half-open', isWatch);
    for (let call = 0; call < 3; call += 1) await callWebhook(storm, serving);
    await churning;
    await storm.pass(hour / rounds / parts);
    storm.look();
  }
  if (round % 3 === 0) {
    await storm.watching();
    await storm.relist();
  }
  expect(await storm.calm()).toEqual([]);
}

async function measure(round: number, started: number): Promise<Row> {
  // The second collection frees what finalizers and promises kept in the first.
  for (let pass = 0; pass < 2; pass += 1) {
    await new Promise((resolve) => setImmediate(resolve));
    gc!();
  }
  const { heapUsed, external, rss } = process.memoryUsage();
  const seconds = Math.round((performance.now() - started) / 1000);
  const [heap, outside, resident] = [heapUsed, external, rss].map(
    (bytes) => Math.round((bytes / mebibyte) * 100) / 100,
  );
  return { round, heap: heap!, external: outside!, rss: resident!, seconds };
}

test('an hour of changes, interruptions and new leaders leaks no memory and misses nothing', async () => {
  const started = performance.now();
  const certDir = await mkdtemp(join(tmpdir(), 'ots-soak-'));
  const { cert, key } = selfSignedCertificate({ names: ['127.0.0.1'] });
  await writeFile(join(certDir, 'tls.crt'), cert);
  await writeFile(join(certDir, 'tls.key'), key);
  const backend = await startBackend();
  const serving = { backend, certDir, ca: cert };
  const rows: Row[] = [];
  let storm = await lead(serving, 1);
  try {
    for (let round = 1; round <= rounds; round += 1) {
      await live(storm, serving, round);
      if (round % term === 0) {
        await storm.stop();
        await storm[Symbol.asyncDispose]();
        storm = await lead(serving, round);
      }
      rows.push(await measure(round, started));
    }
    await storm.stop();
  } finally {
    await storm[Symbol.asyncDispose]();
    await backend.stop();
    await rm(certDir, { recursive: true });
  }
  const half = rows.slice(rounds / 2);
  const growth = slope(half.map(({ heap }) => heap)) * half.length;
  console.table(rows);
  console.log(`heap: ${growth.toFixed(2)} MiB in the last ${half.length} rounds, by the trend`);
  expect(growth).toBeLessThan(maxGrowthMebibytes);
});
