import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { FromOperator, ToOperator } from './operator-message.ts';

/** How long an operator may finish what it does before it is killed, in milliseconds. */
const graceMs = 500;

/** What the process of an operator needs. */
export interface OperatorCommand {
  /** Absolute path of the project. */
  readonly root: string;
  readonly flags: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Absolute path of the module that the process loads before the operator. */
  readonly agent: string;
  /** Whether it reports its requests: the API server does not. */
  readonly reportsRequests: boolean;
}

/** Receives what a process says. */
export interface OperatorListener {
  /** A line of its standard output or error. */
  line(text: string): void;
  message(message: FromOperator): void;
  /** It ended by itself. */
  ended(how: { readonly code: number | null; readonly signal: string | null }): void;
}

/**
 * A process of the operator. It loads Node and the runtime, and then waits until `run`: so the next one is already half way when
 * the sources change.
 */
export class OperatorProcess {
  readonly #child: ChildProcess;
  readonly #closed: Promise<unknown>;
  readonly #reportsRequests: boolean;
  #listener: OperatorListener | undefined;
  #isStopping = false;

  constructor({ root, flags, env, agent, reportsRequests }: OperatorCommand) {
    this.#reportsRequests = reportsRequests;
    this.#child = spawn(
      process.execPath,
      ['--enable-source-maps', '--import', agent, 'src/main.ts', ...flags],
      { cwd: root, env: { ...env }, stdio: ['ignore', 'pipe', 'pipe', 'ipc'] },
    );
    this.#closed = once(this.#child, 'close');
    for (const stream of [this.#child.stdout!, this.#child.stderr!])
      createInterface({ input: stream }).on('line', (text) => this.#listener?.line(text));
    this.#child.on('message', (message) => this.#listener?.message(message as FromOperator));
    this.#child.on('close', (code, signal) => {
      if (!this.#isStopping) this.#listener?.ended({ code, signal });
    });
    // Without a process there is nothing to send to; `close` follows.
    this.#child.on('error', () => {});
  }

  get pid(): number | undefined {
    return this.#child.pid;
  }

  get hasEnded(): boolean {
    return this.#child.exitCode !== null || this.#child.signalCode !== null;
  }

  /** Lets the operator start. */
  run(listener: OperatorListener): void {
    this.#listener = listener;
    this.send({ type: 'run', reportsRequests: this.#reportsRequests });
  }

  send(message: ToOperator): void {
    if (this.#child.connected) this.#child.send(message, () => {});
  }

  /** Ends it as a crash would: at once, in the middle of what it does. */
  crash(): void {
    this.#child.kill('SIGKILL');
  }

  /** Ends it: it may finish what it does, but not for long. Resolves when it is gone. */
  async stop(): Promise<void> {
    this.#isStopping = true;
    if (!this.hasEnded) {
      this.#child.kill('SIGTERM');
      const timer = setTimeout(() => this.#child.kill('SIGKILL'), graceMs);
      await this.#closed;
      clearTimeout(timer);
    }
  }
}
