// Copyright 2026 The custom-image-deploy authors
// SPDX-License-Identifier: Apache-2.0

import { Deployment } from 'ots-kubernetes/apps/v1';
import { Service } from 'ots-kubernetes/core/v1';
import { Ingress } from 'ots-kubernetes/networking/v1';
import { type ConnectionConfig, createLogger, type Kind, Manager } from 'ots-runtime';
import type { TestEnvironment } from 'ots-testing';
import type {
  CustomImageDeploy,
  CustomImageDeploySpec,
} from '../../src/api/v1/custom-image-deploy.ts';
import { setupControllers } from '../../src/controllers/index.ts';

/** Who the operator is in a cluster, as config/rbac says it. */
export const operator = { serviceAccount: 'controller-manager', namespace: 'system' };

/** The name of the object under test, and of its children. */
export const key = { namespace: 'default', name: 'web' };

/** The kinds of its children. */
export const children: readonly Kind[] = [Ingress, Service, Deployment];

export function webWith(spec: Partial<CustomImageDeploySpec> = {}): CustomImageDeploy {
  return {
    apiVersion: 'customimagedeploy.example.com/v1',
    kind: 'CustomImageDeploy',
    metadata: key,
    spec: { image: 'nginx:1.17', size: 2, port: 8080, ...spec },
  };
}

/** Gives the operator the rights that it has in a cluster. */
export async function prepare(environment: TestEnvironment): Promise<void> {
  await environment.install('config/rbac', { namespace: operator.namespace });
}

/** Creates the operator as `main.ts` does. It is not started. A right that it lacks fails it. */
export async function createOperator(connection: ConnectionConfig): Promise<Manager> {
  const manager = await Manager.create(
    {
      connection,
      userAgent: 'custom-image-deploy',
      logger: createLogger({ level: 'fatal' }),
      health: false,
      metrics: false,
      webhooks: false,
    },
    { failOnDenied: true },
  );
  setupControllers(manager);
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
