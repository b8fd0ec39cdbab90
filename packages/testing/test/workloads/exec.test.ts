import { type ChildProcess, execFile, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { promisify } from 'node:util';
import { Pod, Service } from 'ots-kubernetes/core/v1';
import type { Images } from 'ots-testing';
import { describe, expect, onTestFinished, test } from 'vitest';
import { startNode } from '../support/start-node.ts';

const hasKubectl = spawnSync('kubectl', ['version', '--client']).status === 0;

/** Starts a cluster with a pod, and a kubectl for it. */
async function startPod(images: Images) {
  const node = await startNode(images);
  await node.create({ restartPolicy: 'Never', containers: [{ name: 'app', image: 'app:1' }] });
  return withKubectl(node);
}

async function withKubectl(node: Awaited<ReturnType<typeof startNode>>) {
  const file = await node.environment.kubeconfigFile();
  const flags = (parameters: readonly string[]) => ['--kubeconfig', file, ...parameters];
  const run = (...parameters: string[]) => promisify(execFile)('kubectl', flags(parameters));
  const open = (...parameters: string[]): ChildProcess => {
    const child = spawn('kubectl', flags(parameters));
    onTestFinished(() => void child.kill());
    return child;
  };
  return { ...node, run, open };
}

describe.skipIf(!hasKubectl)('kubectl', () => {
  test('exec runs a command in a simulated application', async () => {
    const { run } = await startPod({
      'app:*': {
        exec: ([program, code]) => ({ exitCode: Number(code ?? 0), stdout: `${program}\n`, stderr: 'oh\n' }),
      },
    });
    expect(await run('exec', 'app', '--', 'check')).toEqual({ stdout: 'check\n', stderr: 'oh\n' });
    await expect(run('exec', 'app', '--', 'check', '3')).rejects.toMatchObject({
      code: 3,
      stdout: 'check\n',
    });
  });

  test('exec fails where an application runs no commands, and where it has ended', async () => {
    const { run, environment } = await startPod({ 'app:*': { exitCode: 0, exitAfter: '1m' } });
    await expect(run('exec', 'app', '--', 'sh')).rejects.toThrow(
      'exec: "sh": executable file not found in $PATH',
    );
    await environment.advance('1m');
    await expect(run('exec', 'app', '--', 'sh')).rejects.toThrow(
      'cannot exec into a container in a completed pod',
    );
  });

  test('attach shows what an application writes from then on', async () => {
    let write: (line: string) => void = () => {};
    const { open } = await startPod({
      'app:*': (container) => {
        ({ log: write } = container);
        return { logs: 'before' };
      },
    });
    const child = open('attach', 'app');
    const seen = once(child.stdout!, 'data');
    await once(child.stderr!, 'data');
    const timer = setInterval(() => write('later'), 50);
    onTestFinished(() => clearInterval(timer));
    expect(String((await seen)[0])).toMatch(/^later\n/);
  });

  test('port-forward reaches an application that answers HTTP requests', async () => {
    const { open } = await startPod({
      'app:*': {
        http: async (request) =>
          new Response(`${request.method} ${new URL(request.url).pathname} ${await request.text()}`),
      },
    });
    const child = open('port-forward', 'pod/app', ':8080');
    const [line] = await once(child.stdout!, 'data');
    const port = /127\.0\.0\.1:(\d+)/.exec(String(line))![1];
    const response = await fetch(`http://127.0.0.1:${port}/items`, { method: 'POST', body: 'one' });
    expect(await response.text()).toBe('POST /items one');
  });

  test('the proxies of pods and Services reach an application', async () => {
    const { run, client, environment } = await startNode({
      'web:*': {
        http: async (request, port) =>
          new Response(`${port} ${request.method} ${new URL(request.url).pathname} ${await request.text()}`),
      },
    }).then(withKubectl);
    const metadata = { name: 'web', namespace: 'default', labels: { app: 'web' } };
    const containers = [{ name: 'web', image: 'web:1' }];
    await client.create(Pod, { apiVersion: 'v1', kind: 'Pod', metadata, spec: { containers } });
    const ports = [{ name: 'http', port: 80, targetPort: 8080 }];
    const spec = { selector: metadata.labels, ports };
    await client.create(Service, { apiVersion: 'v1', kind: 'Service', metadata, spec });
    await environment.settle();
    const below = '/api/v1/namespaces/default';
    const get = async (path: string) => (await run('get', '--raw', `${below}/${path}`)).stdout;
    expect(await get('pods/web/proxy/a?b=c')).toBe('80 GET /a ');
    expect(await get('pods/http:web:2379/proxy/v3/members')).toBe('2379 GET /v3/members ');
    expect(await get('services/web:http/proxy/')).toBe('8080 GET / ');
    expect(await get('services/web:80/proxy/a')).toBe('8080 GET /a ');
    environment.nodes.stop('node-1');
    await expect(get('pods/web/proxy/')).rejects.toThrow('error trying to reach service');
  });
});
