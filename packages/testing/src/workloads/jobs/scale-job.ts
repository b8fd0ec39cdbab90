import type { Clock } from 'ots-apimachinery/clock/clock';
import { type Client, isNotFound } from 'ots-runtime';
import { Pod } from 'ots-kubernetes/core/v1';
import { attemptAll } from '../pods/attempt-all.ts';
import { inDeletionOrder } from '../pods/deletion-order.ts';
import type { PodControl } from '../pods/pod-control.ts';
import { type CachedPod, isPodReady, isPodTerminating } from '../pods/pod-state.ts';
import { slowStart } from '../pods/slow-start.ts';
import { remainingDelay } from './backoff.ts';
import { indexOf, indexesOf, isIndexed, isSuspended, occupied, trackingFinalizer } from './job-facts.ts';
import { podOf, podOfIndex } from './job-pod.ts';
import { type JobView, backoffOfIndex } from './job-view.ts';

/** As in Kubernetes: how many pods one reconcile creates or deletes. */
const maxChanges = 500;

/** What the pods of a job are changed with. */
export interface JobPods {
  readonly client: Client;
  readonly pods: PodControl;
  readonly clock: Clock;
}

/** What a reconcile has changed. */
export interface Scaled {
  created: number;
  /** Those that are being deleted now. */
  readonly deleted: CachedPod[];
  /** How long a pod must not be created yet, in milliseconds. */
  wait: number | undefined;
  failure: Error | undefined;
}

/** Deletes all active pods of a job that ends. Their finalizers stay until the job has counted them. */
export async function endPods({ pods }: JobPods, { job, active }: JobView): Promise<Scaled> {
  return scaled((result) =>
    attemptAll(active, async (pod) => {
      await pods.delete(pod, job);
      result.deleted.push(pod);
    }),
  );
}

/** Creates or deletes pods until as many are active as the job wants now. */
export async function scaleJob(tools: JobPods, view: JobView): Promise<Scaled> {
  const { job, active } = view;
  return scaled(async (result) => {
    const wanted = wantedPods(view);
    const surplus = surplusPods(view, Math.max(0, active.length - wanted), tools.clock.epoch());
    if (surplus.length > 0)
      await attemptAll(surplus.slice(0, isSuspended(job) ? Infinity : maxChanges), async (pod) => {
        await untrack(tools.client, pod);
        await tools.pods.delete(pod, job);
        result.deleted.push(pod);
      });
    else if (!isSuspended(job))
      await create(tools, view, wanted - occupied(job, view.terminating) - active.length, result);
  });
}

/** Lets go of a pod, unless it is gone already. */
export async function untrack(
  client: Client,
  { metadata: { name = '', namespace, finalizers = [] } }: CachedPod,
): Promise<void> {
  if (!finalizers.includes(trackingFinalizer)) return;
  const metadata = { '$deleteFromPrimitiveList/finalizers': [trackingFinalizer] };
  try {
    await client.patch(Pod, { name, namespace }, { metadata } as object, { type: 'strategic' });
  } catch (error) {
    if (!isNotFound(error)) throw error;
  }
}

/** How many pods are ready. */
export function readyOf(pods: readonly CachedPod[]): number {
  return pods.filter(isPodReady).length;
}

async function scaled(change: (result: Scaled) => Promise<void>): Promise<Scaled> {
  const result: Scaled = { created: 0, deleted: [], wait: undefined, failure: undefined };
  try {
    await change(result);
  } catch (error) {
    result.failure = error as Error;
  }
  return result;
}

function wantedPods({ job, active, succeeded }: JobView): number {
  const { completions, parallelism = 1 } = job.spec ?? {};
  if (isSuspended(job)) return 0;
  // A work queue that has had a success starts nothing more.
  if (completions === undefined) return succeeded > 0 ? active.length : parallelism;
  return Math.max(0, Math.min(completions - succeeded, parallelism));
}

/** Active pods to delete: those with an index that is taken, too large or missing, and those of which there are too many. */
function surplusPods({ job, active }: JobView, count: number, now: number): readonly CachedPod[] {
  const ranked = inDeletionOrder(active, active, now);
  const unusable = isIndexed(job) ? ranked.filter((pod, at) => !isUsable(pod, ranked.slice(at + 1))) : [];
  const others = ranked.filter((pod) => !unusable.includes(pod));
  return [...unusable, ...others.slice(0, Math.max(0, count - unusable.length))];

  function isUsable(pod: CachedPod, better: readonly CachedPod[]): boolean {
    const index = indexOf(pod);
    return (
      index !== undefined &&
      index < (job.spec?.completions ?? 0) &&
      !better.some((other) => indexOf(other) === index)
    );
  }
}

async function create(
  { pods, clock }: JobPods,
  view: JobView,
  missing: number,
  result: Scaled,
): Promise<void> {
  if (missing <= 0) return;
  const { job, failedIndexes } = view;
  const now = clock.epoch();
  const wait = failedIndexes ? 0 : remainingDelay(view.backoff, now);
  if (wait > 0) {
    result.wait = wait;
    return;
  }
  const count = Math.min(missing, maxChanges);
  const delays = isIndexed(job)
    ? pendingIndexes(view, count).map((index) => ({
        index,
        delay: failedIndexes ? remainingDelay(backoffOfIndex(view, index), now) : 0,
      }))
    : [];
  const due = delays.filter(({ delay }) => delay === 0);
  if (isIndexed(job) && due.length === 0 && delays.length > 0) {
    result.wait = Math.min(...delays.map(({ delay }) => delay));
    return;
  }
  await slowStart(isIndexed(job) ? due.length : count, async (at) => {
    const index = due[at]?.index;
    await pods.create(
      index === undefined ? podOf(job) : podOfIndex(job, index, view.toReplace.get(index)),
      job,
    );
    result.created += 1;
  });
}

/** The first indexes that have no pod and need one. */
function pendingIndexes(view: JobView, count: number): number[] {
  const { job, pods, active, completedIndexes, failedIndexes = [] } = view;
  const ending = occupied(job, view.terminating) > 0 ? pods.filter(isPodTerminating) : [];
  const taken = new Set([...completedIndexes, ...failedIndexes, ...indexesOf([...active, ...ending])]);
  const pending: number[] = [];
  for (let index = 0; index < (job.spec?.completions ?? 0) && pending.length < count; index++)
    if (!taken.has(index)) pending.push(index);
  return pending;
}
