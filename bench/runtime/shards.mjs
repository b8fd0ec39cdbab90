// Replicas that divide the work, against one that does all of it.
import { fileURLToPath } from 'node:url';
import { setTimeout as sleep } from 'node:timers/promises';
import { createSamples, nameOf, samplesPath } from './cluster.mjs';
import { Observed } from './observed.mjs';
import { OperatorProcess } from './operator-process.mjs';

const program = fileURLToPath(new URL('operators/ots/shard.mjs', import.meta.url));
const members = `/apis/coordination.k8s.io/v1/namespaces/default/leases?labelSelector=runtime.ots%2Fmember-of%3Dbench`;
/** How many objects change at the same time. */
const changesAtOnce = 50;

/**
 * Time until the changes of `count` objects are reconciled by this many replicas, and their memory.
 * @returns figures by name
 */
export async function reconcileInShards({ client, kubeconfig }, count, replicas) {
  await createSamples(client, count);
  const running = Array.from(
    { length: replicas },
    () =>
      new OperatorProcess([process.execPath, [program]], { KUBECONFIG: kubeconfig, NODE_ENV: 'production' }),
  );
  const observed = await Observed.start(client);
  try {
    await Promise.all(running.map((replica) => replica.synced()));
    const first = Array.from({ length: count }, (_, index) => observed.reconciled(nameOf(index), 1));
    await Promise.all([...first, divided(client, replicas)]);
    const begin = performance.now();
    const ends = await changeAll(client, observed, count);
    const seconds = (Math.max(...ends) - begin) / 1000;
    const memory = running.map((replica) => replica.usage().rss);
    return {
      'all reconciled, s': seconds,
      'objects/s': count / seconds,
      'largest RSS, MB': Math.max(...memory),
    };
  } finally {
    observed.stop();
    await Promise.all(running.map((replica) => replica.stop()));
  }
}

/** Waits until each member has claimed about its part, which it does not change any more after that. */
async function divided(client, replicas) {
  for (let attempt = 0; attempt < 300; attempt += 1) {
    const { items } = await client.read(members);
    const claims = items.map(({ metadata }) => claimed(metadata.annotations['runtime.ots/shards']));
    const total = claims.reduce((sum, each) => sum + each, 0);
    if (items.length === replicas && total === 1024 && Math.max(...claims) < 1.3 * (1024 / replicas)) return;
    await sleep(100);
  }
  throw new Error('the replicas did not divide the shards within 30 s');
}

/** How many bits are set in the annotation of a member. */
function claimed(text) {
  const bits = Buffer.from(text.split('/').slice(3).join('/'), 'base64');
  return [...bits].reduce((sum, byte) => sum + byte.toString(2).replaceAll('0', '').length, 0);
}

/** Changes all objects, and gives the times at which their reconciles ended. */
async function changeAll(client, observed, count) {
  const ends = [];
  for (let index = 0; index < count; index += changesAtOnce) {
    const names = Array.from({ length: Math.min(changesAtOnce, count - index) }, (_, each) =>
      nameOf(index + each),
    );
    for (const name of names) ends.push(observed.reconciled(name, 2));
    const change = (name) =>
      client.send('PATCH', `${samplesPath}/${name}`, { spec: { seed: 2 } }, 'application/merge-patch+json');
    await Promise.all(names.map(change));
  }
  return Promise.all(ends);
}
