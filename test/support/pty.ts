import { type ChildProcessWithoutNullStreams, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { execa } from 'execa';
import { onTestFinished, vi } from 'vitest';
import { temporaryDirectory } from './temporary-directory.ts';
import { TerminalScreen } from './terminal-screen.ts';

/** Whether this machine has `script` of util-linux, which runs a program in a pseudo-terminal. */
export const hasPty = /util-linux/.test(
  spawnSync('script', ['--version'], { encoding: 'utf8' }).stdout ?? '',
);

export interface PtyOptions {
  readonly columns?: number;
  readonly rows?: number;
  readonly cwd?: string;
  /** Beside those of this process. */
  readonly env?: NodeJS.ProcessEnv;
}

/** A program in a pseudo-terminal, and what a person sees there. It ends with the test. */
export class Pty {
  readonly screen: TerminalScreen;
  /** The exit code of the program, or 128 and the number of the signal that ended it. */
  readonly exitCode: Promise<number>;
  readonly #process: ChildProcessWithoutNullStreams;
  /** `<terminal> <process ID>`, as soon as the program starts. */
  readonly #startFile: string;

  constructor(
    file: string,
    args: readonly string[],
    { columns = 80, rows = 24, cwd, env = {} }: PtyOptions = {},
  ) {
    this.screen = new TerminalScreen(columns, rows);
    this.#startFile = join(temporaryDirectory(), 'started');
    const program = [file, ...args].map(quote).join(' ');
    const command = `stty cols ${columns} rows ${rows}; echo "$(tty) $$" > ${quote(this.#startFile)}; exec ${program}`;
    this.#process = spawn('script', ['-qefc', command, '/dev/null'], {
      cwd,
      env: { ...process.env, TERM: 'xterm-256color', SHELL: '/bin/sh', CI: '', ...env },
    });
    this.#process.stdout.setEncoding('utf8').on('data', (text: string) => this.screen.write(text));
    this.exitCode = once(this.#process, 'close').then(([code]) => code as number);
    onTestFinished(async () => {
      this.#process.kill('SIGKILL');
      await this.exitCode;
    });
  }

  /** Types characters or the escape sequences of other keys. */
  press(keys: string): void {
    this.#process.stdin.write(keys);
  }

  /** Waits until the rows on the screen are as a test wants them. */
  async waitFor(isThere: (rows: readonly string[]) => boolean, timeout = 60_000): Promise<string[]> {
    return vi.waitFor(
      async () => {
        const rows = await this.screen.rows();
        if (!isThere(rows)) throw new Error(`The terminal shows:\n${rows.join('\n')}`);
        return rows;
      },
      { timeout, interval: 20 },
    );
  }

  /** Makes the terminal larger or smaller; the program receives SIGWINCH. */
  async resize(columns: number, rows: number): Promise<void> {
    const { terminal } = await this.#started();
    this.screen.resize(columns, rows);
    await execa('stty', ['-F', terminal, 'cols', String(columns), 'rows', String(rows)]);
  }

  /** The process ID of the program. */
  async pid(): Promise<number> {
    return (await this.#started()).pid;
  }

  /** Closes the terminal, as a person closes a window. */
  close(): void {
    this.#process.kill('SIGKILL');
  }

  /** How the terminal treats input, as `stty` prints it: `echo` and `icanon`, or `-echo` and `-icanon` for a program that reads keys. */
  async modes(): Promise<string[]> {
    const { terminal } = await this.#started();
    return (await execa('stty', ['-F', terminal, '-a'])).stdout.split(/[\s;]+/);
  }

  async #started(): Promise<{ terminal: string; pid: number }> {
    return vi.waitFor(
      () => {
        const text = existsSync(this.#startFile) ? readFileSync(this.#startFile, 'utf8') : '';
        if (!text.endsWith('\n')) throw new Error('The program did not start');
        const [terminal = '', pid] = text.trim().split(' ');
        return { terminal, pid: Number(pid) };
      },
      { timeout: 60_000, interval: 20 },
    );
  }
}

function quote(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
