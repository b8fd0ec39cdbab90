// Copyright 2026 The zookeeper-operator authors
// SPDX-License-Identifier: Apache-2.0

import { restoreScript, saveScript } from '../src/cluster/snapshot-job.ts';
import type { ApplicationBehavior, Images, SimulatedContainer } from 'ots-testing';

/** A member that runs. */
interface Server {
  readonly container: SimulatedContainer;
  readonly version: string;
  /** The hosts in its configuration. */
  readonly servers: readonly string[];
  /** What clients wrote, by key, and the {@link epochFile}. */
  readonly data: Map<string, string>;
  /** Whether only the certificates of the cluster open its admin port. */
  readonly isSecure: boolean;
}

/** A file on each volume: how often a leader was elected, a space, and the host of the last one. */
const epochFile = 'currentEpoch';

/**
 * Runs in place of the image of ZooKeeper: as much of it as the operator can see. Members know each other from their configuration files,
 * need a majority of them, and keep data on their volumes. It also runs the Jobs that take and restore snapshots.
 */
export class SimulatedZookeeper {
  /** For `workloads` of a TestEnvironment. */
  readonly images: Images = { '*/zookeeper:*': (container) => this.#run(container) };
  /** What happened, in order: `web-1 starts 3.9.3 of 3`, `web-1 stops`. */
  readonly history: string[] = [];
  /** By host. */
  readonly #running = new Map<string, Server>();
  /** Who may take a snapshot: what the header `Authorization` says. Everyone who says something by default. */
  authorized: string | undefined;

  /** Writes to a cluster, as its clients do: to all members that serve. */
  write(cluster: string, key: string, value: string): void {
    for (const [host, { data }] of this.#running)
      if (clusterOf(host).startsWith(`${cluster}.`) && this.#modeOf(host)) data.set(key, value);
  }

  /** What a member has. */
  read(name: string, key: string): string | undefined {
    return [...this.#running].find(([host]) => host.startsWith(`${name}.`))?.[1].data.get(key);
  }

  #run(container: SimulatedContainer): ApplicationBehavior | Promise<ApplicationBehavior> {
    const script = container.command.at(-1);
    if (script === saveScript) return saveSnapshot(container);
    if (script === restoreScript) return restoreSnapshot(container);
    return this.#serve(container);
  }

  #serve(container: SimulatedContainer): ApplicationBehavior {
    const { pod, image, files } = container;
    const name = container.env['POD_NAME']!;
    const host = `${name}.${pod.spec?.subdomain}.${pod.metadata.namespace}.svc`;
    const config = files.get('/conf/zoo.cfg') ?? '';
    if (config.includes('sslQuorum=true') && !files.has('/conf-tls/tls.pem'))
      return { exitCode: 1, logs: 'KeyStoreException: /conf-tls/tls.pem' };
    const servers = Array.from(config.matchAll(/^server\.\d+=([^:]+):/gm), ([, each]) => each!);
    const [, version = ''] = image.split(':');
    this.history.push(`${name} starts ${version} of ${servers.length}`);
    container.signal.addEventListener('abort', () => {
      this.history.push(`${name} stops`);
      if (this.#running.get(host)?.container !== container) return;
      this.#running.delete(host);
      // The others elect another one now, and not when it is back.
      this.#leaderOf(clusterOf(host));
    });
    const data = container.volume('data');
    const isSecure = config.includes('admin.forceHttps=true');
    this.#running.set(host, { container, version, servers, data, isSecure });
    return {
      readyAfter: '1s',
      ready: () => this.#modeOf(host) !== undefined,
      exec: () => ({ exitCode: this.#modeOf(host) ? 0 : 1 }),
      http: (request, port) => this.#command(host, request, port),
      tcp: {
        2181: (socket) =>
          void socket.once('data', (word) => socket.end(this.#answer(host, String(word)))),
      },
    };
  }

  #answer(host: string, word: string): string {
    if (word === 'ruok') return 'imok';
    const mode = this.#modeOf(host);
    if (word !== 'srvr') return `${word} is not executed because it is not in the whitelist.\n`;
    if (!mode) return 'This ZooKeeper instance is not currently serving requests\n';
    const { version } = this.#running.get(host)!;
    return `Zookeeper version: ${version}-c26634f34490bb0ea7a09cc51e05ede3b4e320ee, built on 2024-10-17 23:21 UTC\nMode: ${mode}\nNode count: 5\n`;
  }

  /** The admin server of a member. */
  #command(host: string, request: Request, port: number): Response {
    const server = this.#running.get(host);
    if (port !== 8080 || !server) return new Response('', { status: 404 });
    const { pathname } = new URL(request.url);
    // In place of the handshake, which has no place in the simulated network.
    if (server.isSecure && !request.headers.has('x-certificate'))
      return new Response('', { status: 495 });
    if (pathname !== '/commands/snapshot') return refuse(200, `Unknown command: ${pathname}`);
    // As in ZooKeeper, the status does not show this error.
    if (!this.#modeOf(host))
      return refuse(200, 'This ZooKeeper instance is not currently serving requests');
    const authorization = request.headers.get('authorization');
    if (!authorization) return refuse(401, 'Auth info is missing for the command');
    if (authorization !== (this.authorized ?? authorization)) return refuse(403, 'Not authorized');
    const written = [...server.data].filter(([key]) => key !== epochFile);
    const body = JSON.stringify(written);
    const last = `0x${written.length.toString(16)}`;
    return new Response(body, {
      headers: { last_zxid: last, snapshot_size: `${body.length}` },
    });
  }

  /** What a member is; undefined without a majority of its configuration. */
  #modeOf(host: string): 'leader' | 'follower' | 'standalone' | undefined {
    const server = this.#running.get(host);
    if (!server) return undefined;
    if (server.servers.length === 1) return 'standalone';
    return this.#hasMajority(host)
      ? host === this.#leaderOf(clusterOf(host))
        ? 'leader'
        : 'follower'
      : undefined;
  }

  /** One that runs alone does not listen for the others. */
  #hasMajority(host: string): boolean {
    const { servers = [] } = this.#running.get(host) ?? {};
    const reached = servers.filter(
      (each) => each === host || (this.#running.get(each)?.servers.length ?? 0) > 1,
    );
    return reached.length > servers.length / 2;
  }

  /** A leader stays while it has a majority. Members that have less data get it from the leader. */
  #leaderOf(cluster: string): string | undefined {
    const able = [...this.#running].filter(
      ([host]) => clusterOf(host) === cluster && this.#hasMajority(host),
    );
    const epochs = able.map(([, { data }]) => data.get(epochFile) ?? '0');
    const [count, last] = (epochs.toSorted(byNumber).at(-1) ?? '').split(' ');
    const leader = able.find(([host]) => host === last) ?? able.toSorted(byDataAndHost)[0];
    if (!leader) return undefined;
    const [host, { data }] = leader;
    if (host !== last) data.set(epochFile, `${Number(count) + 1} ${host}`);
    for (const [, other] of able) for (const [key, value] of data) other.data.set(key, value);
    return host;
  }
}

/** What the Job of a backup does. */
async function saveSnapshot(container: SimulatedContainer): Promise<ApplicationBehavior> {
  const { AUTHORIZATION = '', SNAPSHOT_URL = '', TLS_FLAGS } = container.env;
  const certificate = TLS_FLAGS && container.files.get('/conf-tls/tls.pem');
  const response = await container.network.fetch(SNAPSHOT_URL, {
    headers: {
      authorization: AUTHORIZATION,
      ...(certificate && { 'x-certificate': certificate }),
    },
  });
  const text = await response.text();
  const change = response.headers.get('last_zxid');
  if (!response.ok || !change) return { exitCode: 1, logs: text };
  const backup = container.volume('backup');
  backup.clear();
  backup.set(`snapshot.${change.slice(2)}`, text);
  return { exitAfter: '2s' };
}

/** What the Job of a restored cluster does. */
function restoreSnapshot({ volume }: SimulatedContainer): ApplicationBehavior {
  const [text] = volume('backup').values();
  if (text === undefined)
    return { exitCode: 1, logs: "cp: cannot stat '/backup/snapshot.*': No such file" };
  const data = volume('data');
  const entries: [string, string][] = JSON.parse(text);
  if (data.size === 0) for (const [key, value] of entries) data.set(key, value);
  return { exitAfter: '2s' };
}

function byNumber(one: string, other: string): number {
  return parseInt(one, 10) - parseInt(other, 10);
}

function byDataAndHost([one, first]: [string, Server], [other, second]: [string, Server]): number {
  return second.data.size - first.data.size || other.localeCompare(one);
}

/** What the hosts of a cluster have in common, such as `web.default.svc`. */
function clusterOf(host: string): string {
  return host.slice(host.indexOf('.') + 1);
}

function refuse(status: number, error: string): Response {
  return Response.json({ command: 'snapshot', error }, { status });
}
