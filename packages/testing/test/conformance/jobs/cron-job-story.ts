import { shownObject } from '../../support/shown.ts';
import type { Story, Watched } from '../../support/story.ts';
import { secondsAgo } from './job-story.ts';

const batch = 'apis/batch/v1';

/** CronJobs. Their jobs show what becomes of the template. */
export const watchedCronJobs: Watched = {
  group: batch,
  resource: 'cronjobs',
  show: ({ status: { active, ...status }, ...cronJob }) =>
    shownObject({
      ...cronJob,
      spec: undefined,
      // Each server counts its versions.
      status: { ...status, active: active?.map((job: any) => ({ ...job, resourceVersion: undefined })) },
    }),
};

/** Creates a CronJob called work. No controller runs its jobs: the test writes their status. */
export async function createCronJob(story: Story, spec: object, lastScheduleTime?: string): Promise<void> {
  const metadata = { labels: { of: 'the-template' }, annotations: { note: 'of the template' } };
  const template = { spec: { restartPolicy: 'Never', containers: [{ name: 'main', image: 'app' }] } };
  const jobTemplate = { metadata, spec: { managedBy: 'example.com/test', template } };
  await story.create('cronjobs', { metadata: { name: 'work' }, spec: { jobTemplate, ...spec } }, batch);
  if (lastScheduleTime !== undefined)
    await story.patch('cronjobs', 'work/status', { status: { lastScheduleTime } }, batch);
}

/** Changes the spec of the CronJob. */
export function changeCronJob(story: Story, spec: object): Promise<any> {
  return story.patch('cronjobs', 'work', { spec }, batch);
}

/** Changes something about the CronJob that makes the controller look at it. */
export function touchCronJob(story: Story): Promise<any> {
  const touched = secondsAgo(story, 0);
  return story.patch('cronjobs', 'work', { metadata: { annotations: { touched } } }, batch);
}

/** Whether the status of the CronJob has a number of active jobs. */
export function hasActive(story: Story, count: number) {
  return async (): Promise<boolean> => {
    const [cronJob] = await story.list('cronjobs', batch);
    return (cronJob.status.active ?? []).length === count;
  };
}

/** The jobs that have not finished. */
export async function unfinishedJobs(story: Story): Promise<string[]> {
  const jobs = await story.list('jobs', batch);
  return jobs.filter(({ status }) => !status.conditions).map(({ metadata }) => metadata.name);
}

/** Writes the status of the jobs that have not finished, as their controller would. */
export async function finishJobs(story: Story, as: 'Complete' | 'Failed'): Promise<void> {
  const [startTime, now] = [secondsAgo(story, 10), secondsAgo(story, 0)];
  const reason = { reason: 'Tested', message: '', lastProbeTime: now, lastTransitionTime: now };
  const target = as === 'Complete' ? 'SuccessCriteriaMet' : 'FailureTarget';
  const conditions = [target, as].map((type) => ({ type, status: 'True', ...reason }));
  const status = { startTime, ...(as === 'Complete' && { completionTime: now }), conditions };
  for (const job of await unfinishedJobs(story))
    await story.patch('jobs', `${job}/status`, { status }, batch);
}

/** The schedule of a CronJob that started once, a number of minutes ago. @param offset of its time zone in minutes */
export function startedMinutesAgo(story: Story, minutes: number, offset = 0): string {
  const time = new Date(story.now().getTime() - (minutes - offset) * 60_000);
  const [minute, hour] = [time.getUTCMinutes(), time.getUTCHours()];
  return `${minute} ${hour} ${time.getUTCDate()} ${time.getUTCMonth() + 1} *`;
}
