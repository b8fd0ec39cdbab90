import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { createClient } from './client.mjs';

const testEnvironment = new URL('../../packages/apiserver/dist/index.js', import.meta.url);
const script = fileURLToPath(new URL('../apiserver.mjs', import.meta.url));

/** Runs one server and tells its parent how to reach it. It stops when the parent closes its input. */
export async function serve() {
  const { TestEnvironment } = await import(testEnvironment);
  const start = performance.now();
  const environment = await TestEnvironment.start();
  console.log(JSON.stringify({ config: environment.config, ms: performance.now() - start }));
  process.stdin.resume();
  await new Promise((resolve) => process.stdin.once('end', resolve));
  await environment.stop();
  process.exit(0);
}

/** Starts a server in a process of its own. */
export async function startServer(env) {
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
  const client = createClient(config);
  await client.send('GET', '/readyz');
  return { client, pid: child.pid, whole: performance.now() - start, ms, stop };
}

function residentOf(id) {
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${id}/status`, 'utf8'))?.[1]) / 1024;
}

/** Resident memory of a process and, for the real server, of what it has started; in MB. */
export function memoryOf(pid, isReal) {
  if (!isReal) return residentOf(pid);
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ');
  return children.map(residentOf).reduce((sum, one) => sum + one, 0);
}
