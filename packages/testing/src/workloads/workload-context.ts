import type { Clock } from 'ots-apimachinery/clock/clock';
import type { Client, Manager } from 'ots-runtime';
import type { TestMetrics } from '../metrics/test-metrics.ts';
import type { EventSink } from './event-sink.ts';

/** What the components of a cluster know beside its objects, by component. Plain data. */
export type WorkloadMemory = ReadonlyMap<string, unknown>;

/** What the controllers of the workloads share. */
export interface WorkloadContext {
  /** Its cache has what they watch. Its own client is the administrator's: controllers write with {@link clientOf}. */
  readonly manager: Manager;
  readonly clock: Clock;
  /** A number in [0, 1). */
  readonly random: () => number;
  /** What autoscalers read. */
  readonly metrics: TestMetrics;
  /**
   * Makes what a component knows beside the objects part of snapshots.
   *
   * @param component its name, which no other has
   * @param current returns what it knows now, as plain data that does not change
   * @returns what it knew in the cluster that this one continues; undefined in a new cluster, and if it did not run there
   */
  recall<Memory>(component: string, current: () => Memory): Memory | undefined;
  /**
   * A client that reads from the cache of the manager and writes as the ServiceAccount of a controller, as in a cluster where
   * kube-controller-manager runs with `--use-service-account-credentials`.
   *
   * @param controller its ServiceAccount in kube-system, such as `deployment-controller`
   */
  clientOf(controller: string): Client;
  /**
   * Records events in the name of a controller.
   *
   * @param component the source of the events. Default: the controller.
   */
  eventsOf(controller: string, component?: string): EventSink;
}

/** Adds the controllers of one kind to the manager. */
export type AddController = (context: WorkloadContext) => void;
