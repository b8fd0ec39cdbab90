// Times the embedded API server, and etcd + kube-apiserver beside it when KUBEBUILDER_ASSETS is set:
//   KUBEBUILDER_ASSETS=$(../shared/controlplane/assets.sh) node bench/apiserver.mjs [SECONDS]
// Each server runs in processes of its own; this one is the client of both: 8 kept connections, the same requests.
// Needs built packages (npm run build).
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import http from 'node:http';
import https from 'node:https';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const SECONDS = Number(process.argv[2] ?? 3);
const CONNECTIONS = 8;
const WATCHERS = 100;
const LISTED = 2000;
const assets = process.env.KUBEBUILDER_ASSETS;
const testEnvironment = new URL('../packages/apiserver/dist/index.js', import.meta.url);

/** Runs one server and tells its parent how to reach it. It stops when the parent closes its input. */
async function serve() {
  const { TestEnvironment } = await import(testEnvironment);
  const start = performance.now();
  const environment = await TestEnvironment.start();
  console.log(JSON.stringify({ config: environment.config, ms: performance.now() - start }));
  process.stdin.resume();
  await new Promise((resolve) => process.stdin.once('end', resolve));
  await environment.stop();
  process.exit(0);
}

async function startServer(env) {
  const script = fileURLToPath(import.meta.url);
  const start = performance.now();
  const child = spawn(process.execPath, [script, 'serve'], { env, stdio: ['pipe', 'pipe', 'inherit'] });
  const [line] = await new Promise((resolve, reject) => {
    createInterface({ input: child.stdout }).once('line', (text) => resolve([text]));
    child.once('exit', (code) => reject(new Error(`the server ended with ${code}`)));
  });
  const { config, ms } = JSON.parse(line);
  const exited = new Promise((resolve) => child.once('exit', resolve));
  const stop = async () => {
    child.stdin.end();
    await exited;
  };
  return { client: createClient(config), pid: child.pid, whole: performance.now() - start, ms, stop };
}

function createClient({ server, token, caData }) {
  const { protocol, hostname, port } = new URL(server);
  const library = protocol === 'https:' ? https : http;
  const newAgent = (maxSockets) => new library.Agent({ keepAlive: true, maxSockets, ca: caData });
  const agent = newAgent(CONNECTIONS);
  const watchAgent = newAgent(Infinity);
  const open = (method, path, body, contentType = 'application/json', from = agent) =>
    new Promise((resolve, reject) => {
      const payload = body === undefined ? undefined : JSON.stringify(body);
      const headers = {
        ...(token && { authorization: `Bearer ${token}` }),
        ...(payload && { 'content-type': contentType, 'content-length': Buffer.byteLength(payload) }),
      };
      const outgoing = library.request({ agent: from, hostname, port, method, path, headers }, resolve);
      outgoing.on('error', reject);
      outgoing.end(payload);
    });
  const send = async (method, path, body, contentType) => {
    const response = await open(method, path, body, contentType);
    let size = 0;
    for await (const chunk of response) size += chunk.length;
    if (response.statusCode >= 300) throw new Error(`${method} ${path}: ${response.statusCode}`);
    return size;
  };
  const close = () => [agent, watchAgent].forEach((one) => one.destroy());
  return { send, watch: (path) => open('GET', path, undefined, undefined, watchAgent), close };
}

/** Runs an action on all connections for some time, or so many times; gives the actions per second. */
async function rate(act, count = Infinity) {
  const start = performance.now();
  const end = start + (count === Infinity ? SECONDS * 1000 : Infinity);
  let index = 0;
  const work = async () => {
    while (index < count && performance.now() < end) await act(index++);
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, work));
  return { perSecond: (index * 1000) / (performance.now() - start), count: index };
}

const configMap = (name, value) => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name, labels: { app: 'bench', tier: 'a' }, annotations: { 'example.com/note': 'some text' } },
  data: { value, config: 'x'.repeat(100) },
});

