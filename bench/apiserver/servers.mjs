import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { createClient } from './client.mjs';

const script = fileURLToPath(new URL('serve.mjs', import.meta.url));

/** Starts a server in a process of its own. */
export async function startServer(env) {
  const start = performance.now();
  const child = spawn(process.execPath, [script], { env, stdio: ['pipe', 'pipe', 'inherit'] });
  const [line] = await new Promise((resolve, reject) => {
    createInterface({ input: child.stdout }).once('line', (text) => resolve([text]));
    child.once('exit', (code) => reject(new Error(`the server ended with ${code}`)));
  });
  const { config, kubeconfig, ms } = JSON.parse(line);
  const exited = new Promise((resolve) => child.once('exit', resolve));
  const stop = async () => {
    child.stdin.end();
    await exited;
  };
  const client = createClient(config);
  await client.send('GET', '/readyz');
  return { client, kubeconfig, pid: child.pid, whole: performance.now() - start, ms, stop };
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
