import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, readdir } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { ApiServer, type Connection, installCrds, loadCrds } from 'ots-apiserver';
import { TestEnvironment } from 'ots-testing';
import { waitFor } from '../../src/waiting/wait-for.ts';

const crds = [fileURLToPath(new URL('../crds', import.meta.url))];

/** An API server that can be killed. */
export interface Backend {
  readonly isReal: boolean;
  readonly connection: Connection;
  /** Ends the server at once, and every connection with it. */
  kill(): Promise<void>;
  /**
   * Starts the server again on its port: a real one with its data, the embedded one without. Neither remembers earlier
   * events.
   */
  revive(): Promise<void>;
  /** Forgets all changes so far, so no watch resumes from before: a real server has to start again for that. */
  forget(): Promise<void>;
  stop(): Promise<void>;
}

/** The embedded server, or a real one when KUBEBUILDER_ASSETS is set. */
export function startBackend(): Promise<Backend> {
  return process.env['KUBEBUILDER_ASSETS'] ? RealBackend.start() : EmbeddedBackend.start();
}

// Few changes are remembered, so watches that storms break often cannot resume.
const embedded = { watchHistory: 150, bookmarkInterval: 500, controllers: false };

class EmbeddedBackend implements Backend {
  readonly isReal = false;
  #server: ApiServer;

  static async start(): Promise<Backend> {
    const server = await ApiServer.start(embedded);
    await installCrds(server.connection, await loadCrds(crds));
    return new EmbeddedBackend(server);
  }

  private constructor(server: ApiServer) {
    this.#server = server;
  }

  get connection(): Connection {
    return this.#server.connection;
  }

  async kill(): Promise<void> {
    await this.#server.stop();
  }

  async revive(): Promise<void> {
    this.#server = await ApiServer.start({ ...embedded, port: Number(new URL(this.#server.url).port) });
    await installCrds(this.#server.connection, await loadCrds(crds));
  }

  forget(): Promise<void> {
    this.#server.faults.compact();
    return Promise.resolve();
  }

  async stop(): Promise<void> {
    await this.#server.stop();
  }
}

class RealBackend implements Backend {
  readonly isReal = true;
  readonly #environment: TestEnvironment;
  readonly #command: string[];
  #process: number;
  #revived: ChildProcess | undefined;

  static async start(): Promise<Backend> {
    const environment = await TestEnvironment.start({ crds, controllers: false });
    const { port } = new URL(environment.config.server);
    const found = await findProcess(`--secure-port=${port}`);
    return new RealBackend(environment, found);
  }

  private constructor(environment: TestEnvironment, { id, command }: { id: number; command: string[] }) {
    this.#environment = environment;
    this.#process = id;
    this.#command = command;
  }

  get connection(): Connection {
    return this.#environment.config;
  }

  async kill(): Promise<void> {
    process.kill(this.#process, 'SIGKILL');
    await waitFor(() => !isRunning(this.#process));
  }

  async revive(): Promise<void> {
    await this.#compact();
    const [program = '', ...options] = this.#command;
    this.#revived = spawn(program, options, { stdio: 'ignore' });
    this.#process = this.#revived.pid!;
    await waitFor(() => isReady(this.connection), { timeout: '30s' });
  }

  async forget(): Promise<void> {
    await this.kill();
    await this.revive();
  }

  async stop(): Promise<void> {
    if (this.#revived?.exitCode === null && this.#revived.signalCode === null) {
      this.#revived.kill('SIGKILL');
      await once(this.#revived, 'exit');
    }
    await this.#environment.stop();
  }

  /** Compacts etcd: it would still have the history that the server must not find. */
  async #compact(): Promise<void> {
    const etcd = this.#command.find((option) => option.startsWith('--etcd-servers='))!.split('=')[1]!;
    const call = async (method: string, body: object): Promise<{ header: { revision: string } }> => {
      const response = await fetch(`${etcd}/v3/kv/${method}`, { method: 'POST', body: JSON.stringify(body) });
      return (await response.json()) as { header: { revision: string } };
    };
    const { header } = await call('range', { key: 'AA==', limit: 1 });
    await call('compaction', { revision: header.revision, physical: true });
  }
}

async function findProcess(option: string): Promise<{ id: number; command: string[] }> {
  for (const id of await readdir('/proc')) {
    if (!/^\d+$/.test(id)) continue;
    const text = await readFile(`/proc/${id}/cmdline`, 'utf8').catch(() => '');
    const command = text.split('\0').slice(0, -1);
    if (command[0]?.endsWith('kube-apiserver') && command.includes(option))
      return { id: Number(id), command };
  }
  throw new Error(`kube-apiserver does not run with ${option}`);
}

function isRunning(id: number): boolean {
  try {
    process.kill(id, 0);
    return true;
  } catch {
    return false;
  }
}

async function isReady({ server, token, caData }: Connection): Promise<boolean> {
  const { get } = await import('node:https');
  const request = get(`${server}/readyz`, { ca: caData, headers: { authorization: `Bearer ${token}` } });
  const [response] = await once(request, 'response');
  response.resume();
  return response.statusCode === 200;
}
