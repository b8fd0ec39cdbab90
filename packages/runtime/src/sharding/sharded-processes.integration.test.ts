import { type ChildProcess, fork } from 'node:child_process';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ConfigMap } from 'ots-kubernetes/core/v1';
import { rolldown } from 'rolldown';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { apiServerFixture } from '../../test/api-server-fixture.ts';
import { eventually } from '../../test/eventually.ts';
import { ClaimsWitness } from '../../test/sharding/claims-witness.ts';
import { Transport } from '../transport/transport.ts';

// Runs against the embedded API server, and against a real one when KUBEBUILDER_ASSETS is set.

const root = fileURLToPath(new URL('../../../../', import.meta.url));
const apiServer = apiServerFixture();
const namespaces: string[] = [];
const processes = new Map<string, ChildProcess>();
let transport: Transport;
let witness: ClaimsWitness;
let directory: string;
let program: string;

function launch(identity: string): void {
  const settings = JSON.stringify({ connection: apiServer.config, identity, namespaces });
  processes.set(identity, fork(program, [settings], { serialization: 'json', execArgv: [] }));
}

/** Waits until these and no others write, each in some namespace. */
async function writersAre(...identities: string[]): Promise<void> {
  const expected = identities.toSorted().join();
  const are = (): string => [...new Set(witness.writers.values())].toSorted().join();
  await eventually(() => are() === expected, `that ${expected} write`);
}

beforeAll(async () => {
  // Inside the project, so that the program finds what it depends on.
  const cache = join(root, 'node_modules', '.cache');
  await mkdir(cache, { recursive: true });
  directory = await mkdtemp(join(cache, 'sharded-'));
  program = join(directory, 'operator.mjs');
  const bundle = await rolldown({
    input: fileURLToPath(new URL('../../test/sharded-operator.ts', import.meta.url)),
    platform: 'node',
    external: ['undici', 'pino', 'yaml', 'prom-client', '@opentelemetry/api'],
    resolve: { alias: { 'ots-kubernetes': join(root, 'packages/kubernetes/src') } },
    logLevel: 'silent',
  });
  await bundle.write({ file: program, codeSplitting: false });
  await bundle.close();
  transport = new Transport(apiServer.config);
  witness = new ClaimsWitness(transport);
}, 60_000);

afterAll(async () => {
  for (const child of processes.values()) child.kill('SIGKILL');
  witness.stop();
  await transport.close();
  await rm(directory, { recursive: true });
});

test('replicas that are killed, frozen, awakened and added never write beside each other', async () => {
  for (let count = 0; count < 24; count += 1) namespaces.push(await apiServer.createNamespace());
  let version = '';
  for (const namespace of namespaces) {
    const metadata = { name: 'ledger', namespace };
    const created = await apiServer.client.create(ConfigMap, {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata,
    });
    version = created.metadata.resourceVersion!;
  }
  witness.follow('sharded', version);
  for (const identity of ['a', 'b', 'c']) launch(identity);
  await writersAre('a', 'b', 'c');

  processes.get('a')!.kill('SIGKILL');
  await writersAre('b', 'c');
  processes.get('b')!.send('freeze');
  await writersAre('c');
  processes.get('b')!.kill('SIGCONT');
  await writersAre('b', 'c');
  launch('d');
  await writersAre('b', 'c', 'd');
  processes.get('c')!.kill('SIGTERM');
  await writersAre('b', 'd');
  expect(witness.complaints()).toEqual([]);
}, 120_000);
