import { type Client, ControllerBuilder, type Reconciler, type Request, type Result } from 'ots-runtime';
import { Job } from 'ots-kubernetes/batch/v1';
import { type CachedJob, finishedCondition } from '../jobs/job-facts.ts';
import { retryRefusals } from '../retry-refusals.ts';
import type { AddController, WorkloadContext } from '../workload-context.ts';

/** Deletes jobs some time after they have finished, as the ttl-after-finished-controller of kube-controller-manager does. */
export const addTtlAfterFinishedController: AddController = (context) => {
  const { manager, clock } = context;
  new ControllerBuilder(manager)
    .named('ttl-after-finished')
    .for(Job)
    .complete(retryRefusals(new TtlReconciler(context), clock));
};

class TtlReconciler implements Reconciler {
  readonly #context: WorkloadContext;
  readonly #client: Client;

  constructor(context: WorkloadContext) {
    this.#context = context;
    this.#client = context.clientOf('ttl-after-finished-controller');
  }

  async reconcile({ name, namespace }: Request): Promise<Result | void> {
    const { manager, clock } = this.#context;
    const key = { name, namespace };
    const cached = manager.cache.get(Job, key);
    const wait = cached && timeLeft(cached, clock.epoch());
    if (wait === undefined) return;
    if (wait > 0) return { requeueAfter: wait };
    // The cache may not know yet that the job is to be kept for longer.
    const fresh = await manager.apiReader.get(Job, key);
    const freshWait = fresh && timeLeft(fresh, clock.epoch());
    if (freshWait === undefined) return;
    if (freshWait > 0) return { requeueAfter: freshWait };
    const preconditions = { uid: fresh?.metadata.uid };
    await this.#client.delete(Job, key, { propagationPolicy: 'Foreground', preconditions });
  }
}

/** How long a job is still kept, in milliseconds; undefined if it is not to be deleted. @param now in milliseconds since 1970 */
function timeLeft(job: CachedJob, now: number): number | undefined {
  const seconds = job.spec?.ttlSecondsAfterFinished;
  const finishedAt = finishedCondition(job)?.lastTransitionTime;
  if (seconds === undefined || finishedAt === undefined || job.metadata.deletionTimestamp !== undefined)
    return undefined;
  return Date.parse(finishedAt) + seconds * 1000 - now;
}
