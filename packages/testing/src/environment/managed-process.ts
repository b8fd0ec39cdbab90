import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { TestEnvironmentError } from '../errors/test-environment-error.ts';

/** How long a process may take to become ready, and to end after SIGTERM. */
const maxStartMs = 60_000;
const maxStopMs = 10_000;
const pollMs = 50;
/** Characters of output to keep for error messages. */
const maxOutputLength = 4000;

/** A process that tests start and that does not outlive them. */
export class ManagedProcess {
  readonly #child: ChildProcess;
  readonly #name: string;
  readonly #killOnExit = () => void this.#child.kill('SIGKILL');
  #output = '';
  #failure: Error | undefined;

  constructor(name: string, command: string, args: readonly string[]) {
    this.#name = name;
    this.#child = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'] });
    for (const stream of [this.#child.stdout, this.#child.stderr]) {
      stream?.setEncoding('utf8').on('data', (text: string) => {
        this.#output = (this.#output + text).slice(-maxOutputLength);
      });
    }
    this.#child.on('error', (error) => (this.#failure = error));
    process.once('exit', this.#killOnExit);
  }

  /**
   * Waits until a probe succeeds. A probe that throws counts as not yet.
   *
   * @throws {TestEnvironmentError} when the process ends first, or does not become ready within 60 s
   */
  async untilReady(probe: () => Promise<boolean>): Promise<void> {
    const deadline = Date.now() + maxStartMs;
    for (;;) {
      if (this.#failure || this.#hasEnded()) throw this.#error('ended before it was ready');
      if (await probe().catch(() => false)) return;
      if (Date.now() > deadline) throw this.#error(`was not ready after ${maxStartMs / 1000} s`);
      await delay(pollMs);
    }
  }

  /** Ends the process: with SIGTERM, and with SIGKILL if it does not end within 10 s. */
  async stop(): Promise<void> {
    process.removeListener('exit', this.#killOnExit);
    if (this.#failure || this.#hasEnded()) return;
    const exit = once(this.#child, 'exit');
    this.#child.kill('SIGTERM');
    const force = setTimeout(() => this.#child.kill('SIGKILL'), maxStopMs);
    await exit;
    clearTimeout(force);
  }

  #hasEnded(): boolean {
    return this.#child.exitCode !== null || this.#child.signalCode !== null;
  }

  #error(what: string): TestEnvironmentError {
    const output = this.#output.trim().split('\n').slice(-5).join('\n');
    return new TestEnvironmentError(
      `${this.#name} ${what}${output === '' ? '' : `:\n${output}\n`}`,
      'Check that KUBEBUILDER_ASSETS is a directory with etcd and kube-apiserver for this machine.',
      this.#failure,
    );
  }
}
