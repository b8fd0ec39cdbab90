import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { onTestFinished } from 'vitest';
import { applyChange } from '../../src/dev/model/apply-change.ts';
import type { DevAction } from '../../src/dev/model/dev-action.ts';
import type { DevChange } from '../../src/dev/model/dev-change.ts';
import type { DevState } from '../../src/dev/model/dev-state.ts';
import { initialState } from '../../src/dev/store/initial-state.ts';
import { otsBinary } from './ots-binary.ts';

/** `ots dev --json` in a process of its own, and what it has said. */
export class DevProcess {
  readonly #child: ChildProcess;
  readonly #exited: Promise<unknown>;
  #listeners: (() => void)[] = [];
  #stderr = '';
  state: DevState = initialState('', '', true);

  constructor(cwd: string, ...flags: string[]) {
    this.#child = spawn(process.execPath, [otsBinary, 'dev', '--json', ...flags], { cwd });
    this.#exited = once(this.#child, 'close');
    onTestFinished(() => void this.#child.kill('SIGKILL'));
    this.#child.stderr!.on('data', (text: Buffer) => (this.#stderr += text.toString()));
    createInterface(this.#child.stdout!).on('line', (line) => {
      this.state = applyChange(this.state, JSON.parse(line) as DevChange);
      for (const listener of this.#listeners) listener();
    });
    this.#child.on('close', () => {
      for (const listener of this.#listeners) listener();
    });
  }

  get pid(): number {
    return this.#child.pid!;
  }

  get stderr(): string {
    return this.#stderr;
  }

  /** Waits until something is said, for a minute at most. @returns the result of the check */
  async until<T>(what: string, check: (state: DevState) => T | undefined | false): Promise<T> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        const { operator, problems, logs } = this.state;
        const said = JSON.stringify({ operator, problems, logs: logs.slice(-5) }, undefined, 2);
        reject(new Error(`ots dev did not say that ${what}: ${said}`));
      }, 60_000);
      const look = () => {
        const found = check(this.state);
        const hasEnded = this.#child.exitCode !== null || this.#child.signalCode !== null;
        if (found !== undefined && found !== false) clearTimeout(timer);
        if (found === undefined || found === false) {
          if (hasEnded) reject(new Error(`ots dev ended before ${what}: ${this.#stderr}`));
          return;
        }
        this.#listeners = this.#listeners.filter((listener) => listener !== look);
        resolve(found);
      };
      this.#listeners.push(look);
      look();
    });
  }

  /** Does what the page can do. */
  async act(action: DevAction): Promise<void> {
    const response = await fetch(`${this.state.cluster.page}api/actions`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(action),
    });
    if (!response.ok) throw new Error(await response.text());
  }

  /** Stops reading, as a reader that died. */
  closeOutput(): void {
    this.#child.stdout!.destroy();
  }

  /** @returns the exit code */
  async end(signal?: NodeJS.Signals): Promise<number | null> {
    if (signal) this.#child.kill(signal);
    await this.#exited;
    return this.#child.exitCode;
  }

  /** Ends it with a signal that comes again and again. Node itself handles none in its last moments, so the exit code says nothing. */
  async endRepeatedly(signal: NodeJS.Signals): Promise<void> {
    const timer = setInterval(() => this.#child.kill(signal), 5);
    await this.end(signal);
    clearInterval(timer);
  }
}
