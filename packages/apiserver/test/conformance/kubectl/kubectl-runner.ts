import { execFile, spawnSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { TestEnvironment } from 'ots-testing';

/** Whether kubectl is installed. If it is not, the report shows its cases as skipped. */
export const hasKubectl = spawnSync('kubectl', ['version', '--client']).status === 0;
if (!hasKubectl) console.warn('conformance: kubectl is not installed; its cases are skipped');

/** kubectl for one server. It has its own home directory, because kubectl caches there what it learned from a server. */
export class KubectlRunner {
  readonly directory: string;

  private constructor(directory: string) {
    this.directory = directory;
  }

  static async create({ kubeconfig }: Pick<TestEnvironment, 'kubeconfig'>): Promise<KubectlRunner> {
    const runner = new KubectlRunner(await mkdtemp(join(tmpdir(), 'kubectl-')));
    await writeFile(runner.#kubeconfig, kubeconfig, { mode: 0o600 });
    return runner;
  }

  get #kubeconfig(): string {
    return join(this.directory, 'config');
  }

  /** The environment of kubectl, for tests that start it themselves. Garbage collection takes a third of its short run. */
  get env(): NodeJS.ProcessEnv {
    return { ...process.env, HOME: this.directory, KUBECONFIG: this.#kubeconfig, GOGC: 'off' };
  }

  /**
   * Runs a command.
   *
   * @returns what it writes to stdout
   * @throws an error with `stderr` when it fails
   */
  async run(...parameters: string[]): Promise<string> {
    return (await promisify(execFile)('kubectl', parameters, { env: this.env })).stdout;
  }

  /** Writes an object to a file. @returns its path */
  async fileOf(object: object): Promise<string> {
    const file = join(this.directory, 'object.json');
    await writeFile(file, JSON.stringify(object));
    return file;
  }

  async close(): Promise<void> {
    await rm(this.directory, { recursive: true });
  }
}
