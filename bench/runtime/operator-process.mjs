// One operator, running as a process of its own.
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { usageOf } from './process-usage.mjs';

const patience = 600_000;

export class OperatorProcess {
  #child;
  #start = performance.now();
  #exited;

  constructor([file, parameters], env) {
    this.#child = spawn(file, parameters, {
      env: { ...process.env, ...env },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    this.#exited = new Promise((resolve) => this.#child.once('exit', resolve));
  }

  /** Seconds from the start of the process until it says that it has seen everything. */
  async synced() {
    const line = new Promise((resolve, reject) => {
      createInterface({ input: this.#child.stdout }).once('line', resolve);
      this.#child.once('exit', (code) => reject(new Error(`the operator ended with ${code}`)));
      setTimeout(() => reject(new Error('the operator did not fill its cache')), patience).unref();
    });
    await line;
    return (performance.now() - this.#start) / 1000;
  }

  usage() {
    return usageOf(this.#child.pid);
  }

  async stop() {
    this.#child.kill('SIGTERM');
    const timer = setTimeout(() => this.#child.kill('SIGKILL'), 5000);
    await this.#exited;
    clearTimeout(timer);
  }
}
