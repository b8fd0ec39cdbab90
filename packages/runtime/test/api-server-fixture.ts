import { TestEnvironment } from 'ots-testing';
import { Namespace } from 'ots-kubernetes/core/v1';
import { afterAll, beforeAll, onTestFinished } from 'vitest';
import { Client } from '../src/client/client.ts';
import type { ConnectionConfig } from '../src/kubeconfig/connection-config.ts';
import { createLogger } from '../src/logging/create-logger.ts';
import type { ManagerOptions } from '../src/manager/manager-options.ts';
import { Manager } from '../src/manager/manager.ts';

export interface ApiServerFixture {
  readonly config: ConnectionConfig;
  /** Reads from the server. */
  readonly client: Client;
  /** How to reach the server as a ServiceAccount or user, under exactly their rights. */
  as: TestEnvironment['as'];
  /** Writes a kubeconfig of the server and returns its path. */
  kubeconfigFile: () => Promise<string>;
  /** Creates a unique namespace and returns its name. */
  createNamespace: () => Promise<string>;
  /** Creates a silent manager for this namespace, which stops at the end of the test. */
  createManager: (namespace: string, options?: Partial<ManagerOptions>) => Promise<Manager>;
}

/**
 * An API server with these CRDs for all tests of a file: the embedded one, or a real one when KUBEBUILDER_ASSETS is
 * set. It is there when hooks and tests run.
 */
export function apiServerFixture(...crds: string[]): ApiServerFixture {
  let environment: TestEnvironment;
  let client: Client;
  let namespaces = 0;

  beforeAll(async () => {
    environment = await TestEnvironment.start({ crds });
    client = new Client(environment.config);
  }, 60_000);

  afterAll(async () => {
    await client.close();
    await environment.stop();
  });

  return {
    get config() {
      return environment.config;
    },
    get client() {
      return client;
    },
    as: (identity) => environment.as(identity),
    kubeconfigFile: () => environment.kubeconfigFile(),
    async createNamespace() {
      namespaces += 1;
      const name = `test-${namespaces}`;
      await client.create(Namespace, { apiVersion: 'v1', kind: 'Namespace', metadata: { name } });
      return name;
    },
    async createManager(namespace, options = {}) {
      const manager = await Manager.create({
        connection: environment.config,
        cache: { namespaces: [namespace] },
        logger: createLogger({ level: 'silent' }),
        ...options,
      });
      onTestFinished(() => manager.stop());
      return manager;
    },
  };
}
