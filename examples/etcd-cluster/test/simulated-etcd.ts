// Copyright 2026 The etcd-operator authors
// SPDX-License-Identifier: Apache-2.0

import type { ApplicationBehavior, Images, SimulatedContainer, TestEnvironment } from 'ots-testing';
import type { Transport } from '../src/etcd/transport.ts';
import {
  type MemberData,
  RefusalError,
  RunningCluster,
  newAgreement,
  readData,
  writeData,
} from './running-cluster.ts';

/** The parts of a configuration file that the simulation knows. */
interface Configuration {
  readonly name: string;
  readonly 'initial-advertise-peer-urls': string;
  readonly 'initial-cluster': string;
  readonly 'initial-cluster-state': 'new' | 'existing';
  readonly 'initial-cluster-token': string;
  readonly 'client-transport-security'?: { readonly 'trusted-ca-file': string };
}

/** A member that answers. */
interface Server {
  readonly cluster: RunningCluster;
  readonly id: string;
  readonly version: string;
  readonly container: SimulatedContainer;
}

const snapshotFile = 'snapshot.db';

/**
 * Runs in place of the image of etcd: as much of etcd as the operator can see. Members keep their data on volumes, need a majority, and do
 * not forgive the mistakes that real members do not forgive. It also runs in place of etcdctl and etcdutl.
 */
export class SimulatedEtcd {
  /** For `workloads` of a TestEnvironment. */
  readonly images: Images = { '*/etcd:v*': (container) => this.#run(container) };
  /** What happened, in order: `web-1 starts 3.5.21`, `web-1 stops`, `adds web-1`, `removes web-1`. */
  readonly history: string[] = [];
  /** Those with members that run, by their IDs. */
  readonly #clusters = new Map<string, RunningCluster>();

  #run(container: SimulatedContainer): ApplicationBehavior | Promise<ApplicationBehavior> {
    const [program = ''] = container.command;
    if (program.endsWith('etcdctl')) return saveSnapshot(container);
    if (program.endsWith('etcdutl')) return restoreSnapshot(container);
    return this.#serve(container);
  }

