import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { execa } from 'execa';
import { outputFileSync } from 'fs-extra/esm';
import { expect, test } from 'vitest';
import { watchedFileSystem } from './faulty-file-system.ts';
import { isThorough } from './property-runs.ts';
import { run } from './run.ts';
import { type Snapshot, modeAndContent, restore, snapshot } from './snapshot.ts';
import { temporaryDirectoryInMemory } from './temporary-directory.ts';

const dieAtPath = fileURLToPath(new URL('die-at.mjs', import.meta.url));
/** At each so-manieth operation a real process is killed, and has to leave what the end of an acted one leaves. */
const killedCount = 20;
/** `npm test` breaks every so-manieth operation, `npm run test:thorough` each. */
const stride = isThorough ? 1 : 3;
/** How a package begins. */
const gzipMagic = '\u001F\u008B';
const gvk = ['--group', 'batch', '--version', 'v1', '--kind', 'JobWatcher'];

/** The three commands that scaffold, as their fault tests run them. */
export const faultCommands = {
  init: ['init', '--skip-install', '--domain', 'example.com', '--project-name', 'jobwatcher'],
  api: ['create', 'api', ...gvk],
  webhook: ['create', 'webhook', ...gvk, '--defaulting', '--programmatic-validation'],
};

/** The command under test, what comes before it, and the command that the user types next. */
export interface FaultSuite {
  /** The files, by path, that are there before all commands; default: none. */
  readonly files?: Readonly<Record<string, string>>;
  readonly earlier: string[][];
  readonly command: string[];
  readonly next: string[];
}

/**
 * Runs the command in a process that kills itself at its so-manieth operation on files.
 * @returns false when the command ended before that
 */
async function killAt(cwd: string, command: string[], at: number): Promise<boolean> {
  const died = await execa(process.execPath, [dieAtPath, String(at), ...command], { cwd, reject: false });
  if (died.signal === 'SIGKILL') return true;
  expect(died.exitCode, died.stderr).toBe(0);
  return false;
}

/** The same without a process: from that operation on, nothing that the command does reaches the disk. */
async function endAt(cwd: string, command: string[], at: number): Promise<boolean> {
  let ended = false;
  const fs = watchedFileSystem((count, operation, path, content) => {
    if (count < at) return;
    // Half of a write can be on disk when a process dies.
    if (count === at && operation === 'write')
      writeFileSync(path, (content as Uint8Array).subarray(0, (content as Uint8Array).length / 2));
    ended = true;
    throw Object.assign(new Error(`EIO: the process has ended, ${operation}`), { code: 'EIO' });
  });
  await run(cwd, command, { fs });
  leaveLockTo(deadProcess(), cwd);
  return ended;
}

/** The lock of a command that ended belongs to a process that is no more; the one that acted for it lives on. */
function leaveLockTo(pid: number, cwd: string): void {
  const work = join(cwd, '.ots');
  for (const directory of existsSync(work) ? readdirSync(work) : []) {
    const path = join(work, directory, 'owner.json');
    if (!existsSync(path)) continue;
    writeFileSync(path, readFileSync(path, 'utf8').replace(`"pid":${process.pid},`, `"pid":${pid},`));
  }
}

let dead: number | undefined;

/** The id of a process that has ended. */
function deadProcess(): number {
  dead ??= spawnSync(process.execPath, ['--version']).pid;
  return dead;
}

/** As {@link endAt}, and shows that a process that is really killed there leaves the same behind. */
async function endAndKillAt(cwd: string, command: string[], at: number, start: Snapshot): Promise<boolean> {
  const ended = await endAt(cwd, command, at);
  const acted = leftBehind(cwd);
  restore(cwd, start);
  expect(await killAt(cwd, command, at)).toBe(ended);
  const killed = leftBehind(cwd);
  const paths = Object.keys({ ...acted, ...killed });
  const differing = paths.filter((path) => acted[path] !== killed[path]);
  expect(differing, `operation ${at}: a killed process leaves other files`).toEqual([]);
  return ended;
}

