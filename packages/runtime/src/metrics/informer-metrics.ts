import type { Kind } from 'ots-kubernetes';
import type { InformerObserver } from '../cache/informer-observer.ts';
import type { Clock } from 'ots-apimachinery/clock/clock';
import { projectionText } from '../objects/projection-of.ts';
import { LabelLimit } from './label-limit.ts';
import type { MetricSet } from './metric-set.ts';

const labelNames = ['group', 'version', 'kind', 'projection'] as const;

type Labels = Record<(typeof labelNames)[number], string>;

/** The values of one informer. */
interface Shown {
  readonly labels: Labels;
  objects: number;
  /** In milliseconds of the clock; undefined while there is nothing to watch. */
  heardAt: number | undefined;
}

/** Metrics that show whether the cache follows the cluster: they reveal silent watches and missing CRDs. */
export class InformerMetrics {
  readonly #clock: Clock;
  /** By labels. Read when metrics are collected, because some values change with every event. */
  readonly #shown = new Map<string, Shown>();
  readonly #synced;
  readonly #objects;
  readonly #age;
  readonly #restarts;
  readonly #relists;

  constructor(metrics: MetricSet, clock: Clock) {
    this.#clock = clock;
    this.#synced = metrics.gauge('informer_synced', '1 if all objects of the kind are cached', labelNames);
    this.#objects = metrics.gauge('informer_objects', 'Number of cached objects', labelNames, (gauge) => {
      for (const { labels, objects } of this.#shown.values()) gauge.set(labels, objects);
    });
    this.#restarts = metrics.counter(
      'informer_watch_restarts_total',
      'Total number of watches that ended early',
      [...labelNames, 'reason'],
    );
    this.#relists = metrics.counter('informer_relists_total', 'Total number of full relists', labelNames);
    this.#age = metrics.gauge(
      'informer_last_event_age_seconds',
      'Time since the API server last sent an event, a bookmark or a list',
      labelNames,
      (gauge) => {
        for (const { labels, heardAt } of this.#shown.values()) {
          if (heardAt !== undefined) gauge.set(labels, (this.#clock.now() - heardAt) / 1000);
        }
      },
    );
  }

  /**
   * Shows the informer with zeros. Its time since the last event starts now, so an informer that never hears anything
   * is visible.
   */
  observer(kind: Kind): InformerObserver {
    const projection = projectionText(kind) ?? 'full';
    const labels = { group: kind.group, version: kind.version, kind: kind.kind, projection };
    const key = JSON.stringify(labels);
    const shown: Shown = { labels, objects: 0, heardAt: this.#clock.now() };
    this.#shown.set(key, shown);
    const isShown = (): boolean => this.#shown.get(key) === shown;
    const reasons = new LabelLimit();
    this.#synced.set(labels, 0);
    this.#relists.inc(labels, 0);
    return {
      synced: (isSynced) => {
        if (isShown()) this.#synced.set(labels, isSynced ? 1 : 0);
      },
      objects: (count) => {
        shown.objects = count;
      },
      idle: () => {
        shown.heardAt = undefined;
        if (isShown()) this.#age.remove(labels);
      },
      heard: () => {
        shown.heardAt = this.#clock.now();
      },
      restarted: (reason) => this.#restarts.inc({ ...labels, reason: reasons.bound(reason) }),
      relisted: () => this.#relists.inc(labels),
      // An alert would mistake a watch that was closed for one that died.
      closed: () => {
        if (!isShown()) return;
        this.#shown.delete(key);
        for (const gauge of [this.#synced, this.#objects, this.#age]) gauge.remove(labels);
      },
    };
  }
}
