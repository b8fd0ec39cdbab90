// How much of a cache each of several replicas keeps that divide it.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { ConfigMap, Namespace } from 'ots-kubernetes/core/v1';
import { Client } from 'ots-runtime';
import { TestEnvironment } from 'ots-testing';
import { times } from '../apiserver/load.mjs';

const operator = fileURLToPath(new URL('divided-operator.mjs', import.meta.url));
const namespaces = 100;

/**
 * The figures of the replica that has most of `count` objects in 100 namespaces. Each replica is a process.
 * @param by what divides them: `namespace`, or `uid` with shard selectors of the server
 */
export async function measureDivided(count, replicas, by) {
  const environment = await TestEnvironment.start({ env: {}, enableFeatureGates: ['ShardedListAndWatch'] });
  const client = new Client(environment.config);
  const running = [];
  try {
    await createObjects(client, count);
    const { server } = environment.config;
    for (let index = 0; index < replicas; index += 1) running.push(startReplica(server, by));
    await allDivided(running, count);
    const all = running.map(({ figures }) => figures);
    return {
      objects: Math.max(...all.map(({ objects }) => objects)),
      'heap of the cache, MB': Math.max(...all.map(({ heap }) => heap)),
      'RSS, MB': Math.max(...all.map(({ rss }) => rss)),
    };
  } finally {
    for (const { child } of running) child.kill('SIGKILL');
    await client.close();
    await environment.stop();
  }
}

async function createObjects(client, count) {
  const namespaceOf = (index) => `team-${index % namespaces}`;
  await times(namespaces, (index) =>
    client.create(Namespace, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespaceOf(index) } }),
  );
  await times(count, (index) => {
    const metadata = { name: `object-${index}`, namespace: namespaceOf(index), labels: { bench: 'divided' } };
    return client.create(ConfigMap, {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata,
      data: { text: 'x'.repeat(1000) },
    });
  });
}

/** A process that says what it has, again and again. */
function startReplica(server, by) {
  const child = spawn(process.execPath, ['--expose-gc', operator, server, by], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const replica = { child, figures: { objects: 0, heap: 0, rss: 0 } };
  createInterface(child.stdout).on('line', (line) => {
    replica.figures = JSON.parse(line);
  });
  return replica;
}

/** Waits until each object is in one replica, and each replica has about its part, which it then keeps. */
async function allDivided(running, total) {
  for (let attempt = 0; attempt < 300; attempt += 1) {
    const counts = running.map(({ figures }) => figures.objects);
    const isDivided = Math.max(...counts) < 1.5 * (total / running.length);
    if (counts.reduce((sum, each) => sum + each, 0) === total && isDivided) return;
    await Promise.race(running.map(({ child }) => once(child.stdout, 'data')));
  }
  throw new Error('the replicas did not divide the objects');
}
