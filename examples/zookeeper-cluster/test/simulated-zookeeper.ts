// Copyright 2026 The zookeeper-operator authors
// SPDX-License-Identifier: Apache-2.0

import { PersistentVolumeClaim } from 'ots-kubernetes/core/v1';
import { Client } from 'ots-runtime';
import type { ApplicationBehavior, Images, SimulatedContainer, TestEnvironment } from 'ots-testing';

/** A member that runs. */
interface Server {
  readonly container: SimulatedContainer;
  readonly version: string;
  /** The hosts in its configuration. */
  readonly servers: readonly string[];
  readonly data: Map<string, string>;
}

/**
 * Runs in place of the image of ZooKeeper: as much of it as the operator can see. Members know each other from their configuration files,
 * need a majority of them, and keep data on their volumes.
 */
export class SimulatedZookeeper {
  /** For `workloads` of a TestEnvironment. */
  readonly images: Images = { '*/zookeeper:*': (container) => this.run(container) };
  /** What happened, in order: `web-1 starts 3.9.3 of 3`, `web-1 stops`. */
  readonly history: string[] = [];
  /** By host. */
  readonly #running = new Map<string, Server>();
  /** By the UID of its PersistentVolumeClaim. */
  readonly #volumes = new Map<string, Map<string, string>>();
  #leader: string | undefined;
  #client: Client | undefined;

  /** Connects to the environment whose pods it simulates. */
  connect(environment: TestEnvironment): void {
    this.#client = new Client(environment.config);
  }

  /** Writes to a cluster, as its clients do: to all members that serve. */
  write(key: string, value: string): void {
    for (const host of this.#running.keys())
      if (this.#modeOf(host)) this.#running.get(host)!.data.set(key, value);
  }

  /** What a member has. */
  read(name: string, key: string): string | undefined {
    return [...this.#running].find(([host]) => host.startsWith(`${name}.`))?.[1].data.get(key);
  }

  /** Runs a container. */
  async run(container: SimulatedContainer): Promise<ApplicationBehavior> {
    const { pod, image, files } = container;
    const name = container.env['POD_NAME']!;
    const host = `${name}.${pod.spec?.subdomain}.${pod.metadata.namespace}.svc`;
    const config = files.get('/conf/zoo.cfg') ?? '';
    if (config.includes('sslQuorum=true') && !files.has('/conf-tls/tls.pem'))
      return { exitCode: 1, logs: 'KeyStoreException: /conf-tls/tls.pem' };
    const servers = Array.from(config.matchAll(/^server\.\d+=([^:]+):/gm), ([, each]) => each!);
    const data = await this.#dataOf(container);
    // It was stopped in the meantime.
    if (container.signal.aborted) return {};
    const [, version = ''] = image.split(':');
    const server = { container, version, servers, data };
    this.history.push(`${name} starts ${version} of ${servers.length}`);
    this.#running.set(host, server);
    this.#elect();
    container.signal.addEventListener('abort', () => {
      if (this.#running.get(host) !== server) return;
      this.#running.delete(host);
      this.history.push(`${name} stops`);
      this.#elect();
    });
    return {
      readyAfter: '1s',
      ready: () => this.#modeOf(host) !== undefined,
      exec: () => ({ exitCode: this.#modeOf(host) ? 0 : 1 }),
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

  /** What a member is; undefined without a majority of its configuration. */
  #modeOf(host: string): 'leader' | 'follower' | 'standalone' | undefined {
    const server = this.#running.get(host);
    if (!server) return undefined;
    if (server.servers.length === 1) return 'standalone';
    return this.#hasMajority(host) ? (host === this.#leader ? 'leader' : 'follower') : undefined;
  }

  /** One that runs alone does not listen for the others. */
  #hasMajority(host: string): boolean {
    const { servers = [] } = this.#running.get(host) ?? {};
    const reached = servers.filter(
      (each) => each === host || (this.#running.get(each)?.servers.length ?? 0) > 1,
    );
    return reached.length > servers.length / 2;
  }

  /** A leader stays while it has a majority. Members without data get it from the leader. */
  #elect(): void {
    const able = [...this.#running.keys()].filter((host) => this.#hasMajority(host));
    const most = (host: string) => this.#running.get(host)!.data.size;
    if (!this.#leader || !able.includes(this.#leader))
      this.#leader = able.toSorted(
        (one, other) => most(other) - most(one) || other.localeCompare(one),
      )[0];
    const { data = new Map<string, string>() } = this.#running.get(this.#leader ?? '') ?? {};
    for (const host of able)
      for (const [key, value] of data) this.#running.get(host)!.data.set(key, value);
  }

  /** The content of the volume of a container. */
  async #dataOf({ pod }: SimulatedContainer): Promise<Map<string, string>> {
    const { claimName = '' } =
      pod.spec?.volumes?.find(({ name }) => name === 'data')?.persistentVolumeClaim ?? {};
    const key = { name: claimName, namespace: pod.metadata.namespace };
    const { uid = '' } = (await this.#client!.getOrThrow(PersistentVolumeClaim, key)).metadata;
    const data = this.#volumes.get(uid) ?? new Map<string, string>();
    this.#volumes.set(uid, data);
    return data;
  }
}
