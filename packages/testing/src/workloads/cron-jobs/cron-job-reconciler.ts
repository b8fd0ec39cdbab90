import {
  type Client,
  type DeepReadonly,
  type Reconciler,
  type Request,
  type Result,
  isAlreadyExists,
  isApiError,
  isControlledBy,
} from 'ots-runtime';
import { CronJob, type CronJobStatus, Job } from 'ots-kubernetes/batch/v1';
import type { ObjectReference } from 'ots-kubernetes/core/v1';
import type { EventSink } from '../event-sink.ts';
import { finishedCondition } from '../jobs/job-facts.ts';
import { controlledBy } from '../pods/controlled.ts';
import { isNamespaceTerminating } from '../pods/pod-control.ts';
import { NotYetError } from '../retry-refusals.ts';
import { timeText } from '../time-text.ts';
import type { WorkloadContext } from '../workload-context.ts';
import { jobName, jobOfCronJob } from './job-of-cron-job.ts';
import {
  type CachedCronJob,
  InvalidScheduleError,
  type MissedStarts,
  StartTimes,
  areTooMany,
} from './start-times.ts';

type CachedJob = DeepReadonly<Job>;

const name = 'cronjob-controller';

/** Creates the job of the last start that has passed, and deletes old jobs. */
export class CronJobReconciler implements Reconciler {
  readonly #context: WorkloadContext;
  readonly #client: Client;
  readonly #events: EventSink;

  constructor(context: WorkloadContext) {
    this.#context = context;
    this.#client = context.clientOf(name);
    this.#events = context.eventsOf(name);
  }

  async reconcile(request: Request): Promise<Result | void> {
    const { cache } = this.#context.manager;
    const cronJob = cache.get(CronJob, { name: request.name, namespace: request.namespace });
    if (!cronJob) return;
    const jobs = controlledBy(cache, Job, cronJob);
    const status = new StatusChanges(cronJob);
    try {
      await this.#deleteOldJobs(cronJob, jobs, status);
      await this.#noteJobs(cronJob, jobs, status);
      const wait = await this.#startJob(cronJob, status);
      return wait === undefined ? {} : { requeueAfter: Math.max(1, wait) };
    } finally {
      if (status.isChanged) await this.#client.status.update(CronJob, { ...cronJob, status: status.value });
    }
  }

