import type { Clock } from 'ots-apimachinery/clock/clock';
import type { Client, Manager } from 'ots-runtime';
import type { TestMetrics } from '../metrics/test-metrics.ts';
import type { EventSink } from './event-sink.ts';

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
