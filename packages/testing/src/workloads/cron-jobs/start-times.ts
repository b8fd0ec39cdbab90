import { type CronSchedule, parseCronSchedule } from 'ots-apimachinery/cron/cron-schedule';
import { nextStart } from 'ots-apimachinery/cron/next-start';
import type { DeepReadonly } from 'ots-runtime';
import type { CronJob } from 'ots-kubernetes/batch/v1';

/** A CronJob of the cache. */
export type CachedCronJob = DeepReadonly<CronJob>;

/** Kubernetes warns of more. */
const maxMissed = 100;
/** Kubernetes looks a little later: clocks differ. */
const delayMs = 100;

/** The starts of a CronJob that have passed without a job. Times are in milliseconds since 1970. */
export interface MissedStarts {
  /** From when on they were counted. */
  readonly since: number;
  /** The last one; undefined if there is none. */
  readonly last: number | undefined;
  /** Estimated from the time between the first two. */
  readonly count: number;
}

/** A schedule that can be read, but never starts anything. */
export class InvalidScheduleError extends Error {}

/** Finds the starts of a CronJob. */
export class StartTimes {
  readonly #cronJob: CachedCronJob;
  readonly #schedule: CronSchedule;
  readonly #now: number;

  /** @param now in milliseconds since 1970 */
  constructor(cronJob: CachedCronJob, now: number) {
    this.#cronJob = cronJob;
    this.#schedule = parseCronSchedule(cronJob.spec?.schedule ?? '');
    this.#now = now;
  }

  /**
   * The starts since the last job that are not too late.
   *
   * @throws {InvalidScheduleError}
   */
  missed(): MissedStarts {
    const seconds = this.#cronJob.spec?.startingDeadlineSeconds;
    return this.#missedSince(seconds === undefined ? -Infinity : this.#now - seconds * 1000);
  }

  /** How long it takes until the next start, in milliseconds. */
  untilNext(): number {
    const next = this.#next(this.#lookedAt());
    return next === undefined ? 0 : Math.max(0, next + delayMs - this.#now);
  }

  /** The start that is not the next one any more. */
  #lookedAt(): number {
    try {
      const { since, last, count } = this.#missedSince(-Infinity);
      return last ?? (count === 0 ? since : this.#now);
    } catch (error) {
      if (error instanceof InvalidScheduleError) return this.#now;
      throw error;
    }
  }

  /** Of many starts, only the last ones are computed. */
  #missedSince(deadline: number): MissedStarts {
    const { metadata, status } = this.#cronJob;
    const last = Date.parse(status?.lastScheduleTime ?? metadata.creationTimestamp ?? '');
    const since = Math.max(last, deadline);
    const first = this.#next(since);
    if (first !== undefined && this.#now < first) return { since, last: undefined, count: 0 };
    const second = first === undefined ? undefined : this.#next(first);
    if (first === undefined || second === undefined)
      throw new InvalidScheduleError('time difference between two schedules is less than 1 second');
    if (this.#now < second) return { since, last: first, count: 0 };
    const interval = second - first;
    const count = Math.floor((this.#now - first) / interval) + 1;
    return { since, last: this.#lastAfter(first + (count - 2) * interval), count };
  }

  #lastAfter(time: number): number | undefined {
    let last: number | undefined;
    for (let next = this.#next(time); next !== undefined && next <= this.#now; next = this.#next(next))
      last = next;
    return last;
  }

  #next(after: number): number | undefined {
    return nextStart(this.#schedule, after, this.#cronJob.spec?.timeZone);
  }
}

/** Whether so many starts were missed that something must be wrong. */
export function areTooMany({ count }: MissedStarts): boolean {
  return count > maxMissed;
}
