// Times the embedded API server, and etcd + kube-apiserver beside it where they are: node bench/apiserver.mjs [seconds]
// Each server runs in processes of its own; this one is the client of both: 8 kept connections, the same requests.
// Needs built packages (npm run build).
import { findAssets } from '../scripts/find-assets.mjs';
import { measureData } from './apiserver/data.mjs';
import { measureLarge } from './apiserver/large.mjs';
import { connectionCount } from './apiserver/load.mjs';
import { measureRates } from './apiserver/rates.mjs';
import { measureReaders } from './apiserver/readers.mjs';
import { memoryOf, startServer } from './apiserver/servers.mjs';

const durationSeconds = Number(process.argv[2] ?? 3);

async function run(env, isReal) {
  const server = await startServer(env);
  try {
    const memory = memoryOf(server.pid, isReal);
    const rates = await measureRates(server.client, durationSeconds);
    const after = memoryOf(server.pid, isReal);
    // The real one is started by a Node that does nothing else: only its processes count.
    return { rates, start: isReal ? server.ms : server.whole, memory, after };
  } finally {
    server.client.close();
    await server.stop();
  }
}

async function runAlone(env, measure) {
  const server = await startServer(env);
  try {
    return await measure(server);
  } finally {
    server.client.close();
    await server.stop();
  }
}

function row(name, mine, other, ratio) {
  const beside = other === undefined ? '' : `${other.toFixed(0).padStart(16)}${ratio.toFixed(1).padStart(8)}`;
  console.log(`${name.padEnd(38)}${mine.toFixed(0).padStart(10)}${beside}`);
}

async function main() {
  const { KUBEBUILDER_ASSETS: _, ...plain } = process.env;
  const embedded = await run(plain, false);
  const assets = await findAssets();
  const real = assets ? await run({ ...plain, KUBEBUILDER_ASSETS: assets }, true) : undefined;
  if (!assets) console.log('SKIPPED: kube-apiserver; set KUBEBUILDER_ASSETS to time it');
  console.log(`${durationSeconds} s each, ${connectionCount} connections, Node ${process.version}\n`);
  console.log(`${''.padEnd(38)}  embedded${real ? '  kube-apiserver   ratio' : ''}`);
  for (const [name, perSecond] of Object.entries(embedded.rates)) {
    const other = real?.rates[name];
    row(`${name}, /s`, perSecond, other, perSecond / other);
  }
  for (const [name, key] of [
    ['start to the first answer, ms', 'start'],
    ['RSS after start, MB', 'memory'],
    ['RSS at the end, MB', 'after'],
  ]) {
    row(name, embedded[key], real?.[key], real?.[key] / embedded[key]);
  }
  console.log('\nembedded, large');
  for (const [name, value] of Object.entries(await runAlone(plain, measureLarge))) row(name, value);
  console.log('\nembedded, with a data directory');
  for (const [name, value] of Object.entries(await measureData())) row(name, value);
  console.log('\nembedded, readers of all sorts');
  for (const [name, value] of Object.entries(await runAlone(plain, measureReaders))) row(name, value);
}

await main();