  /** Keeps as many finished jobs as the limits of the history say. */
  async #deleteOldJobs(
    cronJob: CachedCronJob,
    jobs: readonly CachedJob[],
    status: StatusChanges,
  ): Promise<void> {
    const { successfulJobsHistoryLimit = Infinity, failedJobsHistoryLimit = Infinity } = cronJob.spec ?? {};
    for (const [type, limit] of [
      ['Complete', successfulJobsHistoryLimit],
      ['Failed', failedJobsHistoryLimit],
    ] as const) {
      const finished = jobs.filter((job) => finishedCondition(job)?.type === type).toSorted(byStartTime);
      const surplus = Math.max(0, finished.length - limit);
      for (const job of finished.slice(0, surplus)) await this.#deleteJob(cronJob, job, status);
    }
  }

  /** @returns whether the job was deleted */
  async #deleteJob(cronJob: CachedCronJob, job: CachedJob, status: StatusChanges): Promise<boolean> {
    const { name: jobToDelete = '', namespace } = job.metadata;
    try {
      await this.#client.delete(Job, { name: jobToDelete, namespace }, { propagationPolicy: 'Background' });
    } catch (error) {
      if (!isApiError(error)) throw error;
      this.#events.record(cronJob, 'Warning', 'FailedDelete', `Deleted job: ${error.message}`);
      return false;
    }
    status.remove(job.metadata.uid);
    this.#events.record(cronJob, 'Normal', 'SuccessfulDelete', `Deleted job ${jobToDelete}`);
    return true;
  }

  /** Notes which jobs have finished or are gone. */
  async #noteJobs(cronJob: CachedCronJob, jobs: readonly CachedJob[], status: StatusChanges): Promise<void> {
    for (const job of jobs) {
      const finished = finishedCondition(job);
      const isActive = status.active.some(({ uid }) => uid === job.metadata.uid);
      if (!finished && !isActive) {
        const message = `Saw a job that the controller did not create or forgot: ${job.metadata.name}`;
        this.#events.record(cronJob, 'Warning', 'UnexpectedJob', message);
      }
      if (finished && isActive) {
        status.remove(job.metadata.uid);
        const message = `Saw completed job: ${job.metadata.name}, condition: ${finished.type}`;
        this.#events.record(cronJob, 'Normal', 'SawCompletedJob', message);
      }
      if (finished?.type === 'Complete') status.noteSuccess(job.status?.completionTime);
    }
    const uids = new Set(jobs.map(({ metadata }) => metadata.uid));
    for (const { uid, name: jobToFind = '', namespace } of status.active) {
      if (uids.has(uid)) continue;
      if (await this.#context.manager.apiReader.get(Job, { name: jobToFind, namespace })) continue;
      this.#events.record(cronJob, 'Normal', 'MissingJob', `Active job went missing: ${jobToFind}`);
      status.remove(uid);
    }
  }

  /** @returns how long it takes until the next start, in milliseconds; undefined if there is none */
  async #startJob(cronJob: CachedCronJob, status: StatusChanges): Promise<number | undefined> {
    if (cronJob.metadata.deletionTimestamp !== undefined || cronJob.spec?.suspend) return undefined;
    const now = this.#context.clock.epoch();
    const times = new StartTimes(cronJob, now);
    const missed = this.#missedStarts(cronJob, times);
    if (!missed) return undefined;
    if (missed.last === undefined) return times.untilNext();
    if (areTooMany(missed)) this.#events.record(cronJob, 'Warning', 'TooManyMissedTimes', tooManyMissed);
    if (!this.#mayStart(cronJob, missed.last, status)) return times.untilNext();
    if (cronJob.spec?.concurrencyPolicy === 'Replace') await this.#deleteActive(cronJob, status);
    const job = await this.#createJob(cronJob, missed.last, status);
    if (!job) return undefined;
    status.noteStart(job, missed.last);
    return new StartTimes({ ...cronJob, status: status.value }, now).untilNext();
  }

  #missedStarts(cronJob: CachedCronJob, times: StartTimes): MissedStarts | undefined {
    try {
      return times.missed();
    } catch (error) {
      if (!(error instanceof InvalidScheduleError)) throw error;
      const message = `invalid schedule: ${cronJob.spec?.schedule} : ${error.message}`;
      this.#events.record(cronJob, 'Warning', 'InvalidSchedule', message);
      return undefined;
    }
  }

  #mayStart(cronJob: CachedCronJob, start: number, { active }: StatusChanges): boolean {
    const isStarted =
      active.some((job) => job.name === jobName(cronJob, start)) ||
      cronJob.status?.lastScheduleTime === timeText(start);
    if (isStarted) return false;
    if (cronJob.spec?.concurrencyPolicy !== 'Forbid' || active.length === 0) return true;
    this.#events.record(cronJob, 'Normal', 'JobAlreadyActive', alreadyActive);
    return false;
  }

  async #deleteActive(cronJob: CachedCronJob, status: StatusChanges): Promise<void> {
    for (const { name: active = '', namespace } of status.active) {
      const job = await this.#getJob(cronJob, { name: active, namespace });
      if (!(await this.#deleteJob(cronJob, job, status)))
        throw new NotYetError(`could not replace job ${namespace}/${active}`);
    }
  }

  async #getJob(
    cronJob: CachedCronJob,
    key: { name: string; namespace: string | undefined },
  ): Promise<CachedJob> {
    try {
      return await this.#context.manager.apiReader.getOrThrow(Job, key);
    } catch (error) {
      if (isApiError(error))
        this.#events.record(cronJob, 'Warning', 'FailedGet', `Get job: ${error.message}`);
      throw error;
    }
  }

  /** @returns the job of a start, also if the controller has created it before; undefined if it is of another author */
  async #createJob(
    cronJob: CachedCronJob,
    start: number,
    status: StatusChanges,
  ): Promise<CachedJob | undefined> {
    const job = jobOfCronJob(cronJob, start);
    try {
      const created = await this.#client.create(Job, job);
      this.#events.record(cronJob, 'Normal', 'SuccessfulCreate', `Created job ${created.metadata.name}`);
      return created;
    } catch (error) {
      if (isAlreadyExists(error)) return this.#forgottenJob(cronJob, jobName(cronJob, start), status);
      if (isApiError(error) && !isNamespaceTerminating(error))
        this.#events.record(cronJob, 'Warning', 'FailedCreate', `Error creating job: ${error.message}`);
      throw error;
    }
  }

  /** @returns a job that the status should have; undefined if it has it, or the job is of another author */
  async #forgottenJob(
    cronJob: CachedCronJob,
    jobToFind: string,
    { active }: StatusChanges,
  ): Promise<CachedJob | undefined> {
    const { namespace } = cronJob.metadata;
    const found = await this.#context.manager.apiReader.getOrThrow(Job, { name: jobToFind, namespace });
    const isKnown = active.some(({ uid }) => uid === found.metadata.uid);
    return isControlledBy(found, cronJob) && !isKnown ? found : undefined;
  }
}

