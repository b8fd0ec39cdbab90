import type { Kind } from 'ots-kubernetes';
import type { Clock } from 'ots-apimachinery/clock/clock';
import { Controller } from '../controller/controller.ts';
import type { NewController } from '../controller/controller-host.ts';
import type { QueueSnapshot } from '../debugging/queue-snapshot.ts';
import type { Debugger } from '../debugging/registry.ts';
import { UsageError } from '../errors/usage-error.ts';
import type { Cache } from '../cache/cache.ts';
import type { ConnectionConfig } from '../kubeconfig/connection-config.ts';
import type { Logger } from '../logging/logger.ts';
import type { ManagerMetrics } from '../metrics/manager-metrics.ts';
import { ControllerShards } from '../sharding/controller-shards.ts';
import type { ShardMember } from '../sharding/shard-member.ts';
import type { ShardingOptions } from '../sharding/sharding-options.ts';
import type { Tracer } from '../tracing/tracer.ts';

export interface ControllersOptions {
  clock: Clock;
  networkClock: Clock;
  logger: Logger;
  metrics: ManagerMetrics | undefined;
  tracer: Tracer | undefined;
  /** Guards the writes of work that needs leadership; undefined without leader election. */
  fence: (() => void) | undefined;
  track: ConnectionConfig['track'];
  cache: Cache;
  /** Undefined without sharding. */
  sharding: (Pick<ShardingOptions, 'by' | 'divideCache'> & { member: ShardMember }) | undefined;
  /** Records all reconciles. */
  debugger: Debugger | undefined;
}

/** The controllers of a manager. Each has a unique name, by which metrics and logs identify it. */
export class Controllers {
  readonly #options: ControllersOptions;
  readonly #controllers = new Map<string, Controller>();

  constructor(options: ControllersOptions) {
    this.#options = options;
  }

  get names(): string[] {
    return [...this.#controllers.keys()];
  }

  /** How many reconciles have started. */
  get runs(): number {
    return [...this.#controllers.values()].reduce((sum, { runs }) => sum + runs, 0);
  }

  /** What the controllers are doing: one text per busy controller. */
  get busyWith(): string[] {
    return [...this.#controllers.values()].flatMap(({ busyWith }) => busyWith ?? []);
  }

  /** Whether a request waits for a worker. */
  get hasWaiting(): boolean {
    return [...this.#controllers.values()].some(({ waiting }) => waiting > 0);
  }

  /** What their queues have now. */
  inspect(): QueueSnapshot[] {
    return [...this.#controllers.values()].map((controller) => controller.inspect());
  }

  /** The reconcilers whose controllers watch a kind. */
  watching(group: string, plural: string): string[] {
    return [...this.#controllers.values()].flatMap((controller) =>
      controller.watches(group, plural) ? [controller.author] : [],
    );
  }

  /** @throws {UsageError} when the name is taken. */
  create({ primary, ...options }: NewController): Controller {
    const { clock, networkClock, logger, metrics, tracer, fence, track, debugger: own } = this.#options;
    if (this.#controllers.has(options.name)) {
      throw new UsageError(
        `Two controllers are named ${options.name}`,
        'Rename one of them with named: metrics and logs identify controllers by name.',
      );
    }
    if (this.#options.sharding?.divideCache && options.needsLeaderElection !== undefined) {
      throw new UsageError(
        `The controller ${options.name} is for all objects, and the replicas divide the cache`,
        'Leave out needsLeaderElection, or sharding.divideCache.',
      );
    }
    this.#divide(options.hasCluster ? undefined : primary);
    const controller = new Controller({
      ...options,
      kind: primary?.kind,
      clock,
      networkClock,
      logger,
      observe: metrics && ((name, workers, queue) => metrics.controller(name, workers, queue)),
      tracer,
      track,
      debugger: own,
      fence: options.needsLeaderElection === false ? undefined : fence,
      shards: options.needsLeaderElection === undefined ? this.#shardsOf(primary) : undefined,
    });
    this.#controllers.set(options.name, controller);
    return controller;
  }

  /** By namespace, all kinds are divided. */
  #divide(primary: Kind | undefined): void {
    const { sharding, cache } = this.#options;
    if (primary && sharding?.divideCache && sharding.by === 'uid') cache.divide(primary);
  }

  #shardsOf(primary: Kind | undefined): ControllerShards | undefined {
    const { sharding, cache } = this.#options;
    return sharding && new ControllerShards({ ...sharding, primary, cache });
  }
}
