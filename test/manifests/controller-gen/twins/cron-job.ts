import type { JobTemplateSpec } from 'ots-kubernetes/batch/v1';
import type { ObjectReference } from 'ots-kubernetes/core/v1';
import {
  type Condition,
  type KubernetesObject,
  type Time,
  defineKind,
  type int32,
  type int64,
} from 'ots-runtime';

/** ConcurrencyPolicy says what happens when a run is due while another one has not finished. */
type ConcurrencyPolicy = 'Allow' | 'Forbid' | 'Replace';

/** CronJobSpec is what is wanted of a CronJob. */
interface CronJobSpec {
  /** The schedule in the format of cron. @minLength 0 */
  schedule: string;
  /**
   * How many seconds late a run may start. Runs that are later count as missed.
   * @minimum 0
   */
  startingDeadlineSeconds?: int64;
  /** @default Allow */
  concurrencyPolicy?: ConcurrencyPolicy;
  /** Whether runs are held back. */
  suspend?: boolean;
  /** The job of every run. */
  jobTemplate: JobTemplateSpec;
  /** How many jobs that succeeded are kept. @minimum 0 */
  successfulJobsHistoryLimit?: int32;
  /** How many jobs that failed are kept. @minimum 0 */
  failedJobsHistoryLimit?: int32;
}

/** CronJobStatus is what is seen of a CronJob. */
interface CronJobStatus {
  /**
   * The jobs that are running.
   * @listType atomic
   * @minItems 1
   * @maxItems 10
   */
  active?: ObjectReference[];
  /** When the last job was made. */
  lastScheduleTime?: Time;
  conditions?: Condition[];
}

/**
 * CronJob runs a job by a schedule.
 * @subresource status
 * @printcolumn {name: Schedule, type: string, jsonPath: .spec.schedule}
 * @printcolumn {name: Last, type: date, jsonPath: .status.lastScheduleTime, priority: 1}
 */
export interface CronJob extends KubernetesObject {
  apiVersion: 'batch.tutorial.kubebuilder.io/v1';
  kind: 'CronJob';
  /** What is wanted. */
  spec: CronJobSpec;
  /** What is seen. */
  status?: CronJobStatus;
}
export const CronJob = defineKind<CronJob>({
  apiVersion: 'batch.tutorial.kubebuilder.io/v1',
  kind: 'CronJob',
  plural: 'cronjobs',
  scope: 'Namespaced',
});
