// Copyright 2026 The job-watcher authors
// SPDX-License-Identifier: Apache-2.0

import { Job } from 'ots-kubernetes/batch/v1';
import { Client, type DeepReadonly, type Manager } from 'ots-runtime';
import { TestEnvironment } from 'ots-testing';
import { JobWatcher, type JobWatcherSpec } from '../../src/api/v1/job-watcher.ts';
import { images, watcherOf } from './objects.ts';
import { operator, startOperator } from './operator.ts';

/** A cluster with the operator, whose time stands still at 2026-01-01T00:00:00Z until the test moves it. */
export class VirtualCluster implements AsyncDisposable {
  readonly environment: TestEnvironment;
  readonly client: Client;
  readonly #manager: Manager;

  private constructor(environment: TestEnvironment, manager: Manager) {
    this.environment = environment;
    this.client = new Client(environment.config);
    this.#manager = manager;
  }

  static async start(): Promise<VirtualCluster> {
    const environment = await TestEnvironment.start({
      crds: ['config/crd/bases'],
      clock: 'virtual',
      workloads: { images },
      recordRequests: true,
    });
    return new VirtualCluster(environment, await startOperator(environment));
  }

  /** Creates a JobWatcher of all Jobs of its namespace, which checks every hour. */
  async watch(spec: Partial<JobWatcherSpec> = {}, name = 'watcher'): Promise<void> {
    const all = { jobNamePatterns: ['.*'], frequency: 3600, ...spec };
    await this.client.create(JobWatcher, watcherOf(name, all));
    await this.environment.settle();
  }

  async run(...jobs: readonly Job[]): Promise<void> {
    for (const job of jobs) await this.client.create(Job, job);
    await this.environment.settle();
  }

  /** The names of the Jobs that exist. */
  async jobs(): Promise<string[]> {
    const { items } = await this.client.list(Job);
    return items.map(({ metadata }) => metadata.name!).toSorted();
  }

  /** The status of a Job. */
  async job(name: string): Promise<DeepReadonly<Job>['status']> {
    const { status } = await this.client.getOrThrow(Job, { namespace: 'default', name });
    return status;
  }

  async status(name = 'watcher'): Promise<DeepReadonly<JobWatcher>['status']> {
    const watcher = await this.client.getOrThrow(JobWatcher, { namespace: 'default', name });
    return watcher.status;
  }

  /** What the operator has written since the last call. */
  async writes(): Promise<string[]> {
    const requests = await this.environment.requests.by(operator);
    await this.environment.requests.clear();
    return requests
      .filter(({ verb }) => verb === 'patch' || verb === 'delete')
      .map(({ verb, resource, name }) => `${verb} ${resource} ${name}`);
  }

  /** Moves time to a moment of the first day, such as `00:01:30`. */
  async advanceTo(time: string): Promise<void> {
    const now = this.environment.config.clock!.epoch();
    await this.environment.advance(Date.parse(`2026-01-01T${time}Z`) - now);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#manager.stop();
    await this.client.close();
    await this.environment.stop();
  }
}