async function measure({ client }) {
  const { send } = client;
  const path = await newNamespace(send, 'bench');
  const results = {};
  await rate((index) => send('POST', path, configMap(`warm-${index}`, 'a')), 400);
  const created = await rate((index) => send('POST', path, configMap(`o${index}`, 'a')));
  results['create'] = created.perSecond;
  const some = (index) => `${path}/o${index % created.count}`;
  results['get'] = (await rate((index) => send('GET', some(index)))).perSecond;
  const patch = (index) =>
    send('PATCH', some(index), { data: { value: `p${index}` } }, 'application/merge-patch+json');
  results['merge patch'] = (await rate(patch)).perSecond;
  const update = (index) => send('PUT', some(index), configMap(`o${index % created.count}`, `u${index}`));
  results['update'] = (await rate(update)).perSecond;
  results['delete'] = (await rate((index) => send('DELETE', some(index)), created.count)).perSecond;
  const listed = await newNamespace(send, 'listed');
  await rate((index) => send('POST', listed, configMap(`o${index}`, 'a')), LISTED);
  results[`list of ${LISTED}`] = (await rate(() => send('GET', listed))).perSecond;
  results['list page of 100'] = (await rate(() => send('GET', `${listed}?limit=100`))).perSecond;
  results[`events to ${WATCHERS} watchers`] = await fanOut(client);
  return results;
}

async function newNamespace(send, name) {
  await send('POST', '/api/v1/namespaces', { metadata: { name } });
  return `/api/v1/namespaces/${name}/configmaps`;
}

/** One writer, many watchers: events that arrive in a second. */
async function fanOut({ send, watch }) {
  const path = await newNamespace(send, 'watched');
  await send('POST', path, configMap('one', 'a'));
  let lines = 0;
  const watchers = await Promise.all(Array.from({ length: WATCHERS }, () => watch(`${path}?watch=1`)));
  let wake;
  for (const response of watchers) {
    response.on('error', () => {});
    response.on('data', (chunk) => {
      for (let at = chunk.indexOf(10); at !== -1; at = chunk.indexOf(10, at + 1)) lines += 1;
      wake?.();
    });
  }
  const until = async (count) => {
    const missing = () => count - lines;
    while (missing() > 0) await new Promise((resolve) => (wake = resolve));
  };
  await until(WATCHERS);
  const start = performance.now();
  let writes = 0;
  while (performance.now() - start < SECONDS * 1000) {
    await send('PUT', `${path}/one`, configMap('one', `${(writes += 1)}`));
  }
  await until(WATCHERS * (writes + 1));
  const perSecond = (WATCHERS * writes * 1000) / (performance.now() - start);
  for (const response of watchers) response.destroy();
  return perSecond;
}

function residentOf(id) {
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${id}/status`, 'utf8'))?.[1]) / 1024;
}

/** Resident memory of a process and, for the real server, of what it has started; in MB. */
function memoryOf(pid, isReal) {
  if (!isReal) return residentOf(pid);
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ');
  return children.map(residentOf).reduce((sum, one) => sum + one, 0);
}

async function run(env, isReal) {
  const server = await startServer(env);
  try {
    const memory = memoryOf(server.pid, isReal);
    const rates = await measure(server);
    const after = memoryOf(server.pid, isReal);
    // The real one is started by a Node that does nothing else: only its processes count.
    return { rates, start: isReal ? server.ms : server.whole, memory, after };
  } finally {
    server.client.close();
    await server.stop();
  }
}

function row(name, mine, other, ratio) {
  const beside = other === undefined ? '' : `${other.toFixed(0).padStart(16)}${ratio.toFixed(1).padStart(8)}`;
  console.log(`${name.padEnd(26)}${mine.toFixed(0).padStart(10)}${beside}`);
}

async function main() {
  const { KUBEBUILDER_ASSETS: _, ...plain } = process.env;
  const embedded = await run(plain, false);
  const real = assets ? await run(process.env, true) : undefined;
  console.log(`${SECONDS} s each, ${CONNECTIONS} connections, Node ${process.version}\n`);
  console.log(`${''.padEnd(26)}  embedded${real ? '  kube-apiserver   ratio' : ''}`);
  for (const [name, perSecond] of Object.entries(embedded.rates)) {
    const other = real?.rates[name];
    row(`${name}, /s`, perSecond, other, perSecond / other);
  }
  for (const [name, key] of [
    ['start, ms', 'start'],
    ['RSS after start, MB', 'memory'],
    ['RSS at the end, MB', 'after'],
  ]) {
    row(name, embedded[key], real?.[key], real?.[key] / embedded[key]);
  }
}

if (process.argv[2] === 'serve') await serve();
else await main();
