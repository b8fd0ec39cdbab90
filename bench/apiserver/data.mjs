import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ApiServer } from '../../packages/apiserver/dist/index.js';
import { median } from '../median.mjs';
import { configMap } from './load.mjs';

const rounds = 15;
const writesPerRound = 1000;
const objectCount = 10_000;
const path = '/api/v1/namespaces/default/configmaps';

/** What a data directory costs: CPU time of creates in the process of the server, in pairs, and of a start with many objects. */
export async function measureData() {
  const directory = await mkdtemp(join(tmpdir(), 'ots-bench-'));
  const data = join(directory, 'data');
  const servers = [await ApiServer.start(), await ApiServer.start({ data })];
  try {
    const pairs = [];
    for (let round = -2; round < rounds; round += 1) {
      const order = round % 2 === 0 ? [0, 1] : [1, 0];
      const pair = [];
      for (const index of order) pair[index] = await cpuPerCreate(servers[index], `r${round + 2}`);
      if (round >= 0) pairs.push(pair);
    }
    const created = (rounds + 2) * writesPerRound;
    const [first, kept] = servers;
    await removeAll(kept, created - objectCount);
    await Promise.all([first.stop(), kept.stop()]);
    const started = performance.now();
    const cpu = process.cpuUsage();
    const again = await ApiServer.start({ data });
    const startMs = performance.now() - started;
    const { user, system } = process.cpuUsage(cpu);
    servers.push(again);
    return {
      'create in memory, CPU µs': median(pairs.map(([without]) => without)),
      'create with a data directory, CPU µs': median(pairs.map(([, withData]) => withData)),
      'difference of a pair, CPU µs': median(pairs.map(([without, withData]) => withData - without)),
      [`start with ${objectCount} objects, ms`]: startMs,
      'CPU of that start, ms': (user + system) / 1000,
      'its files, KB': (await sizeOf(data)) / 1024,
    };
  } finally {
    await Promise.all(servers.map((server) => server.stop()));
    await rm(directory, { recursive: true });
  }
}

async function cpuPerCreate(server, prefix) {
  const before = process.cpuUsage();
  for (let index = 0; index < writesPerRound; index += 1) {
    await send(server, 'POST', path, JSON.stringify(configMap(`${prefix}-${index}`, 'a')));
  }
  const { user, system } = process.cpuUsage(before);
  return (user + system) / writesPerRound;
}

async function removeAll(server, count) {
  const { items } = JSON.parse(await send(server, 'GET', `${path}?limit=${count}`));
  for (const { metadata } of items) await send(server, 'DELETE', `${path}/${metadata.name}`);
}

async function send(server, method, target, body) {
  const headers = { 'content-type': 'application/json' };
  const response = await server.exchange({ method, path: target, headers, body });
  const text = (await response.body.toArray()).join('');
  if (response.status >= 300) throw new Error(`${method} ${target}: ${response.status}`);
  return text;
}

async function sizeOf(directory) {
  const sizes = await Promise.all(
    (await readdir(directory)).map(async (name) => (await stat(join(directory, name))).size),
  );
  return sizes.reduce((sum, size) => sum + size, 0);
}
