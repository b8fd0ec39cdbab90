import { labelMatcher } from 'ots-apimachinery/selectors/label-matcher';
import { selectorRequirements } from 'ots-apimachinery/selectors/selector-requirements';
import {
  type Client,
  type DeepReadonly,
  type Reconciler,
  type Request,
  type Result,
  controllerOf,
} from 'ots-runtime';
import { Job, type JobCondition, type JobStatus } from 'ots-kubernetes/batch/v1';
import { Pod } from 'ots-kubernetes/core/v1';
import type { EventSink } from '../event-sink.ts';
import { attemptAll } from '../pods/attempt-all.ts';
import { claim } from '../pods/claim.ts';
import { controlledBy, orphansBeside } from '../pods/controlled.ts';
import { PodControl } from '../pods/pod-control.ts';
import type { CachedPod } from '../pods/pod-state.ts';
import { timeText } from '../time-text.ts';
import { withoutZeros } from '../without-zeros.ts';
import type { WorkloadContext } from '../workload-context.ts';
import { type Backoff, noBackoff } from './backoff.ts';
import { conditionOf, withCondition } from './job-conditions.ts';
import {
  type CachedJob,
  isFinished,
  isManagedElsewhere,
  isSuspended,
  isTracked,
  trackingFinalizer,
} from './job-facts.ts';
import { type JobView, viewJob } from './job-view.ts';
import { type JobPods, type Scaled, endPods, readyOf, scaleJob, untrack } from './scale-job.ts';
import { trackJob } from './track-job.ts';
import { type Verdict, completionsReached, judge, untilDeadline } from './verdict.ts';

const name = 'job-controller';

/** Runs the pods of a job until enough have succeeded or too many have failed. */
export class JobReconciler implements Reconciler {
  readonly #context: WorkloadContext;
  readonly #client: Client;
  readonly #events: EventSink;
  readonly #tools: JobPods;
  /** By the uid of the job. */
  readonly #backoffs = new Map<string, Backoff>();

