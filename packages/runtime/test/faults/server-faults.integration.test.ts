import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { installCrds, loadCrds } from 'ots-apiserver';
import { CustomResourceDefinition } from 'ots-kubernetes/apiextensions/v1';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type Backend, startBackend } from './backend.ts';
import { isWatch } from './proxied-request.ts';
import { Storm } from './storm.ts';
import { Thing } from '../thing.ts';
import { waitFor } from '../../src/waiting/wait-for.ts';

// Runs against the embedded API server, and against a real one when KUBEBUILDER_ASSETS is set.

let backend: Backend;

beforeEach(async () => {
  backend = await startBackend();
});

afterEach(async () => {
  await backend.stop();
});

test('an operator recovers when its server is killed and started again, with its data or without', async () => {
  // A server without its data counts versions from the start. Once it has passed those of the watches, these could not notice the loss:
  // here it does not count renewals of a Lease meanwhile.
  await using storm = await Storm.start(backend, { isElected: backend.isReal });
  const changes = storm.churn.run(30).catch(() => {});
  await backend.kill();
  await changes;
  storm.clock.skip(20_000);
  storm.look();
  await backend.revive();
  if (!backend.isReal) {
    await storm.forgotten();
    // Not before: the operator would repair what a Thing owned that it has not forgotten yet.
    await storm.settleIn();
  }
  await storm.churn.fill();
  expect(await storm.calm()).toEqual([]);
  await storm.churn.run(30);
  expect(await storm.calm()).toEqual([]);
  await storm.stop();
});

test('a list replaces a watch that cannot resume because the server has forgotten the changes since', async () => {
  await using storm = await Storm.start(backend);
  const asked: string[] = [];
  storm.proxy.observe({ passed: ({ url }) => void asked.push(url.search) });
  storm.proxy.refuse();
  storm.proxy.break('finish');
  await storm.churn.run(100);
  await backend.forget();
  expect(await storm.calm()).toEqual([]);
  const first = asked.findIndex((query) => query.includes('watch=true'));
  expect(asked.findIndex((query) => query.includes('limit='))).toBeGreaterThan(first);
  await storm.stop();
});

test('a cache follows a CRD that is deleted and created again: the old objects disappear and new ones appear', async () => {
  await using storm = await Storm.start(backend);
  const definition = { name: 'things.example.com' };
  await storm.client.delete(CustomResourceDefinition, definition);
  await storm.until(() => storm.witness.things.known.size === 0, 'the end of all Things');
  expect(storm.manager.cache.list(Thing)).toEqual([]);
  // The definition disappears some time after its objects. Until then, the server refuses another one of its name.
  await waitFor(async () => !(await storm.client.get(CustomResourceDefinition, definition)));
  const crds = await loadCrds([fileURLToPath(new URL('../crds', import.meta.url))]);
  await installCrds(backend.connection, crds);
  await storm.churn.fill();
  expect(await storm.calm()).toEqual([]);
  await storm.stop();
});

test('a cache notices thousands of objects that were deleted while it could not watch', async () => {
  const count = 1500;
  await using storm = await Storm.start(backend, { objects: count, children: false });
  expect(storm.witness.things.known.size).toBe(count);
  storm.proxy.refuse();
  storm.proxy.break('finish');
  await storm.churn.clear();
  expect(await storm.calm()).toEqual([]);
  expect(storm.witness.things.known.size).toBe(0);
  expect(storm.manager.cache.list(Thing)).toEqual([]);
  await storm.stop();
});

test('a leader uses replaced authorities in time', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'ots-ca-'));
  const caFile = join(directory, 'ca.crt');
  try {
    // Less than the minute after which files are read again anyway.
    const times = { leaseDuration: '50s', renewDeadline: '40s' } as const;
    const leaderElection = { id: 'authorities', namespace: 'default', ...times };
    await using storm = await Storm.start(backend, { caFile, manager: { leaderElection } });
    for (let round = 0; round < 2; round += 1) {
      await storm.renewal();
      const changes = storm.churn.run(20);
      const ca = storm.proxy.rotate();
      await changes;
      storm.clock.skip(3000);
      expect(storm.proxy.watches).toBe(0);
      // The kubelet writes the file later, but before the leader must give up.
      await writeFile(caFile, ca);
      await storm.renewal();
      await storm.churn.run(20);
    }
    expect(await storm.calm()).toEqual([]);
    await storm.stop();
    // It never lost the leadership.
    await storm.run;
  } finally {
    await rm(directory, { recursive: true });
  }
});

test('an operator uses a replaced token', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'ots-token-'));
  const tokenFile = join(directory, 'token');
  try {
    await writeFile(tokenFile, 'first');
    await using storm = await Storm.start(backend, { tokenFile, token: 'first' });
    for (const token of ['second', 'third']) {
      const changes = storm.churn.run(20);
      // The server stops accepting the old token before the kubelet has written the new one.
      storm.proxy.token = token;
      storm.proxy.break('reset', isWatch);
      await changes;
      storm.clock.skip(2000);
      await writeFile(tokenFile, token);
      await storm.churn.run(20);
    }
    expect(await storm.calm()).toEqual([]);
    await storm.stop();
  } finally {
    await rm(directory, { recursive: true });
  }
});
