import { type KubernetesObject, type Time, defineKind, type int64 } from 'ots-runtime';

/** JobWatcherSpec is what is wanted of a JobWatcher. */
interface JobWatcherSpec {
  /** How many seconds a job that completed is kept. @minimum 0 @default 3600 */
  completedTTL?: int64;
  /** How many seconds a job that failed is kept. @minimum 0 @default 86400 */
  failedTTL?: int64;
  /**
   * Regular expressions: only jobs of namespaces that match one of them are deleted.
   * @minItems 1
   * @items.minLength 1
   */
  namespacePatterns: string[];
  /**
   * Regular expressions: only jobs of names that match one of them are deleted.
   * @minItems 1
   * @items.minLength 1
   */
  jobNamePatterns: string[];
  /** How long to wait between two looks. @minimum 1 @default 60 */
  frequency?: int64;
}

/** JobWatcherStatus is what is seen of a JobWatcher. */
interface JobWatcherStatus {
  /** When the last look began. */
  lastStarted?: Time;
  /** When the last look ended. */
  lastFinished?: Time;
}

/**
 * JobWatcher deletes jobs that ended.
 * @subresource status
 * @printcolumn {name: Last, type: date, jsonPath: .status.lastFinished}
 */
export interface JobWatcher extends KubernetesObject {
  apiVersion: 'batch.my.github.com/v1';
  kind: 'JobWatcher';
  spec: JobWatcherSpec;
  status?: JobWatcherStatus;
}
export const JobWatcher = defineKind<JobWatcher>({
  apiVersion: 'batch.my.github.com/v1',
  kind: 'JobWatcher',
  plural: 'jobwatchers',
  scope: 'Cluster',
});
