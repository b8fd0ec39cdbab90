import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { waitFor } from 'ots-runtime';

const doneMarker = '--- done with ';
/** Longer than the slowest command of a page, `ots init` with its npm install. */
const waitTimeout = '5m';

/** A terminal with a shell: a reader of the documentation types blocks of commands into it. */
export class Terminal {
  /** All that the terminal has shown. */
  output = '';
  readonly #shell: ChildProcess;

  constructor(cwd: string, env: NodeJS.ProcessEnv) {
    // A process group of its own: Ctrl-C reaches all that runs in the terminal, and no other process.
    this.#shell = spawn('bash', ['--noprofile', '--norc'], { cwd, env, detached: true });
    for (const stream of [this.#shell.stdout!, this.#shell.stderr!]) {
      stream.setEncoding('utf8').on('data', (text: string) => (this.output += text));
    }
  }

  /**
   * Types a block of commands and waits until they are done.
   *
   * @returns what they showed
   * @throws {Error} with what they showed when one of them fails
   */
  async type(block: string): Promise<string> {
    const before = this.output.length;
    // A backslash at its end continues a line.
    for (const line of block.split(/(?<!\\)\n/)) {
      const start = this.output.length;
      this.#enter(line, `echo "${doneMarker}$?"`);
      const code = await this.#until(new RegExp(`${doneMarker}(\\d+)`), start);
      if (code !== '0') throw new Error(`${line}\nended with ${code}:\n${this.output.slice(start)}`);
    }
    return this.output.slice(before).replaceAll(new RegExp(`${doneMarker}0\n`, 'g'), '');
  }

  /**
   * Types a block of commands whose last one stays in the foreground.
   *
   * @param ready what the terminal shows once that command serves
   */
  async serve(block: string, ready: RegExp): Promise<void> {
    const start = this.output.length;
    this.#enter(...block.split('\n'));
    await this.#until(ready, start);
  }

  /** Presses Ctrl-C and closes the terminal: returns when everything in it has ended. */
  async close(): Promise<void> {
    if (this.#shell.exitCode !== null || this.#shell.signalCode !== null) return;
    const closed = once(this.#shell, 'close');
    this.#shell.stdin!.end();
    process.kill(-this.#shell.pid!, 'SIGINT');
    await closed;
  }

  /** Types lines; no command reads the lines that follow it. */
  #enter(...lines: string[]): void {
    for (const line of lines) this.#shell.stdin!.write(`{ ${line}\n} </dev/null\n`);
  }

  /** Waits until the terminal shows a text. @returns its first group */
  async #until(text: RegExp, start: number): Promise<string | undefined> {
    try {
      const match = await waitFor(async () => text.exec(this.output.slice(start)) ?? false, {
        timeout: waitTimeout,
        message: String(text),
      });
      return match[1];
    } catch (cause) {
      throw new Error(`The terminal does not show ${text}:\n${this.output.slice(start)}`, { cause });
    }
  }
}
