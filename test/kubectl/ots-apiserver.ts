import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { KubectlRunner } from '../../packages/apiserver/test/conformance/kubectl/kubectl-runner.ts';
import { otsBinary } from '../support/ots-binary.ts';

/** `ots apiserver --workloads` in its own process, as a user starts it, with kubectl for it. */
export class OtsApiServer {
  readonly runner: KubectlRunner;
  readonly #process: ChildProcess;
  readonly #directory: string;
  readonly #stderr: Promise<string>;

  private constructor(
    runner: KubectlRunner,
    process: ChildProcess,
    stderr: Promise<string>,
    directory: string,
  ) {
    this.runner = runner;
    this.#process = process;
    this.#stderr = stderr;
    this.#directory = directory;
  }

  /** Starts it and waits until it serves. @param nodes how many simulated nodes there are */
  static async start(nodes: number): Promise<OtsApiServer> {
    const directory = await mkdtemp(join(tmpdir(), 'ots-apiserver-'));
    const flags = ['--workloads', String(nodes), '--kubeconfig', 'kubeconfig'];
    const child = spawn(process.execPath, [otsBinary, 'apiserver', ...flags], { cwd: directory });
    const stderr = text(child.stderr);
    let report = '';
    for await (const part of child.stdout.iterator({ destroyOnReturn: false })) {
      report += String(part);
      if (report.includes('Kubeconfig: ')) break;
    }
    if (!report.includes('Kubeconfig: ')) throw new Error(`ots apiserver does not start: ${await stderr}`);
    const kubeconfig = await readFile(join(directory, 'kubeconfig'), 'utf8');
    return new OtsApiServer(await KubectlRunner.create({ kubeconfig }), child, stderr, directory);
  }

  /** Presses Ctrl-C and waits for the end. */
  async interrupt(): Promise<{ code: number | null; stderr: string; hasKubeconfig: boolean }> {
    const closed = once(this.#process, 'close');
    this.#process.kill('SIGINT');
    const [code] = await closed;
    return {
      code,
      stderr: await this.#stderr,
      hasKubeconfig: existsSync(join(this.#directory, 'kubeconfig')),
    };
  }

  /** Ends it if it still runs, and removes its files. */
  async close(): Promise<void> {
    if (this.#process.exitCode === null) await this.interrupt();
    await this.runner.close();
    await rm(this.#directory, { recursive: true });
  }
}
