import { isDeepStrictEqual } from 'node:util';
import { labelMatcher } from 'ots-apimachinery/selectors/label-matcher';
import { parseLabelSelector } from 'ots-apimachinery/selectors/parse-label-selector';
import { HorizontalPodAutoscaler, type MetricStatus } from 'ots-kubernetes/autoscaling/v2';
import { Pod } from 'ots-kubernetes/core/v1';
import {
  type Client,
  type DeepReadonly,
  type Reconciler,
  type Request,
  type Result,
  isApiError,
} from 'ots-runtime';
import type { EventSink } from '../event-sink.ts';
import type { CachedPod } from '../pods/pod-state.ts';
import type { WorkloadContext } from '../workload-context.ts';
import { syncPeriod } from './autoscaler-source.ts';
import { AutoscalerStatus } from './autoscaler-status.ts';
import { type CachedAutoscaler, type Evaluation, evaluateMetric } from './evaluate-metric.ts';
import { limitReplicas } from './limit-replicas.ts';
import { MetricError } from './metric-error.ts';
import { MetricsClient } from './metrics-client.ts';
import { type ScaleTarget, kindOf, scaleTarget } from './scale-target.ts';
import { ScalingHistory } from './scaling-history.ts';

const name = 'horizontal-pod-autoscaler';

/** How many replicas a target is to have, and why. */
interface Decision {
  readonly replicas: number;
  readonly reason: string;
  readonly isRescale: boolean;
}

/** What the metrics of an autoscaler ask for. */
interface Desire {
  readonly replicas: number;
  readonly metric: string;
}

/** Evaluates autoscalers, and scales their targets. */
export class AutoscalerReconciler implements Reconciler {
  readonly #context: WorkloadContext;
  readonly #client: Client;
  readonly #events: EventSink;
  readonly #metrics: MetricsClient;
  readonly #histories = new Map<string, ScalingHistory>();

  constructor(context: WorkloadContext) {
    this.#context = context;
    this.#client = context.clientOf(name);
    this.#events = context.eventsOf(name);
    this.#metrics = new MetricsClient(context.metrics);
  }

