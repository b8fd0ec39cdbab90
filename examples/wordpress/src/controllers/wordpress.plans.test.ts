// Copyright 2026 The wordpress-operator authors
// SPDX-License-Identifier: Apache-2.0

import { TestEnvironment, type Images } from 'ots-testing';
import { Job } from 'ots-kubernetes/batch/v1';
import { Secret } from 'ots-kubernetes/core/v1';
import {
  Client,
  createLogger,
  type DeepReadonly,
  findCondition,
  keyOf,
  Manager,
} from 'ots-runtime';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type Plans, type Run, Wordpress } from '../api/v1alpha1/wordpress.ts';
import { setupWordpressController } from './wordpress.controller.ts';

const logger = createLogger({ level: 'silent' });
const listeners = { health: false, metrics: false, webhooks: false } as const;
const key = { namespace: 'default', name: 'blog' };

/** What runs instead of the images: a database with one text, backups of it, and web servers. */
class SimulatedSite {
  database = 'empty';
  readonly backups = new Map<string, string>();
  readonly web = new Set<string>();
  /** What Jobs did, in order, and how many web servers ran then. */
  readonly log: string[] = [];

  readonly images: Images = {
    'wordpress:*': ({ pod, image }) => {
      const server = `${image} ${pod.metadata.name}`;
      this.web.add(server);
      return { terminate: () => void this.web.delete(server) };
    },
    'mariadb:*': ({ name, env }) => (name === 'mariadb' ? {} : this.#run(name, env['BACKUP']!)),
    'curlimages/curl:*': ({ name }) => this.#run(name, ''),
  };

  #run(name: string, backup: string): { exitAfter: '10s'; exitCode: number } {
    this.log.push(`${name} with ${this.web.size} web servers`);
    if (name === 'dump-database') this.backups.set(backup, this.database);
    if (name === 'load-database') this.database = this.backups.get(backup)!;
    return { exitAfter: '10s', exitCode: name === 'find' && !this.backups.has(backup) ? 1 : 0 };
  }
}

let simulated: SimulatedSite;
let environment: TestEnvironment;
let client: Client;
let manager: Manager;

/** A site that is deployed. */
beforeEach(async () => {
  simulated = new SimulatedSite();
  environment = await TestEnvironment.start({
    clock: 'virtual',
    crds: ['config/crd/bases'],
    workloads: { images: simulated.images },
  });
  client = new Client(environment.config);
  manager = await Manager.create({ connection: environment.config, logger, ...listeners });
  setupWordpressController(manager);
  manager.start().catch(() => {}); // `ready` also rejects
  await manager.ready;
  const metadata = { namespace: key.namespace, name: 'password' };
  await client.create(Secret, {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata,
    stringData: { password: 'secret' },
  });
  await client.create(Wordpress, {
    apiVersion: 'apps.example.com/v1alpha1',
    kind: 'Wordpress',
    metadata: key,
    spec: { version: '6.5', replicas: 2, databaseSecret: 'password' },
  });
  await environment.advance('1m');
});

afterEach(async () => {
  await manager.stop();
  await client.close();
  await environment.stop();
});

async function run(request: Run): Promise<void> {
  await client.patch(Wordpress, key, { spec: { run: null } });
  await client.patch(Wordpress, key, { spec: { run: request } });
  await environment.advance('5m');
}

async function status(): Promise<DeepReadonly<NonNullable<Wordpress['status']>>> {
  return (await client.get(Wordpress, key))!.status!;
}

async function condition(type: string): Promise<unknown> {
  return findCondition((await status()).conditions, type);
}

async function phaseOf(plan: keyof Plans): Promise<string | undefined> {
  return (await status()).plans?.[plan]?.phase;
}

test('deploy starts the database, then the web servers, then checks the site', async () => {
  expect((await status()).plans?.deploy).toEqual({
    revision: '6.5',
    phase: 'Complete',
    steps: ['database/start', 'web/start', 'web/check'].map((name) => ({
      name,
      state: 'Complete',
    })),
  });
  expect(simulated.log).toEqual(['check with 2 web servers']);
  expect(await condition('Ready')).toMatchObject({ status: 'True' });
  expect(await condition('Progressing')).toMatchObject({ status: 'False', reason: 'Complete' });
});

test('restore stops the web servers while it replaces the data, and runs once', async () => {
  simulated.database = 'a post';
  await run({ plan: 'backup', id: 'monday' });
  expect(await phaseOf('backup')).toBe('Complete');
  simulated.database = 'nonsense';
  simulated.log.length = 0;

  await run({ plan: 'restore', id: 'undo', backup: 'monday' });
  expect(await phaseOf('restore')).toBe('Complete');
  expect(simulated.database).toBe('a post');
  expect(simulated.log.toSorted()).toEqual([
    'find with 2 web servers',
    'load-database with 0 web servers',
    'unpack-uploads with 0 web servers',
  ]);
  expect(simulated.web.size).toBe(2);
  expect(await condition('Ready')).toMatchObject({ status: 'True' });

  simulated.database = 'another post';
  await run({ plan: 'restore', id: 'undo', backup: 'monday' });
  expect(simulated.database).toBe('another post');
  await run({ plan: 'restore', id: 'undo-again', backup: 'monday' });
  expect(simulated.database).toBe('a post');
});

test('restore of a backup that does not exist leaves the site alone, until its Job is deleted', async () => {
  await run({ plan: 'restore', id: 'undo', backup: 'sunday' });
  expect(await phaseOf('restore')).toBe('Failed');
  expect(await condition('Progressing')).toMatchObject({
    status: 'False',
    reason: 'RestoreFailed',
    message: expect.stringMatching(/^backup\/find is Failed: Job blog-.* failed: /),
  });
  expect(await condition('Ready')).toMatchObject({ status: 'True' });

  simulated.backups.set('/backups/sunday', 'an old post');
  const { items } = await client.list(Job, { labelSelector: 'apps.example.com/run=restore-undo' });
  await client.delete(Job, keyOf(items[0]!), { propagationPolicy: 'Background' });
  await environment.advance('5m');
  expect([await phaseOf('restore'), simulated.database]).toEqual(['Complete', 'an old post']);
});

test('update makes a backup first; a version that does not exist is replaced by one that does', async () => {
  simulated.database = 'a post';
  simulated.log.length = 0;
  environment.failures.add({ image: 'wordpress:6.66' }, { imagePull: 'not found' });
  await client.patch(Wordpress, key, { spec: { version: '6.66' } });
  await environment.advance('30m');
  expect(simulated.backups.get('/backups/before-6.66')).toBe('a post');
  expect(await condition('Progressing')).toMatchObject({
    status: 'True',
    reason: 'Update',
    message: 'web/replace is Running',
  });
  // The old web servers serve the site.
  expect([...simulated.web].map((server) => server.split(' ')[0])).toEqual([
    'wordpress:6.5',
    'wordpress:6.5',
  ]);

  await client.patch(Wordpress, key, { spec: { version: '6.6' } });
  await environment.advance('10m');
  expect(await status()).toMatchObject({
    version: '6.6',
    plans: { update: { revision: '6.6', phase: 'Complete' } },
  });
  expect([...simulated.web].map((server) => server.split(' ')[0])).toEqual([
    'wordpress:6.6',
    'wordpress:6.6',
  ]);
  expect(simulated.log.at(-1)).toBe('migrate with 2 web servers');
});
