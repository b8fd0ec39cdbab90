import { spawn } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { text } from 'node:stream/consumers';
import type { ContainerStreams, PodStreams } from 'ots-apiserver';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { onEachStreamingServer } from '../../support/on-each-streaming-server.ts';
import { scriptedKubelet } from '../../support/scripted-kubelet.ts';
import { KubectlRunner, hasKubectl } from './kubectl-runner.ts';

/** Runs a command as a process of this machine. */
async function runProcess(
  [program = '', ...parameters]: readonly string[],
  { stdin, stdout, stderr }: ContainerStreams,
): Promise<number> {
  const child = spawn(program, parameters);
  const ended = new Promise<number>((resolve, reject) => {
    child.on('error', reject).on('close', (code) => resolve(code ?? 1));
  });
  if (stdin) void pipeline(stdin, child.stdin).catch(() => {});
  else child.stdin.end();
  const copy = async (from: AsyncIterable<Buffer>, to: ContainerStreams['stdout']) => {
    for await (const part of from) await to.write(part);
  };
  const [code] = await Promise.all([ended, copy(child.stdout, stdout), copy(child.stderr, stderr)]);
  return code;
}

/** A kubelet whose containers run the programs of this machine. */
const processes: PodStreams = {
  ...scriptedKubelet,
  exec: (_pod, _container, command) => (streams) => runProcess(command, streams),
};

/** kubectl falls back to SPDY without WebSockets, which it used before version 1.31. */
const withoutWebSockets = {
  KUBECTL_REMOTE_COMMAND_WEBSOCKETS: 'false',
  KUBECTL_PORT_FORWARD_WEBSOCKETS: 'false',
};

onEachStreamingServer('kubectl and streams', { streams: processes, skip: !hasKubectl }, (server) => {
  let runner: KubectlRunner;
  let directory: string;
  beforeAll(async () => {
    runner = await KubectlRunner.create(server);
    directory = await mkdtemp(join(tmpdir(), 'container-'));
  });
  afterAll(async () => {
    await runner.close();
    await rm(directory, { recursive: true });
  });

  /** Runs kubectl with an input. */
  async function run(
    parameters: readonly string[],
    { input = '', env = {} }: { input?: string | Buffer; env?: NodeJS.ProcessEnv } = {},
  ): Promise<{ code: number | null; stdout: string; stderr: string }> {
    const child = spawn('kubectl', parameters, { env: { ...runner.env, ...env } });
    child.stdin.end(input);
    const closed = new Promise<number | null>((resolve) => child.on('close', resolve));
    const [stdout, stderr, code] = await Promise.all([text(child.stdout), text(child.stderr), closed]);
    return { code, stdout, stderr };
  }

  test('exec separates the outputs and has the exit code', async () => {
    const answer = await run(['exec', 'app', '--', 'sh', '-c', 'echo out; echo err >&2; exit 3']);
    expect(answer).toStrictEqual({
      code: 3,
      stdout: 'out\n',
      stderr: 'err\ncommand terminated with exit code 3\n',
    });
  });

  test('exec copies its input, and ends it', async () => {
    const input = 'some text '.repeat(200_000);
    const { code, stdout } = await run(['exec', '-i', 'app', '--', 'cat'], { input });
    expect([code, stdout === input]).toStrictEqual([0, true]);
  });

  test('exec names a program that does not run', async () => {
    const { code, stderr } = await run(['exec', 'app', '--', '/no/such/program']);
    expect(code).toBe(1);
    expect(stderr).toContain('error executing command in container: spawn /no/such/program ENOENT');
  });

  test('cp copies to a container and back', async () => {
    const [local, remote, back] = ['local', 'remote', 'back'].map((name) => join(directory, name));
    await mkdir(remote ?? '');
    const content = Buffer.alloc(300_000, 'content ');
    await writeFile(local ?? '', content);
    expect(await run(['cp', local ?? '', `app:${remote}/file`])).toMatchObject({ code: 0 });
    expect((await readFile(join(remote ?? '', 'file'))).equals(content)).toBe(true);
    expect(await run(['cp', `app:${remote}/file`, back ?? ''])).toMatchObject({ code: 0 });
    expect((await readFile(back ?? '')).equals(content)).toBe(true);
  });

  test('attach reads the outputs of the process', async () => {
    const { code, stdout, stderr } = await run(['attach', 'app']);
    expect([code, stdout]).toStrictEqual([0, 'attached\n']);
    expect(stderr).toContain('to stderr\n');
    const refused = await run(['attach', 'pair', '-c', 'two']);
    expect(refused).toMatchObject({ code: 1 });
    expect(refused.stderr).toContain('unable to upgrade connection: container not found ("two")');
  });

  test('exec and attach work over SPDY', async () => {
    const env = withoutWebSockets;
    const input = 'some text '.repeat(200_000);
    const copied = await run(['exec', '-i', 'app', '--', 'cat'], { input, env });
    expect([copied.code, copied.stdout === input]).toStrictEqual([0, true]);
    const ended = await run(['exec', 'app', '--', 'sh', '-c', 'echo out; echo err >&2; exit 3'], { env });
    expect(ended).toStrictEqual({
      code: 3,
      stdout: 'out\n',
      stderr: 'err\ncommand terminated with exit code 3\n',
    });
    expect(await run(['attach', 'app'], { env })).toMatchObject({ code: 0, stdout: 'attached\n' });
    const refused = await run(['exec', 'missing', '--', 'ls'], { env });
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('pods "missing" not found') });
  });

  test.each([
    ['WebSockets', {}],
    ['SPDY', withoutWebSockets],
  ])('port-forward over %s forwards several connections, and reports a port that refuses', async (_, env) => {
    const child = spawn('kubectl', ['port-forward', 'pod/app', ':80', ':81'], {
      env: { ...runner.env, ...env },
    });
    const closed = new Promise((resolve) => child.on('close', resolve));
    let [stdout, stderr] = ['', ''];
    child.stderr.on('data', (part: Buffer) => (stderr += part.toString()));
    const ports = await new Promise<number[]>((resolve) => {
      child.stdout.on('data', (part: Buffer) => {
        stdout += part.toString();
        const found = [...stdout.matchAll(/127\.0\.0\.1:(\d+) -> (?:80|81)\n/g)].map(([, port]) =>
          Number(port),
        );
        if (found.length === 2) resolve(found);
      });
    });
    const inputs = [0, 1, 2, 3, 4].map((index) => `${index} `.repeat(50_000));
    const echoed = await Promise.all(inputs.map((input) => exchange(ports[0] ?? 0, input)));
    expect(echoed.map((output, index) => output === inputs[index])).toStrictEqual(inputs.map(() => true));
    expect(await exchange(ports[1] ?? 0, '')).toBe('');
    await closed;
    expect(stderr).toMatch(/error forwarding port 81 to pod app, uid \S+: connection refused/);
  });
});

/** Sends bytes to a port of this machine. @returns what comes back */
async function exchange(port: number, input: string): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  socket.end(input);
  return text(socket);
}
