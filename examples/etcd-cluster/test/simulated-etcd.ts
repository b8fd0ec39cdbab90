// Copyright 2026 The etcd-operator authors
// SPDX-License-Identifier: Apache-2.0

import { PersistentVolumeClaim } from 'ots-kubernetes/core/v1';
import { Client } from 'ots-runtime';
import type { ApplicationBehavior, Images, SimulatedContainer, TestEnvironment } from 'ots-testing';
import type { Transport } from '../src/etcd/transport.ts';

/** A cluster as its members know it. */
interface SimulatedCluster {
  readonly id: string;
  readonly members: Map<string, { name?: string; readonly peerURLs: string[] }>;
  readonly data: Map<string, string>;
  /** The containers of the members that run, by the IDs of the members. */
  readonly running: Map<string, SimulatedContainer>;
}

/** What a volume contains. */
interface SimulatedData {
  readonly cluster: SimulatedCluster;
  readonly id: string;
  /** Whether the member has lost what it had promised to others. */
  isCorrupt: boolean;
}

/** The parts of a configuration file that the simulation knows. */
interface Configuration {
  readonly name: string;
  readonly 'initial-advertise-peer-urls': string;
  readonly 'initial-cluster': string;
  readonly 'initial-cluster-state': 'new' | 'existing';
  readonly 'client-transport-security'?: { readonly 'trusted-ca-file': string };
}

/** A request that etcd refuses, with the status of its HTTP/JSON gateway. */
class RefusalError extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

/**
 * Runs in place of the image of etcd: as much of etcd as the operator can see. Members keep their data on volumes, need a majority, and do
 * not forgive the mistakes that real members do not forgive. It also runs in place of etcdctl and etcdutl.
 */
export class SimulatedEtcd {
  /** For `workloads` of a TestEnvironment. */
  readonly images: Images = { '*/etcd:v*': (container) => this.run(container) };
  /** What happened, in order: `web-1 starts 3.5.21`, `web-1 stops`, `adds web-1`, `removes web-1`. */
  readonly history: string[] = [];
  /** What each volume contains, by the UID of its PersistentVolumeClaim. */
  readonly #volumes = new Map<string, SimulatedData>();
  readonly #snapshots = new Map<string, ReadonlyMap<string, string>>();
  #client: Client | undefined;
  #ids = 0;

  /** Connects to the environment whose pods it simulates. */
  connect(environment: TestEnvironment): void {
    this.#client = new Client(environment.config);
  }

  /** Runs a container. */
  async run(container: SimulatedContainer): Promise<ApplicationBehavior> {
    const [program = ''] = container.command;
    if (program.endsWith('etcdctl')) return this.#save(container);
    if (program.endsWith('etcdutl')) return this.#restore(container);
    return this.#serve(container);
  }

