import { TimeZone } from 'ots-apimachinery/cron/time-zone';
import { type DeepReadonly, controllerReference } from 'ots-runtime';
import type { Job } from 'ots-kubernetes/batch/v1';
import type { CachedCronJob } from './start-times.ts';

/** The name of the job of a start: the same start never has two. @param start in milliseconds since 1970 */
export function jobName({ metadata }: CachedCronJob, start: number): string {
  return `${metadata.name}-${Math.floor(start / 60_000)}`;
}

/** The job that a CronJob creates. @param start in milliseconds since 1970 */
export function jobOfCronJob(cronJob: CachedCronJob, start: number): DeepReadonly<Job> {
  const { metadata, spec } = cronJob;
  const template = spec?.jobTemplate;
  const scheduled = new TimeZone(spec?.timeZone ?? '').format(start);
  return {
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: {
      name: jobName(cronJob, start),
      ...(metadata.namespace !== undefined && { namespace: metadata.namespace }),
      ...(template?.metadata?.labels && { labels: template.metadata.labels }),
      annotations: {
        ...template?.metadata?.annotations,
        'batch.kubernetes.io/cronjob-scheduled-timestamp': scheduled,
      },
      ownerReferences: [controllerReference(cronJob)],
    },
    ...(template?.spec && { spec: template.spec }),
  };
}
