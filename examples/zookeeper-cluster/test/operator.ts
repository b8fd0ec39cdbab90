// Copyright 2026 The zookeeper-operator authors
// SPDX-License-Identifier: Apache-2.0

import {
  Client,
  type ConnectionConfig,
  type DeepReadonly,
  Manager,
  createLogger,
  findCondition,
} from 'ots-runtime';
import { TestEnvironment, type TortureStartContext } from 'ots-testing';
import { ZookeeperCluster, type ZookeeperClusterSpec } from '../src/api/v1/zookeeper-cluster.ts';
import { setupZookeeperBackupController } from '../src/controllers/zookeeper-backup.controller.ts';
import { setupZookeeperClusterController } from '../src/controllers/zookeeper-cluster.controller.ts';
import { SimulatedZookeeper } from './simulated-zookeeper.ts';

/** Who the operator is in a cluster, as config/rbac says it. */
export const operator = { serviceAccount: 'controller-manager', namespace: 'system' };
export const listeners = { health: false, metrics: false, webhooks: false } as const;

/** Creates the operator, for the simulated members of an environment. */
export async function createOperator(
  connection: ConnectionConfig,
  { environment, leaderElection }: TortureStartContext,
): Promise<Manager> {
  const logger = createLogger({ level: 'silent' });
  const manager = await Manager.create(
    { connection, logger, userAgent: 'zookeeper-operator', leaderElection, ...listeners },
    { failOnDenied: true },
  );
  setupZookeeperClusterController(manager, { connect: environment.network.connect });
  setupZookeeperBackupController(manager);
  return manager;
}

/** The operator under its own rights, with simulated members, in time that the test moves. */
export async function startOperator() {
  const zookeeper = new SimulatedZookeeper();
  const environment = await TestEnvironment.start({
    crds: ['config/crd/bases'],
    clock: 'virtual',
    workloads: { images: zookeeper.images },
  });
  await environment.install('config/rbac', { namespace: operator.namespace });
  const client = new Client(environment.config);
  const manager = await createOperator(await environment.as(operator), { environment });
  manager.start().catch(() => {}); // `ready` also rejects
  await manager.ready;
  return {
    environment,
    client,
    zookeeper,
    create: (name: string, spec: ZookeeperClusterSpec) =>
      client.create(ZookeeperCluster, clusterOf(name, spec)),
    change: (name: string, spec: Partial<ZookeeperClusterSpec>) =>
      client.patch(ZookeeperCluster, keyOf(name), { spec }),
    cluster: (name: string) => client.getOrThrow(ZookeeperCluster, keyOf(name)),
    /** What happens to the members in a time. */
    during: async (time: '1m' | '5m' | '10m', act: () => Promise<unknown>) => {
      const before = zookeeper.history.length;
      await act();
      await environment.advance(time);
      return zookeeper.history.slice(before);
    },
    [Symbol.asyncDispose]: async () => {
      await manager.stop();
      await client.close();
      await environment.stop();
    },
  };
}

export function keyOf(name: string) {
  return { name, namespace: 'default' };
}

export function clusterOf(name: string, spec: ZookeeperClusterSpec): ZookeeperCluster {
  return {
    apiVersion: 'zookeeper.example.com/v1',
    kind: 'ZookeeperCluster',
    metadata: keyOf(name),
    spec,
  };
}

/** The condition `Ready` in short, such as `True Ready`. */
export function readiness({ status }: DeepReadonly<ZookeeperCluster>, type = 'Ready'): string {
  const condition = findCondition(status?.conditions, type);
  return `${condition?.status} ${condition?.reason}`;
}
