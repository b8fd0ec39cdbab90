// Copyright 2026 The etcd-operator authors
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
import { EtcdCluster, type EtcdClusterSpec } from '../src/api/v1/etcd-cluster.ts';
import { setupEtcdBackupController } from '../src/controllers/etcd-backup.controller.ts';
import { setupEtcdClusterController } from '../src/controllers/etcd-cluster.controller.ts';
import { SimulatedEtcd, transportTo } from './simulated-etcd.ts';

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
    { connection, logger, userAgent: 'etcd-operator', leaderElection, ...listeners },
    { failOnDenied: true },
  );
  setupEtcdClusterController(manager, { transport: transportTo(environment) });
  setupEtcdBackupController(manager);
  return manager;
}

/** The operator under its own rights, with simulated members, in time that the test moves. */
export async function startOperator() {
  const etcd = new SimulatedEtcd();
  const environment = await TestEnvironment.start({
    crds: ['config/crd/bases'],
    clock: 'virtual',
    workloads: { images: etcd.images, nodes: 3 },
  });
  await environment.install('config/rbac', { namespace: operator.namespace });
  const client = new Client(environment.config);
  const manager = await createOperator(await environment.as(operator), { environment });
  manager.start().catch(() => {}); // `ready` also rejects
  await manager.ready;
  return {
    environment,
    client,
    etcd,
    create: (name: string, spec: EtcdClusterSpec) =>
      client.create(EtcdCluster, clusterOf(name, spec)),
    cluster: (name: string) => client.getOrThrow(EtcdCluster, keyOf(name)),
    /** Sends a request to a cluster, as its users do. */
    ask: async (name: string, path: string, body: object) => {
      const url = `http://${name}-client.default.svc:2379${path}`;
      const response = await environment.network.fetch(url, {
        method: 'POST',
        body: JSON.stringify(body),
      });
      const answer: { kvs?: { value: string }[] } = JSON.parse(await response.text());
      return answer;
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

export function clusterOf(name: string, spec: EtcdClusterSpec): EtcdCluster {
  return { apiVersion: 'etcd.example.com/v1', kind: 'EtcdCluster', metadata: keyOf(name), spec };
}

/** The condition `Ready` in short, such as `True Ready`. */
export function readiness({ status }: DeepReadonly<EtcdCluster>, type = 'Ready'): string {
  const condition = findCondition(status?.conditions, type);
  return `${condition?.status} ${condition?.reason}`;
}
