import type { Kind } from 'ots-kubernetes';
import type { InformerObserver } from '../cache/informer-observer.ts';
import type { CertificateObserver } from '../certificates/certificate-observer.ts';
import { type Clock, systemClock } from 'ots-apimachinery/clock/clock';
import type { ReconcileObserver } from '../controller/reconcile-observer.ts';
import type { EventObserver } from '../events/event-observer.ts';
import type { ElectionObserver } from '../leader-election/leader-elector.ts';
import type { Logger } from '../logging/logger.ts';
import type { QueueObserver } from '../queue/queue-observer.ts';
import type { ShardingObserver } from '../sharding/shard-member.ts';
import type { TransportObserver } from '../transport/transport-options.ts';
import type { WebhookObserver } from '../webhook/webhook-observer.ts';
import { CertificateMetrics } from './certificate-metrics.ts';
import { type ClusterCounts, ClusterMetrics } from './cluster-metrics.ts';
import { ControllerMetrics } from './controller-metrics.ts';
import { ElectionMetrics } from './election-metrics.ts';
import { EventMetrics } from './event-metrics.ts';
import { InformerMetrics } from './informer-metrics.ts';
import { MemoryGuard } from './memory-guard.ts';
import { MetricSet } from './metric-set.ts';
import { NodejsMetrics } from './nodejs-metrics.ts';
import { addProcessMetrics } from './process-metrics.ts';
import { QueueMetrics, type QueueState } from './queue-metrics.ts';
import { ShardingMetrics } from './sharding-metrics.ts';
import { TransportMetrics } from './transport-metrics.ts';
import { WebhookMetrics } from './webhook-metrics.ts';

/** Runs as long as the manager does. */
export interface Monitor {
  readonly needsLeaderElection: false;
  start(signal: AbortSignal): Promise<void>;
}

export interface ManagerMetricsOptions {
  /** The system's by default. */
  clock?: Clock | undefined;
}

/**
 * The metrics of one manager, with the names and labels of controller-runtime: existing dashboards and alerts work.
 * Operators add their own with `counter`, `gauge` and `histogram`. Imported only when metrics are served.
 */
export class ManagerMetrics extends MetricSet {
  readonly #transport: TransportMetrics;
  readonly #informers: InformerMetrics;
  readonly #controllers: ControllerMetrics;
  readonly #queues: QueueMetrics;
  readonly #election: ElectionMetrics;
  readonly #sharding: ShardingMetrics;
  readonly #webhooks: WebhookMetrics;
  readonly #certificates: CertificateMetrics;
  readonly #events: EventMetrics;
  readonly #clusters: ClusterMetrics;
  readonly #nodejs: NodejsMetrics;
  readonly #memory: MemoryGuard;

  constructor({ clock = systemClock }: ManagerMetricsOptions = {}) {
    super();
    this.#transport = new TransportMetrics(this);
    this.#informers = new InformerMetrics(this, clock);
    this.#controllers = new ControllerMetrics(this);
    this.#queues = new QueueMetrics(this);
    this.#election = new ElectionMetrics(this);
    this.#sharding = new ShardingMetrics(this);
    this.#webhooks = new WebhookMetrics(this);
    this.#certificates = new CertificateMetrics(this);
    this.#events = new EventMetrics(this);
    this.#clusters = new ClusterMetrics(this);
    this.#nodejs = new NodejsMetrics(this);
    this.#memory = new MemoryGuard(this, clock);
    addProcessMetrics(this);
  }

  /** For the transport to the API server. */
  transport(): TransportObserver {
    return this.#transport.observer();
  }

  /** For the informer of a kind, whose metrics are shown from now on. */
  informer(kind: Kind): InformerObserver {
    return this.#informers.observer(kind);
  }

  /**
   * For a controller and its queue, whose metrics are shown from now on.
   * @param workers its `maxConcurrentReconciles`.
   * @param queue called when metrics are collected.
   */
  controller(
    name: string,
    workers: number,
    queue: () => QueueState,
  ): { queue: QueueObserver; reconcile: ReconcileObserver } {
    return {
      queue: this.#queues.observer(name, queue),
      reconcile: this.#controllers.observer(name, workers),
    };
  }

  /** For leader election. */
  election(): ElectionObserver {
    return this.#election.observer();
  }

  /**
   * For sharding.
   * @param name the prefix of the Leases.
   */
  sharding(name: string): ShardingObserver {
    return this.#sharding.observer(name);
  }

  /** For the webhook at a path, whose metrics are shown from now on. */
  webhook(path: string): WebhookObserver {
    return this.#webhooks.observer(path);
  }

  /** For the certificate of one server. */
  certificates(): CertificateObserver {
    return this.#certificates.observer();
  }

  /**
   * For the clusters besides the manager's own.
   * @param counts called when metrics are collected.
   */
  clusters(counts: () => ClusterCounts): void {
    this.#clusters.observe(counts);
  }

  /** For event recorders. */
  events(): EventObserver {
    return this.#events.observer();
  }

  /**
   * Measures continuously: the lag of the event loop, pauses for garbage collection, and whether memory runs out, which
   * it logs. For the manager, which runs it on every replica.
   */
  monitor(logger: Logger): Monitor {
    return {
      needsLeaderElection: false,
      start: async (signal) => {
        const stop = this.#nodejs.start();
        try {
          await this.#memory.watch(logger, signal);
        } finally {
          stop();
        }
      },
    };
  }
}