  constructor(context: WorkloadContext) {
    this.#context = context;
    this.#client = context.clientOf(name);
    this.#events = context.eventsOf(name);
    const pods = new PodControl(this.#client, this.#events);
    this.#tools = { client: this.#client, pods, clock: context.clock };
  }

  async reconcile(request: Request): Promise<Result | void> {
    const key = { name: request.name, namespace: request.namespace };
    const job = this.#context.manager.cache.get(Job, key);
    if (job && isManagedElsewhere(job)) return;
    if (job && !isFinished(job)) return this.#sync(job);
    if (job) this.#backoffs.delete(job.metadata.uid!);
    await this.#letGo(request);
  }

  /** Pods whose job is gone or has ended need not wait to be counted. */
  async #letGo({ name: job, namespace }: Request): Promise<void> {
    const labelSelector = { matchLabels: { 'batch.kubernetes.io/job-name': job } };
    const pods = this.#context.manager.cache.list(Pod, { namespace, labelSelector }).filter((pod) => {
      const owner = controllerOf(pod);
      return isTracked(pod) && (!owner || (owner.kind === 'Job' && owner.name === job));
    });
    await attemptAll(pods, (pod) => untrack(this.#client, pod));
  }

  async #sync(job: CachedJob): Promise<Result> {
    const { clock } = this.#context;
    const now = clock.epoch();
    const uid = job.metadata.uid!;
    const view = viewJob(job, await this.#claim(job), this.#backoffs.get(uid) ?? noBackoff);
    const judged = judge(view, now);
    const scaled = await this.#scale(view, judged);
    const started = startOf(job, now);
    const { verdict, status } = this.#decide(view, judged, scaled, started);
    const noted = () => this.#backoffs.set(uid, view.backoff);
    const tracked = await trackJob({ client: this.#client, clock, noted }, { view, verdict, status });
    if (tracked.end) this.#reportEnd(tracked.job, tracked.end);
    if (scaled.failure) throw scaled.failure;
    const waits = [scaled.wait, judged ? undefined : untilDeadline(view, now)].filter(
      (wait) => wait !== undefined,
    );
    return waits.length === 0 ? {} : { requeueAfter: Math.max(1, Math.min(...waits)) };
  }

  #claim(job: CachedJob): Promise<CachedPod[]> {
    const { cache, apiReader } = this.#context.manager;
    return claim(
      { client: this.#client, live: apiReader },
      {
        kind: Pod,
        candidates: [...controlledBy(cache, Pod, job), ...orphansBeside(cache, Pod, job)],
        ownerKind: Job,
        owner: job,
        selects: labelMatcher(selectorRequirements(job.spec?.selector ?? {})),
        finalizers: [trackingFinalizer],
      },
    );
  }

  async #scale(view: JobView, verdict: Verdict | undefined): Promise<Scaled> {
    if (verdict) return endPods(this.#tools, view);
    if (view.job.metadata.deletionTimestamp === undefined) return scaleJob(this.#tools, view);
    return { created: 0, deleted: [], wait: undefined, failure: undefined };
  }

  /** What the job is now that its pods were created and deleted. */
  #decide(
    view: JobView,
    judged: Verdict | undefined,
    { created, deleted, failure }: Scaled,
    startTime: string | undefined,
  ): { verdict: Verdict | undefined; status: DeepReadonly<JobStatus> } {
    const { job } = view;
    const active = view.active.length + created - deleted.length;
    const { active: _, startTime: _start, ...before } = job.status ?? {};
    const status = {
      ...before,
      ...(startTime !== undefined && { startTime }),
      ...withoutZeros({ active }),
      ready: view.ready - readyOf(deleted),
      terminating: view.terminating + deleted.length,
    };
    if (judged) return { verdict: failure ? undefined : judged, status };
    if (isComplete(view, active)) return { verdict: completionsReached, status };
    if (job.metadata.deletionTimestamp !== undefined) return { verdict: undefined, status };
    return { verdict: undefined, status: this.#withSuspension(job, status) };
  }

  #withSuspension(job: CachedJob, status: DeepReadonly<JobStatus>): DeepReadonly<JobStatus> {
    const now = this.#context.clock.epoch();
    const before = status.conditions ?? [];
    const suspended = isSuspended(job);
    const [reason, message] = suspended ? ['JobSuspended', 'Job suspended'] : ['JobResumed', 'Job resumed'];
    const wanted = conditionOf('Suspended', suspended ? 'True' : 'False', { reason, message }, now);
    const conditions = withCondition(before, wanted);
    if (conditions === before) return status;
    this.#events.record(job, 'Normal', suspended ? 'Suspended' : 'Resumed', message);
    const { startTime: _, ...rest } = status;
    // The time in which a job is suspended does not count.
    return { ...rest, conditions, ...(!suspended && { startTime: timeText(now) }) };
  }

  #reportEnd(job: CachedJob, { type, reason = '', message = '' }: JobCondition): void {
    if (type === 'Failed') {
      this.#events.record(job, 'Warning', reason, message);
      return;
    }
    if ((job.status?.succeeded ?? 0) > (job.spec?.completions ?? Infinity)) {
      const tooMany = 'Too many succeeded pods running after completion count reached';
      this.#events.record(job, 'Warning', 'TooManySucceededPods', tooMany);
    }
    this.#events.record(job, 'Normal', 'Completed', 'Job completed');
  }
}

function startOf(job: CachedJob, now: number): string | undefined {
  return job.status?.startTime ?? (isSuspended(job) ? undefined : timeText(now));
}

/** Whether enough pods have succeeded and none is active: one, if the job does not say how many. */
function isComplete({ job, succeeded }: JobView, active: number): boolean {
  const { completions } = job.spec ?? {};
  return active === 0 && (completions === undefined ? succeeded > 0 : succeeded >= completions);
}
