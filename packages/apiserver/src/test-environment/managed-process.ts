import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { TestEnvironmentError } from './test-environment-error.ts';

/** Milliseconds that a process has to become ready, and to end after SIGTERM. */
const startPatience = 60_000;
const stopPatience = 10_000;
const pollInterval = 50;
/** Characters of output that are kept for error messages. */
const outputKept = 4000;

/** A process that is started for tests and does not outlive them. */
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
        this.#output = (this.#output + text).slice(-outputKept);
      });
    }
    this.#child.on('error', (error) => (this.#failure = error));
    process.once('exit', this.#killOnExit);
  }

  /**
   * Waits until a probe succeeds. A probe that throws counts as not yet.
   *
   * @throws {TestEnvironmentError} when the process ends first, or does not become ready in 60 s
   */
  async untilReady(probe: () => Promise<boolean>): Promise<void> {
    const deadline = Date.now() + startPatience;
    for (;;) {
      if (this.#failure || this.#hasEnded()) throw this.#error('ended before it was ready');
      if (await probe().catch(() => false)) return;
      if (Date.now() > deadline) throw this.#error(`was not ready after ${startPatience / 1000} s`);
      await delay(pollInterval);
    }
  }

  /** Ends the process, by force when it does not go by itself. */
  async stop(): Promise<void> {
    process.removeListener('exit', this.#killOnExit);
    if (this.#failure || this.#hasEnded()) return;
    const exit = once(this.#child, 'exit');
    this.#child.kill('SIGTERM');
    const force = setTimeout(() => this.#child.kill('SIGKILL'), stopPatience);
    await exit;
    clearTimeout(force);
  }

  #hasEnded(): boolean {
    return this.#child.exitCode !== null || this.#child.signalCode !== null;
  }

  #error(what: string): TestEnvironmentError {
    const output = this.#output.trim().split('\n').slice(-5).join('\n');
    return new TestEnvironmentError(
      'OTS_CONTROL_PLANE',
      `${this.#name} ${what}${output === '' ? '.' : `:\n${output}\n`}`,
      'Check that KUBEBUILDER_ASSETS is a directory with etcd and kube-apiserver for this machine.',
      this.#failure,
    );
  }
}