  async reconcile(request: Request): Promise<Result | void> {
    const { cache } = this.#context.manager;
    const key = `${request.namespace}/${request.name}`;
    const autoscaler = cache.get(HorizontalPodAutoscaler, request);
    if (!autoscaler) {
      this.#histories.delete(key);
      return;
    }
    const status = new AutoscalerStatus(autoscaler, this.#context.clock.epoch());
    await this.#scale(autoscaler, status, key);
    await this.#write(autoscaler, status);
    return { requeueAfter: syncPeriod };
  }

  async #scale(autoscaler: CachedAutoscaler, status: AutoscalerStatus, key: string): Promise<void> {
    const target = await this.#targetOf(autoscaler, status);
    if (!target) return;
    const now = this.#context.clock.now();
    const history = this.#histories.get(key) ?? new ScalingHistory(target.replicas, now);
    this.#histories.set(key, history);
    const decision = await this.#decide(autoscaler, { target, status, history });
    status.counted(target.replicas);
    if (!decision) return;
    const { replicas, reason, isRescale } = decision;
    if (!isRescale) return status.desired(target.replicas);
    try {
      await target.resize(replicas);
    } catch (error) {
      if (!isApiError(error)) throw error;
      const { message } = error;
      this.#warn(autoscaler, 'FailedRescale', `New size: ${replicas}; reason: ${reason}; error: ${message}`);
      status.set('AbleToScale', 'False', {
        reason: 'FailedUpdateScale',
        message: `the HPA controller was unable to update the target scale: ${message}`,
      });
      return;
    }
    status.rescaled(replicas);
    this.#events.record(
      autoscaler,
      'Normal',
      'SuccessfulRescale',
      `New size: ${replicas}; reason: ${reason}`,
    );
    const rules = autoscaler.spec.behavior?.[replicas > target.replicas ? 'scaleUp' : 'scaleDown'];
    const longest = 1000 * Math.max(0, ...(rules?.policies ?? []).map(({ periodSeconds }) => periodSeconds));
    history.changed(target.replicas, replicas, { longest, now });
  }

  async #targetOf(autoscaler: CachedAutoscaler, status: AutoscalerStatus): Promise<ScaleTarget | undefined> {
    const reference = autoscaler.spec.scaleTargetRef;
    const key = { name: reference.name, namespace: autoscaler.metadata.namespace };
    try {
      const target = await scaleTarget(this.#client, this.#context.manager.mapper, reference, key);
      const message = "the HPA controller was able to get the target's current scale";
      status.set('AbleToScale', 'True', { reason: 'SucceededGetScale', message });
      return target;
    } catch (error) {
      const { message } = error as Error;
      this.#warn(autoscaler, 'FailedGetScale', message);
      status.set('AbleToScale', 'False', {
        reason: 'FailedGetScale',
        message: `the HPA controller was unable to get the target's current scale: ${message}`,
      });
      return undefined;
    }
  }

  /** @returns undefined if the metrics do not say it */
  async #decide(
    autoscaler: CachedAutoscaler,
    { target, status, history }: { target: ScaleTarget; status: AutoscalerStatus; history: ScalingHistory },
  ): Promise<Decision | undefined> {
    const { minReplicas = 1, maxReplicas } = autoscaler.spec;
    const current = target.replicas;
    if (current === 0) {
      const message = 'scaling is disabled since the replica count of the target is zero';
      status.set('ScalingActive', 'False', { reason: 'ScalingDisabled', message });
      return { replicas: 0, reason: '', isRescale: false };
    }
    if (current > maxReplicas)
      return {
        replicas: maxReplicas,
        reason: 'Current number of replicas above Spec.MaxReplicas',
        isRescale: true,
      };
    if (current < minReplicas)
      return {
        replicas: minReplicas,
        reason: 'Current number of replicas below Spec.MinReplicas',
        isRescale: true,
      };
    const desire = await this.#desireOf(autoscaler, target, status);
    if (!desire) return undefined;
    const now = this.#context.clock.now();
    const desired = desire.replicas;
    const limited = limitReplicas(autoscaler, { current, desired, min: minReplicas, now }, history);
    status.set('AbleToScale', 'True', limited.able);
    status.set('ScalingLimited', limited.isLimited ? 'True' : 'False', limited.limit);
    const above = desired > current ? `${desire.metric} above target` : '';
    const reason = desired < current ? 'All metrics below target' : above;
    return { replicas: limited.replicas, reason, isRescale: limited.replicas !== current };
  }

  /** @returns undefined if too few metrics can be read */
  async #desireOf(
    autoscaler: CachedAutoscaler,
    target: ScaleTarget,
    status: AutoscalerStatus,
  ): Promise<Desire | undefined> {
    const pods = this.#podsOf(autoscaler, target, status);
    if (typeof pods === 'string') {
      this.#warn(autoscaler, 'FailedComputeMetricsReplicas', pods);
      return undefined;
    }
    const evaluation: Evaluation = {
      autoscaler,
      pods,
      specReplicas: target.replicas,
      statusReplicas: target.currentReplicas,
      metrics: this.#metrics,
      resourceOf: async (object) => {
        const { plural, group } = await kindOf(this.#context.manager.mapper, object);
        return group === '' ? plural : `${plural}.${group}`;
      },
      now: this.#context.clock.epoch(),
    };
    const specs = autoscaler.spec.metrics ?? [];
    const errors: MetricError[] = [];
    const statuses: DeepReadonly<MetricStatus>[] = [];
    let desire: Desire | undefined;
    for (const spec of specs) {
      try {
        const { replicas, name: metric, status: metricStatus } = await evaluateMetric(spec, evaluation);
        statuses.push(metricStatus);
        if (!desire || replicas > desire.replicas) desire = { replicas, metric };
      } catch (error) {
        if (!(error instanceof MetricError)) throw error;
        statuses.push({ type: '' });
        errors.push(error);
        this.#warn(autoscaler, error.reason, error.message);
      }
    }
    status.measured(statuses);
    const [first] = errors;
    if (first && (!desire || desire.replicas < target.replicas)) {
      const { reason } = first;
      const message = `the HPA was unable to compute the replica count: ${first.message}`;
      status.set('ScalingActive', 'False', { reason, message });
      const count = `${errors.length} invalid out of ${specs.length}`;
      const summary = `invalid metrics (${count}), first error is: ${first.summary}`;
      this.#warn(autoscaler, 'FailedComputeMetricsReplicas', summary);
      return undefined;
    }
    status.set('ScalingActive', 'True', {
      reason: 'ValidMetricFound',
      message: `the HPA was able to successfully calculate a replica count from ${desire?.metric}`,
    });
    return desire;
  }

  /** The pods of the target. @returns why it is not known which they are, if it is not */
  #podsOf(
    autoscaler: CachedAutoscaler,
    { selector }: ScaleTarget,
    status: AutoscalerStatus,
  ): CachedPod[] | string {
    if (selector === '') {
      const problem = 'selector is required';
      this.#warn(autoscaler, 'SelectorRequired', problem);
      const message = "the HPA target's scale is missing a selector";
      status.set('ScalingActive', 'False', { reason: 'InvalidSelector', message });
      return problem;
    }
    const selects = labelMatcher(parseLabelSelector(selector));
    const { namespace } = autoscaler.metadata;
    const pods = this.#context.manager.cache.list(Pod, { namespace });
    return pods.filter(({ metadata }) => selects(metadata.labels));
  }

  #warn(autoscaler: CachedAutoscaler, reason: string, message: string): void {
    this.#events.record(autoscaler, 'Warning', reason, message);
  }

  async #write(autoscaler: CachedAutoscaler, { content }: AutoscalerStatus): Promise<void> {
    if (isDeepStrictEqual(autoscaler.status, content)) return;
    try {
      await this.#client.status.update(HorizontalPodAutoscaler, { ...autoscaler, status: content });
    } catch (error) {
      if (!isApiError(error)) throw error;
      this.#warn(autoscaler, 'FailedUpdateStatus', error.message);
    }
  }
}