  #serve(container: SimulatedContainer): ApplicationBehavior {
    const path = container.args[0]!.replace('--config-file=', '');
    const file = container.files.get(path);
    if (file === undefined) return crash(`open ${path}: no such file or directory`);
    const configuration: Configuration = JSON.parse(file);
    const data = readData(container) ?? this.#join(configuration);
    if (typeof data === 'string') return crash(data);
    writeData(container, data);
    const { id, isCorrupt, agreement } = data;
    const cluster = this.#clusters.get(agreement.clusterID) ?? new RunningCluster(agreement);
    if (!cluster.members.some(({ ID }) => ID === id))
      return crash('the member has been permanently removed from the cluster');
    if (isCorrupt)
      return crash(
        'tocommit(8) is out of range [lastIndex(0)]. Was the raft log corrupted, truncated, or lost?',
      );
    const version = container.image.split(':v')[1]!;
    const server = { cluster, id, version, container };
    this.#start(server, configuration.name, data);
    const ca = container.files.get(
      configuration['client-transport-security']?.['trusted-ca-file'] ?? '',
    );
    return {
      readyAfter: '1s',
      logs: `member ${id} of cluster ${agreement.clusterID}`,
      http: (request, port) => {
        if (!cluster.isRunning(id, container)) return new Response('', { status: 503 });
        // In place of the handshake, which has no place in the simulated network.
        const isTrusted =
          ca === undefined ||
          port === 2381 ||
          request.headers.get('x-trusted') === Buffer.from(ca).toString('base64');
        return isTrusted
          ? this.#answer(server, request)
          : new Response('bad certificate', { status: 495 });
      },
    };
  }

  #start({ cluster, id, version, container }: Server, name: string, data: MemberData): void {
    this.history.push(`${name} starts ${version}`);
    const { clusterID } = data.agreement;
    this.#clusters.set(clusterID, cluster);
    cluster.start(data, name, container);
    container.signal.addEventListener('abort', () => {
      if (!cluster.isRunning(id, container)) return;
      this.history.push(`${name} stops`);
      cluster.stop(id);
      if (cluster.isEmpty) this.#clusters.delete(clusterID);
    });
  }

  /** What a member without data does. @returns its data, or why it cannot start */
  #join({ name, ...configuration }: Configuration): MemberData | string {
    const url = configuration['initial-advertise-peer-urls'];
    const wanted = configuration['initial-cluster'].split(',').map((entry) => entry.split('=')[1]!);
    if (configuration['initial-cluster-state'] === 'new') {
      const token = configuration['initial-cluster-token'];
      const agreement = newAgreement({ name, url, token });
      return { id: agreement.leader, isCorrupt: false, agreement };
    }
    const cluster = [...this.#clusters.values()].find((each) => each.isReachable(wanted));
    if (!cluster)
      return 'cannot fetch cluster info from peer urls: could not retrieve cluster information from the given URLs';
    const listed = Array.from(cluster.members, ({ peerURLs }) => peerURLs[0]!);
    if (listed.toSorted().join() !== wanted.toSorted().join())
      return 'error validating peerURLs: member count is unequal';
    const member = cluster.members.find(({ peerURLs }) => peerURLs[0] === url)!;
    return {
      id: member.ID,
      isCorrupt: member.name !== undefined,
      agreement: cluster.agreement,
    };
  }

  async #answer(server: Server, request: Request): Promise<Response> {
    const { cluster, id } = server;
    try {
      const { pathname } = new URL(request.url);
      if (pathname === '/health') {
        cluster.requireQuorum();
        return Response.json({ health: 'true' });
      }
      const body: Record<string, never> = JSON.parse(await request.text());
      return Response.json({
        header: { cluster_id: cluster.agreement.clusterID, member_id: id },
        ...this.#call(server, { pathname, body }),
      });
    } catch (error) {
      if (!(error instanceof RefusalError)) throw error;
      return Response.json({ error: error.message, health: 'false' }, { status: error.status });
    }
  }

  #call(
    { cluster, version, container }: Server,
    { pathname, body }: { pathname: string; body: Record<string, never> },
  ): object {
    if (pathname === '/v3/maintenance/status') return { version, leader: cluster.leader };
    if (pathname === '/v3/cluster/member/list' && !body['linearizable'])
      return { members: cluster.members };
    cluster.requireQuorum();
    const { keys } = cluster.agreement;
    switch (pathname) {
      case '/v3/cluster/member/list':
        break;
      case '/v3/cluster/member/add':
        cluster.addMember(body['peerURLs']![0], container.clock.epoch());
        this.history.push(`adds ${hostOf(body['peerURLs']!)}`);
        break;
      case '/v3/cluster/member/remove':
        this.history.push(`removes ${hostOf(cluster.removeMember(body['ID']!).peerURLs)}`);
        break;
      case '/v3/kv/put':
        cluster.put(body['key']!, body['value']!);
        return {};
      case '/v3/kv/range': {
        const value = keys[body['key']!];
        return { kvs: value === undefined ? [] : [{ key: body['key'], value }] };
      }
      case '/v3/maintenance/snapshot':
        return { result: keys };
      default:
        throw new RefusalError(404, 'Not Found');
    }
    return { members: cluster.members };
  }
}

/** What etcdctl does. */
async function saveSnapshot(container: SimulatedContainer): Promise<ApplicationBehavior> {
  const ca = container.files.get('/etc/etcd-tls/ca.crt') ?? '';
  const response = await container.network.fetch(
    `${flagOf(container, 'endpoints')}/v3/maintenance/snapshot`,
    {
      method: 'POST',
      body: '{}',
      headers: { 'x-trusted': Buffer.from(ca).toString('base64') },
    },
  );
  if (!response.ok) return crash(await response.text());
  const { result }: { result: Record<string, string> } = JSON.parse(await response.text());
  container.volume('backup').set(snapshotFile, JSON.stringify(result));
  return { exitAfter: '2s', logs: `Snapshot saved at /backup/${snapshotFile}` };
}

/** What etcdutl does. */
function restoreSnapshot(container: SimulatedContainer): ApplicationBehavior {
  const snapshot = container.volume('backup').get(snapshotFile);
  if (snapshot === undefined)
    return crash(`open /backup/${snapshotFile}: no such file or directory`);
  if (readData(container))
    return crash('data-dir "/var/lib/etcd/data" not empty or could not be read');
  const keys: Record<string, string> = JSON.parse(snapshot);
  const [name, url] = ['name', 'initial-advertise-peer-urls'].map((flag) =>
    flagOf(container, flag),
  );
  const agreement = newAgreement({ name: name!, url: url!, token: 'etcd-cluster' }, keys);
  writeData(container, { id: agreement.leader, isCorrupt: false, agreement });
  return { exitAfter: '2s', logs: 'restored snapshot' };
}

function flagOf({ command }: SimulatedContainer, name: string): string {
  return command.find((each) => each.startsWith(`--${name}=`))!.replace(`--${name}=`, '');
}

function crash(message: string): ApplicationBehavior {
  return { exitCode: 1, logs: message };
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
