// Copyright 2026 The job-watcher authors
// SPDX-License-Identifier: Apache-2.0

import { type ConnectionConfig, createLogger, Manager } from 'ots-runtime';
import type { TestEnvironment } from 'ots-testing';
import { setupControllers } from '../../src/controllers/index.ts';
import { setupWebhooks } from '../../src/webhooks/index.ts';

/** Who the operator is in a cluster, as config/rbac says it. */
export const operator = { serviceAccount: 'controller-manager', namespace: 'system' };

/** Installs what the operator needs, as `config/default` does. */
export async function prepare(environment: TestEnvironment): Promise<void> {
  await environment.install('config/rbac', { namespace: operator.namespace });
  await environment.install('config/webhook/manifests.yaml');
}

/** Creates the operator as `main.ts` does. It is not started. A right that it lacks fails it. */
export async function createOperator(connection: ConnectionConfig): Promise<Manager> {
  const manager = await Manager.create(
    {
      connection,
      userAgent: 'job-watcher',
      logger: createLogger({ level: 'fatal' }),
      health: false,
      metrics: false,
    },
    { failOnDenied: true },
  );
  setupControllers(manager);
  setupWebhooks(manager);
  return manager;
}

/** Creates and starts the operator under its own rights. */
export async function startOperator(environment: TestEnvironment): Promise<Manager> {
  await prepare(environment);
  const manager = await createOperator(await environment.as(operator));
  manager.start().catch(() => {}); // `ready` and `idle` reject, too.
  await manager.ready;
  return manager;
}
