import { controllerReference } from 'ots-runtime';
import { onEachServer } from '../../../../apiserver/test/support/on-each-server.ts';
import type { Story } from '../../support/story.ts';
import {
  changeCronJob,
  createCronJob,
  finishJobs,
  hasActive,
  startedMinutesAgo,
  touchCronJob,
  unfinishedJobs,
  watchedCronJobs,
} from './cron-job-story.ts';
import { createJob, deleteJob, secondsAgo, tellOn, watchedJobs } from './job-story.ts';

const options = {
  workloads: { nodes: 0 },
  recordRequests: true,
  controllers: { garbageCollector: true },
} as const;
const hour = 3600;

/** CronJobs. All but one look back, so no test has to wait for a minute to begin. */
onEachServer('CronJobs', options, (server) => {
  const define = tellOn(server, [watchedCronJobs, watchedJobs]);
  /** Creates a suspended CronJob that should have started an hour ago. */
  const createMissed = (story: Story, spec: object = {}) =>
    createCronJob(
      story,
      { suspend: true, schedule: startedMinutesAgo(story, 60), ...spec },
      secondsAgo(story, 2 * hour),
    );
  const resume = (story: Story) => changeCronJob(story, { suspend: false });

  define('a CronJob starts a job when a minute begins', async (story) => {
    await story.step('created', () => createCronJob(story, { schedule: '* * * * *' }), hasActive(story, 1));
    await story.step('it succeeds', () => finishJobs(story, 'Complete'), hasActive(story, 0));
  });

  define('a CronJob that is resumed starts the job that it missed', async (story) => {
    await story.step('suspended', () => createMissed(story));
    await story.step('resumed', () => resume(story), hasActive(story, 1));
    await story.step('its job fails', () => finishJobs(story, 'Failed'), hasActive(story, 0));
  });

  define('a job that is too late for the deadline is not started', async (story) => {
    await createMissed(story, { startingDeadlineSeconds: hour / 2 });
    await story.step('too late', () => resume(story));
    await story.step(
      'not too late',
      () => changeCronJob(story, { startingDeadlineSeconds: 2 * hour }),
      hasActive(story, 1),
    );
  });

  define('more than a hundred missed starts are one job and a warning', async (story) => {
    await createMissed(story, { schedule: '0 0 * * *' });
    const lastScheduleTime = secondsAgo(story, 200 * 24 * hour);
    await story.patch('cronjobs', 'work/status', { status: { lastScheduleTime } }, 'apis/batch/v1');
    await story.step('resumed', () => resume(story), hasActive(story, 1));
  });

  for (const [concurrencyPolicy, count] of [
    ['Allow', 2],
    ['Forbid', 1],
    ['Replace', 1],
  ] as const) {
    define(`concurrency policy ${concurrencyPolicy}`, async (story) => {
      await createMissed(story, { concurrencyPolicy });
      await story.step('resumed', () => resume(story), hasActive(story, 1));
      await story.step('a schedule that has missed a start is not looked at before the next one', () =>
        changeCronJob(story, { schedule: startedMinutesAgo(story, 30) }),
      );
      await story.step('looked at', () => touchCronJob(story), hasActive(story, count));
      await story.step(
        'a job is deleted',
        async () => deleteJob(story, (await unfinishedJobs(story))[0]!, 'Background'),
        hasActive(story, concurrencyPolicy === 'Replace' ? 0 : 1),
      );
    });
  }

  define('finished jobs are kept up to the limits', async (story) => {
    await createMissed(story, { successfulJobsHistoryLimit: 1, failedJobsHistoryLimit: 0 });
    await story.step('the first starts', () => resume(story), hasActive(story, 1));
    await story.step('it succeeds', () => finishJobs(story, 'Complete'), hasActive(story, 0));
    const startAgain = async (minutes: number) => {
      await changeCronJob(story, { schedule: startedMinutesAgo(story, minutes) });
      await touchCronJob(story);
    };
    await story.step('the second starts', () => startAgain(40), hasActive(story, 1));
    await story.step('it fails', () => finishJobs(story, 'Failed'), hasActive(story, 0));
    await story.step('the third starts', () => startAgain(20), hasActive(story, 1));
    await story.step('it succeeds, too', () => finishJobs(story, 'Complete'), hasActive(story, 0));
  });

  define('a start has the time of its zone', async (story) => {
    const schedule = startedMinutesAgo(story, 60, 330);
    await createMissed(story, { schedule, timeZone: 'Asia/Kolkata' });
    await story.step('resumed', () => resume(story), hasActive(story, 1));
  });

  define('a schedule that never starts is a warning', async (story) => {
    await story.step('February 30', () => createCronJob(story, { schedule: '0 0 30 2 *' }));
  });

  define('a job of another author is not expected', async (story) => {
    await createCronJob(story, { schedule: '0 0 1 1 *', suspend: true });
    const [cronJob] = await story.list('cronjobs', 'apis/batch/v1');
    const owner = { apiVersion: 'batch/v1', kind: 'CronJob', ...cronJob };
    const ownerReferences = [controllerReference(owner)];
    await story.step('created', () =>
      createJob(story, 'foreign', { managedBy: 'example.com/test' }, {}, { ownerReferences }),
    );
    await story.step('it succeeds', () => finishJobs(story, 'Complete'));
  });
});
