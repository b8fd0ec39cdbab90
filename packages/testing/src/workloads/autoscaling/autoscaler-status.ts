import type {
  HorizontalPodAutoscalerCondition,
  HorizontalPodAutoscalerStatus,
  MetricStatus,
} from 'ots-kubernetes/autoscaling/v2';
import { type DeepReadonly, findCondition } from 'ots-runtime';
import { timeText } from '../time-text.ts';
import type { CachedAutoscaler } from './evaluate-metric.ts';
import type { Because } from './limit-replicas.ts';

/** The status of an autoscaler while it is evaluated. */
export class AutoscalerStatus {
  readonly #now: string;
  #content: DeepReadonly<HorizontalPodAutoscalerStatus>;
  #measured: readonly DeepReadonly<MetricStatus>[] | undefined;

  /** @param now in milliseconds since 1970 */
  constructor({ status }: CachedAutoscaler, now: number) {
    this.#now = timeText(now);
    this.#content = status ?? { desiredReplicas: 0 };
  }

  get content(): DeepReadonly<HorizontalPodAutoscalerStatus> {
    return this.#content;
  }

  /** Sets a condition. */
  set(type: string, status: 'True' | 'False', because: Because): void {
    const { conditions = [] } = this.#content;
    const before = findCondition(conditions, type);
    const lastTransitionTime = before?.status === status ? before.lastTransitionTime! : this.#now;
    const condition: HorizontalPodAutoscalerCondition = { type, status, lastTransitionTime, ...because };
    const isSame = ({ type: other }: { type: string }): boolean => other === type;
    this.#content = {
      ...this.#content,
      conditions: before
        ? conditions.map((other) => (isSame(other) ? condition : other))
        : [...conditions, condition],
    };
  }

  /** What the target has now, and the metrics that were read. */
  counted(currentReplicas: number): void {
    const { currentReplicas: _before, currentMetrics: _old, ...rest } = this.#content;
    this.#content = {
      ...rest,
      ...(currentReplicas > 0 && { currentReplicas }),
      ...(this.#measured && { currentMetrics: this.#measured }),
    };
  }

  /** What was read. */
  measured(metrics: readonly DeepReadonly<MetricStatus>[]): void {
    this.#measured = metrics;
  }

  desired(desiredReplicas: number): void {
    this.#content = { ...this.#content, desiredReplicas };
  }

  rescaled(desiredReplicas: number): void {
    const message = `the HPA controller was able to update the target scale to ${desiredReplicas}`;
    this.set('AbleToScale', 'True', { reason: 'SucceededRescale', message });
    this.#content = { ...this.#content, desiredReplicas, lastScaleTime: this.#now };
  }
}
