import { onEachServer } from '../../../../apiserver/test/support/on-each-server.ts';
import { failed, succeeded } from '../../support/pod-states.ts';
import {
  changeJob,
  createJob,
  hasCondition,
  isGone,
  pendingPods,
  tellOn,
  waiting,
  writeStatus,
} from './job-story.ts';

const options = {
  workloads: { nodes: 0 },
  recordRequests: true,
  controllers: { garbageCollector: true },
} as const;

/** Jobs that are deleted when they have finished. */
onEachServer('jobs with a time to live', options, (server) => {
  const define = tellOn(server);

  define('a job is deleted with its pods some time after it has succeeded', async (story) => {
    await story.step(
      'created',
      () => createJob(story, 'work', { ttlSecondsAfterFinished: 6 }),
      waiting(story, 1),
    );
    await story.step(
      'it succeeds',
      async () => writeStatus(story, await pendingPods(story), succeeded()),
      hasCondition(story, 'work', 'Complete'),
    );
    await story.step('time passes', () => Promise.resolve(), isGone(story, 'work'));
  });

  define('a failed job that may live for no time is deleted at once', async (story) => {
    await createJob(story, 'work', { ttlSecondsAfterFinished: 0, backoffLimit: 0 });
    await story.until(waiting(story, 1));
    await story.step(
      'it fails',
      async () => writeStatus(story, await pendingPods(story), failed()),
      isGone(story, 'work'),
    );
  });

  define('a time to live begins when the job has finished, also if it is set later', async (story) => {
    await createJob(story, 'work');
    await story.until(waiting(story, 1));
    await story.step(
      'it succeeds',
      async () => writeStatus(story, await pendingPods(story), succeeded()),
      hasCondition(story, 'work', 'Complete'),
    );
    await story.step('an hour', () => changeJob(story, 'work', { ttlSecondsAfterFinished: 3600 }));
    await story.step(
      'a second',
      () => changeJob(story, 'work', { ttlSecondsAfterFinished: 1 }),
      isGone(story, 'work'),
    );
  });
});