/** What is in a directory, but for what differs between any two processes, and for the content of packages. */
function leftBehind(directory: string): Snapshot {
  const entries = Object.entries(treeOf(directory));
  return Object.fromEntries(entries.map((entry) => entry.map(ofAnyProcess) as [string, string]));
}

function ofAnyProcess(text: string): string {
  if (text.startsWith(gzipMagic, '100644 '.length)) return 'tarball';
  return text
    .replaceAll(/\b\d+-\d{9,}\b/g, 'TOKEN')
    .replaceAll(/"pid":\d+/g, '"pid":0')
    .replaceAll(/(?<=\.tgz","before":null,"after":)"\w+"/g, '"HASH"');
}

/** The project that the command is run on, and what is there before and after it. */
async function trees({ files = {}, earlier, command }: FaultSuite) {
  const directory = temporaryDirectoryInMemory();
  for (const [path, text] of Object.entries(files)) outputFileSync(join(directory, path), text);
  for (const step of earlier) await run(directory, step);
  const start = snapshot(directory);
  const before = treeOf(directory);
  expect(await run(directory, command)).toMatchObject({ code: 0 });
  return { directory, start, before, after: treeOf(directory) };
}

/** Fails, and ends, a command at each of its operations on files, or at some. */
export function faultSuite(suite: FaultSuite): void {
  const { command, next } = suite;
  test('leaves the project as it was when any single operation fails', { timeout: 120_000 }, async () => {
    const { directory, start, before, after } = await trees(suite);
    for (let failing = 1; ; failing += stride) {
      restore(directory, start);
      let reached = false;
      const fs = watchedFileSystem((count, operation) => {
        if (count !== failing) return;
        reached = true;
        throw Object.assign(new Error(`ENOSPC: no space left on device, ${operation}`), { code: 'ENOSPC' });
      });
      const { code, stderr } = await run(directory, command, { fs });
      if (!reached) break;
      // Only what comes after the decision, tidying up, may fail without consequences.
      const outcome = code === 0 ? after : before;
      expect(withoutWorkDirectory(treeOf(directory)), `operation ${failing}: ${stderr}`).toEqual(outcome);
      if (code !== 0) expect(stderr).toMatch(/^error: .*ENOSPC.*\nhint: .+\n$/);
    }
  });

  test(
    'is whole or gone after its end at any operation, once the next command has run',
    { timeout: 240_000 },
    async () => {
      const { directory, start, before, after } = await trees(suite);
      const outcomes = { before: 0, after: 0 };
      for (let at = 1; ; at += stride) {
        restore(directory, start);
        const died = await (at % killedCount === 0 ? endAndKillAt : endAt)(directory, command, at, start);
        if (!died) break;
        const { stdout } = await run(directory, next);
        const tree = treeOf(directory);
        const completed = stdout.includes('completed') || next === command;
        expect(tree, `operation ${at}`).toEqual(
          completed ? after : tree['PROJECT'] === after['PROJECT'] ? after : before,
        );
        outcomes[tree['PROJECT'] === before['PROJECT'] ? 'before' : 'after'] += 1;
      }
      expect(outcomes.after).toBeGreaterThan(0);
      if (next !== command) expect(outcomes.before).toBeGreaterThan(0);
    },
  );
}

/** All but the packages in vendor/: they are large, and their content is not what this is about. */
function treeOf(directory: string): Snapshot {
  return snapshot(directory, (path) => (path.endsWith('.tgz') ? 'tarball' : modeAndContent(path)));
}

/** What could not be removed is removed by the next command. */
function withoutWorkDirectory(tree: Snapshot): Snapshot {
  return Object.fromEntries(Object.entries(tree).filter(([path]) => !path.startsWith('.ots/')));
}
