// Copyright 2026 The static-site authors
// SPDX-License-Identifier: Apache-2.0

import { Service } from 'ots-kubernetes/core/v1';
import { ClusterRole } from 'ots-kubernetes/rbac/v1';
import { AccessDeniedError, Client, createLogger, Manager } from 'ots-runtime';
import { readManifest, TestEnvironment } from 'ots-testing';
import { expect, test } from 'vitest';
import { StaticSite } from '../api/v1alpha1/static-site.ts';
import { setupStaticSiteController } from './static-site.controller.ts';

const logger = createLogger({ level: 'silent' });
const listeners = { health: false, metrics: false, webhooks: false } as const;
const operator = { serviceAccount: 'controller-manager', namespace: 'system' };
const key = { namespace: 'default', name: 'hello' };

/** What the operator does in its life. @returns why it ended, undefined if it did not */
async function endOf(environment: TestEnvironment, client: Client): Promise<unknown> {
  let end: unknown;
  const connection = await environment.as(operator);
  const manager = await Manager.create(
    { connection, logger, ...listeners },
    { failOnDenied: true },
  );
  setupStaticSiteController(manager);
  const running = manager.start().catch((error: unknown) => (end = error));
  const steps = [
    // The Service of another owner, with an event that is repeated.
    () =>
      client.create(Service, {
        apiVersion: 'v1',
        kind: 'Service',
        metadata: key,
        spec: { ports: [{ port: 8000 }] },
      }),
    () =>
      client.create(StaticSite, {
        apiVersion: 'web.example.com/v1alpha1',
        kind: 'StaticSite',
        metadata: key,
        spec: { pages: { 'index.html': 'Hello' }, image: 'nginx:1', hosts: ['hello.example.com'] },
      }),
    () => client.delete(Service, key),
    () =>
      client.patch(StaticSite, key, { spec: { pages: { 'index.html': 'Goodbye' }, hosts: null } }),
  ];
  await environment.settle();
  for (const step of steps) {
    if (end !== undefined) return end;
    await step();
    await environment.advance('1m');
  }
  const stopped = manager.stop();
  await environment.advance('1m');
  await Promise.all([stopped, running]);
  return end;
}

test('the operator needs every right that it has', async () => {
  const role = await readManifest(ClusterRole, 'config/rbac/role.yaml');
  await using environment = await TestEnvironment.start({
    crds: ['config/crd/bases'],
    clock: 'virtual',
    workloads: true,
  });
  await environment.install('config/rbac', { namespace: operator.namespace });
  await using client = new Client(environment.config);
  const start = environment.snapshot();
  expect(await endOf(environment, client)).toBeUndefined();

  for (const [index, rule] of role.rules!.entries()) {
    for (const verb of rule.verbs) {
      await environment.restore(start);
      const verbs = rule.verbs.filter((each) => each !== verb);
      const rules = role
        .rules!.with(index, { ...rule, verbs })
        .filter((each) => each.verbs.length > 0);
      await client.patch(ClusterRole, { name: role.metadata.name! }, { rules });
      const end = await endOf(environment, client);
      const right = `cannot ${verb} resource "${rule.resources!.join()}"`;
      expect.soft(end, right).toBeInstanceOf(AccessDeniedError);
      expect.soft(String(end)).toContain(right);
    }
  }
}, 300_000);
