import type { Kind } from 'ots-kubernetes';
import type { InformerObserver } from '../cache/informer-observer.ts';
import type { Clock } from '../clock/clock.ts';
import { isMetadataKind } from '../objects/metadata-of.ts';
import { LabelLimit } from './label-limit.ts';
import type { MetricSet } from './metric-set.ts';

const labelNames = ['group', 'version', 'kind', 'projection'] as const;

type Labels = Record<(typeof labelNames)[number], string>;

/** Whether the cache follows the cluster: what silent watches and missing CRDs are found by. */
export class InformerMetrics {
  readonly #clock: Clock;
  readonly #heard = new Map<string, { labels: Labels; at: number }>();
  readonly #synced;
  readonly #objects;
  readonly #age;
  readonly #restarts;
  readonly #relists;

  constructor(metrics: MetricSet, clock: Clock) {
    this.#clock = clock;
    this.#synced = metrics.gauge('informer_synced', '1 when all objects of the kind are cached', labelNames);
    this.#objects = metrics.gauge('informer_objects', 'Objects that are cached', labelNames);
    this.#restarts = metrics.counter(
      'informer_watch_restarts_total',
      'Watches that ended before their time',
      [...labelNames, 'reason'],
    );
    this.#relists = metrics.counter(
      'informer_relists_total',
      'Times that all objects were listed',
      labelNames,
    );
    this.#age = metrics.gauge(
      'informer_last_event_age_seconds',
      'Time since the API server last sent an event, a bookmark or a list',
      labelNames,
      (gauge) => {
        for (const { labels, at } of this.#heard.values()) gauge.set(labels, (this.#clock.now() - at) / 1000);
      },
    );
  }

  /** Shows the informer with zeros. It counts as heard from now on, so that one that never is stands out. */
  observer(kind: Kind): InformerObserver {
    const projection = isMetadataKind(kind) ? 'metadata' : 'full';
    const labels = { group: kind.group, version: kind.version, kind: kind.kind, projection };
    const key = JSON.stringify(labels);
    const heard = { labels, at: this.#clock.now() };
    this.#heard.set(key, heard);
    const isShown = (): boolean => this.#heard.get(key) === heard;
    const reasons = new LabelLimit();
    this.#synced.set(labels, 0);
    this.#objects.set(labels, 0);
    this.#relists.inc(labels, 0);
    return {
      synced: (isSynced) => {
        if (isShown()) this.#synced.set(labels, isSynced ? 1 : 0);
      },
      objects: (count) => {
        if (isShown()) this.#objects.set(labels, count);
      },
      heard: () => {
        heard.at = this.#clock.now();
      },
      restarted: (reason) => this.#restarts.inc({ ...labels, reason: reasons.bound(reason) }),
      relisted: () => this.#relists.inc(labels),
      // An alert would take what is not watched any more for a watch that died.
      closed: () => {
        if (!isShown()) return;
        this.#heard.delete(key);
        for (const gauge of [this.#synced, this.#objects, this.#age]) gauge.remove(labels);
      },
    };
  }
}