  async #serve(container: SimulatedContainer): Promise<ApplicationBehavior> {
    const path = container.args[0]!.replace('--config-file=', '');
    const file = container.files.get(path);
    if (file === undefined) return crash(`open ${path}: no such file or directory`);
    const configuration: Configuration = JSON.parse(file);
    const volume = await this.#volumeOf(container, 'data');
    // It was stopped in the meantime.
    if (container.signal.aborted) return {};
    let data = this.#volumes.get(volume);
    if (!data) {
      const joined = this.#join(configuration);
      if (typeof joined === 'string') return crash(joined);
      this.#volumes.set(volume, (data = joined));
    }
    const { cluster, id, isCorrupt } = data;
    const member = cluster.members.get(id);
    if (!member) return crash('the member has been permanently removed from the cluster');
    if (isCorrupt)
      return crash(
        'tocommit(8) is out of range [lastIndex(0)]. Was the raft log corrupted, truncated, or lost?',
      );
    member.name = configuration.name;
    const { name } = configuration;
    const version = container.image.split(':v')[1]!;
    this.history.push(`${name} starts ${version}`);
    cluster.running.set(id, container);
    container.signal.addEventListener('abort', () => {
      if (cluster.running.get(id) !== container) return;
      cluster.running.delete(id);
      this.history.push(`${name} stops`);
    });
    const isMine = () => cluster.running.get(id) === container;
    const ca = container.files.get(
      configuration['client-transport-security']?.['trusted-ca-file'] ?? '',
    );
    return {
      readyAfter: '1s',
      logs: `member ${id} of cluster ${cluster.id}`,
      http: (request, port) => {
        if (!isMine()) return new Response('', { status: 503 });
        // In place of the handshake, which has no place in the simulated network.
        const isTrusted =
          ca === undefined ||
          port === 2381 ||
          request.headers.get('x-trusted') === Buffer.from(ca).toString('base64');
        return isTrusted
          ? this.#answer(cluster, { id, version }, request)
          : new Response('bad certificate', { status: 495 });
      },
    };
  }

  /** What a member without data does. @returns its data, or why it cannot start */
  #join({ name, ...configuration }: Configuration): SimulatedData | string {
    const peerURL = configuration['initial-advertise-peer-urls'];
    const wanted = configuration['initial-cluster'].split(',').map((entry) => entry.split('=')[1]!);
    if (configuration['initial-cluster-state'] === 'new') {
      const cluster = this.#newCluster(new Map());
      const id = this.#nextID();
      cluster.members.set(id, { peerURLs: [peerURL], name });
      return { cluster, id, isCorrupt: false };
    }
    const all = new Set(Array.from(this.#volumes.values(), ({ cluster }) => cluster));
    const cluster = [...all].find((each) =>
      [...each.running.keys()].some((id) =>
        wanted.includes(each.members.get(id)?.peerURLs[0] ?? ''),
      ),
    );
    if (!cluster)
      return 'cannot fetch cluster info from peer urls: could not retrieve cluster information from the given URLs';
    const listed = Array.from(cluster.members.values(), ({ peerURLs }) => peerURLs[0]!);
    if (listed.toSorted().join() !== wanted.toSorted().join())
      return 'error validating peerURLs: member count is unequal';
    const [id, member] = [...cluster.members].find(([, each]) => each.peerURLs[0] === peerURL)!;
    return { cluster, id, isCorrupt: member.name !== undefined };
  }

  async #answer(
    cluster: SimulatedCluster,
    self: { id: string; version: string },
    request: Request,
  ): Promise<Response> {
    try {
      const { pathname } = new URL(request.url);
      if (pathname === '/health') {
        requireQuorum(cluster);
        return Response.json({ health: 'true' });
      }
      const body: Record<string, never> = JSON.parse(await request.text());
      return Response.json({
        header: { cluster_id: cluster.id, member_id: self.id },
        ...this.#call(cluster, self, { pathname, body }),
      });
    } catch (error) {
      if (!(error instanceof RefusalError)) throw error;
      return Response.json({ error: error.message, health: 'false' }, { status: error.status });
    }
  }

  #call(
    cluster: SimulatedCluster,
    self: { id: string; version: string },
    { pathname, body }: { pathname: string; body: Record<string, never> },
  ): object {
    if (pathname === '/v3/maintenance/status')
      return { version: self.version, leader: leaderOf(cluster) };
    if (pathname === '/v3/cluster/member/list' && !body['linearizable'])
      return { members: listOf(cluster) };
    requireQuorum(cluster);
    switch (pathname) {
      case '/v3/cluster/member/list':
        break;
      case '/v3/cluster/member/add':
        this.#add(cluster, body['peerURLs']!);
        break;
      case '/v3/cluster/member/remove':
        this.#remove(cluster, body['ID']!);
        break;
      case '/v3/kv/put':
        cluster.data.set(body['key']!, body['value']!);
        return {};
      case '/v3/kv/range':
        return {
          kvs: [...cluster.data]
            .filter(([key]) => key === body['key'])
            .map(([key, value]) => ({ key, value })),
        };
      case '/v3/maintenance/snapshot':
        return { result: Object.fromEntries(cluster.data) };
      default:
        throw new RefusalError(404, 'Not Found');
    }
    return { members: listOf(cluster) };
  }

  #add(cluster: SimulatedCluster, peerURLs: string[]): void {
    if (listOf(cluster).some((member) => member.peerURLs[0] === peerURLs[0]))
      throw new RefusalError(400, 'etcdserver: Peer URLs already exists');
    if (cluster.running.size < cluster.members.size)
      throw new RefusalError(503, 'etcdserver: unhealthy cluster');
    cluster.members.set(this.#nextID(), { peerURLs });
    this.history.push(`adds ${hostOf(peerURLs)}`);
  }

  #remove(cluster: SimulatedCluster, id: string): void {
    const member = cluster.members.get(id);
    if (!member) throw new RefusalError(404, 'etcdserver: member not found');
    const others = [...cluster.running.keys()].filter((each) => each !== id).length;
    if (others < quorumOf(cluster.members.size - 1))
      throw new RefusalError(
        503,
        'etcdserver: re-configuration failed due to not enough started members',
      );
    cluster.members.delete(id);
    this.history.push(`removes ${hostOf(member.peerURLs)}`);
    const container = cluster.running.get(id);
    cluster.running.delete(id);
    container?.log('the member has been permanently removed from the cluster');
    container?.exit(0);
  }

  async #save(container: SimulatedContainer): Promise<ApplicationBehavior> {
    const endpoint = container.command
      .find((each) => each.startsWith('--endpoints='))!
      .replace('--endpoints=', '');
    const ca = container.files.get('/etc/etcd-tls/ca.crt') ?? '';
    const headers = { 'x-trusted': Buffer.from(ca).toString('base64') };
    const response = await container.network.fetch(`${endpoint}/v3/maintenance/snapshot`, {
      method: 'POST',
      body: '{}',
      headers,
    });
    if (!response.ok) return crash(await response.text());
    const { result }: { result: Record<string, string> } = JSON.parse(await response.text());
    this.#snapshots.set(await this.#volumeOf(container, 'backup'), new Map(Object.entries(result)));
    return { exitAfter: '2s', logs: 'Snapshot saved at /backup/snapshot.db' };
  }

  async #restore(container: SimulatedContainer): Promise<ApplicationBehavior> {
    const snapshot = this.#snapshots.get(await this.#volumeOf(container, 'backup'));
    if (!snapshot) return crash('open /backup/snapshot.db: no such file or directory');
    const volume = await this.#volumeOf(container, 'data');
    if (this.#volumes.has(volume))
      return crash('data-dir "/var/lib/etcd/data" not empty or could not be read');
    const flag = (name: string) =>
      container.command.find((each) => each.startsWith(`--${name}=`))!.replace(`--${name}=`, '');
    const cluster = this.#newCluster(snapshot);
    const id = this.#nextID();
    cluster.members.set(id, {
      name: flag('name'),
      peerURLs: [flag('initial-advertise-peer-urls')],
    });
    this.#volumes.set(volume, { cluster, id, isCorrupt: false });
    return { exitAfter: '2s', logs: 'restored snapshot' };
  }

  #newCluster(data: ReadonlyMap<string, string>): SimulatedCluster {
    return { id: this.#nextID(), members: new Map(), data: new Map(data), running: new Map() };
  }

  /** More than JavaScript can count, as in etcd. */
  #nextID(): string {
    return `${17237436991929493000n + BigInt(this.#ids++)}`;
  }

  /** The UID of the claim behind a volume of a pod. */
  async #volumeOf({ pod }: SimulatedContainer, volume: string): Promise<string> {
    const { claimName = '' } =
      pod.spec?.volumes?.find(({ name }) => name === volume)?.persistentVolumeClaim ?? {};
    const claim = await this.#client!.getOrThrow(PersistentVolumeClaim, {
      name: claimName,
      namespace: pod.metadata.namespace,
    });
    return claim.metadata.uid!;
  }
}

function crash(message: string): ApplicationBehavior {
  return { exitCode: 1, logs: message };
}

function quorumOf(members: number): number {
  return Math.floor(members / 2) + 1;
}

function requireQuorum({ running, members }: SimulatedCluster): void {
  if (running.size < quorumOf(members.size))
    throw new RefusalError(503, 'etcdserver: request timed out');
}

/** The member that started first. */
function leaderOf({ running, members }: SimulatedCluster): string {
  return running.size < quorumOf(members.size) ? '0' : [...running.keys()][0]!;
}

function listOf({ members }: SimulatedCluster) {
  return Array.from(members, ([ID, member]) => ({ ID, ...member }));
}

function hostOf(urls: readonly string[]): string {
  return new URL(urls[0]!).hostname.split('.')[0]!;
}

/** Sends the operator's requests to the simulated members. */
export function transportTo({ network }: TestEnvironment): Transport {
  return async ({ method, url, body, credentials, signal }) => {
    const headers = { 'x-trusted': Buffer.from(credentials?.ca ?? '').toString('base64') };
    const response = await network.fetch(url, {
      method,
      headers,
      signal,
      ...(body !== undefined && { body }),
    });
    return { status: response.status, body: await response.text() };
  };
}