const tooManyMissed =
  'too many missed start times. Set or decrease .spec.startingDeadlineSeconds or check clock skew';
const alreadyActive = 'Not starting job because prior execution is running and concurrency policy is Forbid';

/** The status that a reconcile writes at its end. */
class StatusChanges {
  isChanged = false;
  #status: DeepReadonly<CronJobStatus>;

  constructor({ status = {} }: CachedCronJob) {
    this.#status = status;
  }

  get value(): DeepReadonly<CronJobStatus> {
    return this.#status;
  }

  /** References to the jobs that have not finished. */
  get active(): readonly DeepReadonly<ObjectReference>[] {
    return this.#status.active ?? [];
  }

  /** Forgets a job. */
  remove(job: string | undefined): void {
    this.#change({ active: this.active.filter(({ uid }) => uid !== job) });
  }

  /** Notes when a job has succeeded. */
  noteSuccess(time: string | undefined): void {
    const { lastSuccessfulTime } = this.#status;
    if (time === undefined || (lastSuccessfulTime !== undefined && time <= lastSuccessfulTime)) return;
    this.#change({ lastSuccessfulTime: time });
  }

  /** Notes a job that was created. @param start in milliseconds since 1970 */
  noteStart({ apiVersion, kind, metadata }: CachedJob, start: number): void {
    const { name: jobToNote, namespace, uid, resourceVersion } = metadata;
    const reference: ObjectReference = {
      apiVersion,
      kind,
      name: jobToNote!,
      namespace: namespace!,
      uid: uid!,
      resourceVersion: resourceVersion!,
    };
    this.#change({ active: [...this.active, reference], lastScheduleTime: timeText(start) });
  }

  #change(changes: DeepReadonly<CronJobStatus>): void {
    const { active: _, ...before } = this.#status;
    const { active = this.active, ...others } = changes;
    this.#status = { ...before, ...others, ...(active.length > 0 && { active }) };
    this.isChanged = true;
  }
}

/** Jobs that have not started are the last. */
function byStartTime(a: CachedJob, b: CachedJob): number {
  const [timeOfA, timeOfB] = [a, b].map(({ status }) => status?.startTime ?? '~') as [string, string];
  if (timeOfA !== timeOfB) return timeOfA < timeOfB ? -1 : 1;
  return a.metadata.name! < b.metadata.name! ? -1 : 1;
}
