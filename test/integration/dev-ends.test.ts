import { existsSync, readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execa } from 'execa';
import { outputFileSync } from 'fs-extra/esm';
import { expect, test, vi } from 'vitest';
import { DevProcess } from '../support/dev-process.ts';
import { DevProject } from '../support/dev-project.ts';
import { otsBinary } from '../support/ots-binary.ts';
import { Pty, hasPty } from '../support/pty.ts';

const ended = { timeout: 10_000, interval: 50 };
const kubeconfig = ({ directory }: DevProject) => join(directory, 'node_modules/.cache/ots-dev/kubeconfig');
/** The files of the operator of a session. */
const filesOf = (pid: number) => readdirSync(tmpdir()).filter((name) => name.startsWith(`ots-dev-${pid}-`));

/** The operator, and the next one that waits. */
async function operatorsOf(pid: number): Promise<number[]> {
  const { stdout } = await execa('ps', ['-A', '-o', 'pid=,ppid=,args=']);
  const rows = stdout.split('\n').map((line) => line.trim().split(/\s+/));
  return rows
    .filter(([, parent, ...args]) => parent === String(pid) && args.includes('src/main.ts'))
    .map(([own]) => Number(own));
}

/** Without those that only wait for their parent to notice. */
async function alive(pids: readonly number[]): Promise<number[]> {
  const { stdout } = await execa('ps', ['-A', '-o', 'pid=,stat=']);
  const states = new Map(stdout.split('\n').map((line) => line.trim().split(/\s+/) as [string, string]));
  return pids.filter((pid) => !(states.get(String(pid)) ?? 'Z').startsWith('Z'));
}

/** A session with two operators: one runs, one waits. */
async function startSession(): Promise<{ project: DevProject; dev: DevProcess; operators: number[] }> {
  const project = new DevProject('memcached');
  const dev = new DevProcess(project.directory);
  await dev.until('the operator runs', ({ operator }) => operator.phase === 'running');
  const operators = await operatorsOf(dev.pid);
  expect(operators).toHaveLength(2);
  expect(filesOf(dev.pid)).toHaveLength(1);
  return { project, dev, operators };
}

test.each([
  ['Ctrl-C', 'SIGINT', 130],
  ['SIGTERM', 'SIGTERM', 143],
  ['the end of its terminal', 'SIGHUP', 129],
  ['the end of its reader', undefined, 141],
] as const)('%s ends a session, and it leaves nothing', async (_, signal, code) => {
  const { project, dev, operators } = await startSession();
  if (!signal) {
    dev.closeOutput();
    await dev.act({ action: 'snapshot' });
  }
  expect(await dev.end(signal)).toBe(code);
  expect(dev.stderr).toBe('');
  expect(await alive(operators)).toEqual([]);
  expect(existsSync(kubeconfig(project))).toBe(false);
  expect(filesOf(dev.pid)).toEqual([]);
});

test('a session has the time to end after its terminal, of which its shell and the kernel tell it', async () => {
  const { project, dev, operators } = await startSession();
  await dev.endRepeatedly('SIGHUP');
  expect(await alive(operators)).toEqual([]);
  expect(existsSync(kubeconfig(project))).toBe(false);
  expect(filesOf(dev.pid)).toEqual([]);
});

test('operators end with a session that is killed, and the next session removes its files', async () => {
  const { dev, operators } = await startSession();
  await dev.end('SIGKILL');
  await vi.waitFor(async () => expect(await alive(operators)).toEqual([]), ended);
  expect(filesOf(dev.pid)).toHaveLength(1);
  const next = await startSession();
  expect(filesOf(dev.pid)).toEqual([]);
  await next.dev.end('SIGINT');
});

test.skipIf(!hasPty)('a terminal that is closed ends its session, and it leaves nothing', async () => {
  const project = new DevProject('memcached');
  const terminal = new Pty(process.execPath, [otsBinary, 'dev'], { cwd: project.directory });
  await terminal.waitFor((rows) => rows.some((row) => row.includes('● running')));
  const pid = await terminal.pid();
  const operators = await operatorsOf(pid);
  terminal.close();
  await vi.waitFor(async () => expect(await alive([pid, ...operators])).toEqual([]), ended);
  expect(existsSync(kubeconfig(project))).toBe(false);
  expect(filesOf(pid)).toEqual([]);
});

test.skipIf(!hasPty)(
  'a terminal whose keys cannot be read any more ends its session, and it leaves nothing',
  async () => {
    const project = new DevProject('memcached');
    // While a terminal closes, the kernel answers reads with this error for a moment.
    const preload = join(project.directory, 'node_modules/.cache/unreadable.cjs');
    outputFileSync(
      preload,
      `process.on('SIGUSR2', () => process.stdin.emit('error', Object.assign(new Error('read EIO'), { code: 'EIO' })));`,
    );
    const env = { NODE_OPTIONS: `--require=${preload}` };
    const terminal = new Pty(process.execPath, [otsBinary, 'dev'], { cwd: project.directory, env });
    await terminal.waitFor((rows) => rows.some((row) => row.includes('● running')));
    const pid = await terminal.pid();
    const operators = await operatorsOf(pid);
    process.kill(pid, 'SIGUSR2');
    expect(await terminal.exitCode).toBe(129);
    expect(await alive([pid, ...operators])).toEqual([]);
    expect(existsSync(kubeconfig(project))).toBe(false);
    expect(filesOf(pid)).toEqual([]);
  },
);
