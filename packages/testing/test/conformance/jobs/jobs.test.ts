import { onEachServer } from '../../../../apiserver/test/support/on-each-server.ts';
import { failed, running, succeeded } from '../../support/pod-states.ts';
import {
  bind,
  changeJob,
  createJob,
  deleteJob,
  deletePods,
  hasCondition,
  hasStatus,
  pendingPods,
  podNames,
  removePods,
  runningPods,
  tellOn,
  waiting,
  writeStatus,
} from './job-story.ts';

/** Jobs and their pods, whose status the test writes. */
onEachServer('jobs', { workloads: { nodes: 0 }, recordRequests: true }, (server) => {
  const define = tellOn(server);

  define('a job runs its pods at the same time and is complete when all have succeeded', async (story) => {
    await story.step(
      'created',
      () => createJob(story, 'work', { completions: 2, parallelism: 2 }),
      waiting(story, 2),
    );
    const [first = '', second = ''] = await pendingPods(story);
    await story.step(
      'both run',
      () => writeStatus(story, [first, second], running()),
      hasStatus(story, 'work', { ready: 2 }),
    );
    await story.step(
      'one succeeds',
      () => writeStatus(story, [first], succeeded()),
      hasStatus(story, 'work', { succeeded: 1 }),
    );
    await story.step(
      'the other succeeds',
      () => writeStatus(story, [second], succeeded()),
      hasCondition(story, 'work', 'Complete'),
    );
  });

  define('a job runs no more pods at a time than its parallelism', async (story) => {
    await story.step(
      'created',
      () => createJob(story, 'work', { completions: 3, parallelism: 1 }),
      waiting(story, 1),
    );
    await story.step(
      'the first succeeds',
      async () => writeStatus(story, await pendingPods(story), succeeded()),
      hasStatus(story, 'work', { succeeded: 1, active: 1 }),
    );
    await story.step(
      'the second succeeds',
      async () => writeStatus(story, await pendingPods(story), succeeded()),
      hasStatus(story, 'work', { succeeded: 2, active: 1 }),
    );
    await story.step(
      'the third succeeds',
      async () => writeStatus(story, await pendingPods(story), succeeded()),
      hasCondition(story, 'work', 'Complete'),
    );
  });

  define(
    'a job follows a change of its parallelism, and deletes pods that are not ready first',
    async (story) => {
      await story.step(
        'created',
        () => createJob(story, 'work', { completions: 6, parallelism: 2 }),
        waiting(story, 2),
      );
      const [first = ''] = await pendingPods(story);
      await story.step(
        'one is ready',
        () => writeStatus(story, [first], running()),
        hasStatus(story, 'work', { ready: 1 }),
      );
      await story.step(
        'parallelism 4',
        () => changeJob(story, 'work', { parallelism: 4 }),
        waiting(story, 3),
      );
      await story.step(
        'parallelism 1',
        () => changeJob(story, 'work', { parallelism: 1 }),
        waiting(story, 0),
      );
      await story.step(
        'parallelism 0',
        () => changeJob(story, 'work', { parallelism: 0 }),
        hasStatus(story, 'work', { active: 0 }),
      );
    },
  );

  define('a work queue is done when a pod has succeeded and the others have ended', async (story) => {
    await story.step('created', () => createJob(story, 'queue', { parallelism: 3 }), waiting(story, 3));
    const [first = '', second = '', third = ''] = await pendingPods(story);
    await story.step(
      'one succeeds',
      () => writeStatus(story, [first], succeeded()),
      hasStatus(story, 'queue', { succeeded: 1 }),
    );
    await story.step(
      'one fails',
      () => writeStatus(story, [second], failed()),
      hasStatus(story, 'queue', { failed: 1 }),
    );
    await story.step(
      'the last succeeds',
      () => writeStatus(story, [third], succeeded()),
      hasCondition(story, 'queue', 'Complete'),
    );
  });

  define('a failed pod is replaced until the backoff limit is exceeded', async (story) => {
    await story.step(
      'created',
      () => createJob(story, 'work', { completions: 3, parallelism: 2, backoffLimit: 1 }),
      waiting(story, 2),
    );
    const [first = '', second = ''] = await pendingPods(story);
    await story.step(
      'one fails',
      () => writeStatus(story, [first], failed()),
      hasStatus(story, 'work', { failed: 1, active: 2 }),
    );
    await story.step(
      'another fails',
      () => writeStatus(story, [second], failed()),
      hasCondition(story, 'work', 'Failed'),
    );
  });

  define('a job without backoff fails with its first pod', async (story) => {
    await story.step('created', () => createJob(story, 'once', { backoffLimit: 0 }), waiting(story, 1));
    await story.step(
      'its pod fails',
      async () => writeStatus(story, await pendingPods(story), failed()),
      hasCondition(story, 'once', 'Failed'),
    );
  });

  define('the pods of a failed job end gracefully before the job has failed', async (story) => {
    await story.step(
      'created',
      () => createJob(story, 'work', { completions: 2, parallelism: 2, backoffLimit: 0 }),
      waiting(story, 2),
    );
    const [first = '', second = ''] = await pendingPods(story);
    await bind(story, [first, second]);
    await story.step(
      'one fails',
      () => writeStatus(story, [first], failed()),
      hasCondition(story, 'work', 'FailureTarget'),
    );
    await story.step(
      'the kubelet removes the other',
      () => removePods(story, [second]),
      hasCondition(story, 'work', 'Failed'),
    );
  });

  define('restarts of containers count against the backoff limit', async (story) => {
    await story.step(
      'created',
      () => createJob(story, 'work', { backoffLimit: 2 }, { restartPolicy: 'OnFailure' }),
      waiting(story, 1),
    );
    const pods = await pendingPods(story);
    await story.step(
      'one restart',
      () => writeStatus(story, pods, running(true, 1)),
      hasStatus(story, 'work', { ready: 1 }),
    );
    await story.step(
      'two restarts',
      () => writeStatus(story, pods, running(true, 2)),
      hasCondition(story, 'work', 'Failed'),
    );
  });

  define('a job fails when its deadline has passed', async (story) => {
    await story.step(
      'created',
      () => createJob(story, 'work', { activeDeadlineSeconds: 1 }),
      hasCondition(story, 'work', 'Failed'),
    );
  });

  define('a suspended job has no pods until it is resumed', async (story) => {
    await story.step(
      'created',
      () => createJob(story, 'work', { suspend: true }),
      hasCondition(story, 'work', 'Suspended'),
    );
    await story.step('resumed', () => changeJob(story, 'work', { suspend: false }), waiting(story, 1));
    await story.step(
      'suspended again while a pod runs',
      async () => {
        await writeStatus(story, await pendingPods(story), running());
        await changeJob(story, 'work', { suspend: true });
      },
      hasCondition(story, 'work', 'Suspended'),
    );
    await story.step('resumed again', () => changeJob(story, 'work', { suspend: false }), waiting(story, 1));
    await story.step(
      'succeeds',
      async () => writeStatus(story, await pendingPods(story), succeeded()),
      hasCondition(story, 'work', 'Complete'),
    );
  });

  define('a running pod that is deleted counts as failed and is replaced', async (story) => {
    await story.step('created', () => createJob(story, 'work'), waiting(story, 1));
    const pods = await pendingPods(story);
    await writeStatus(story, pods, running(false));
    await story.step(
      'deleted',
      () => removePods(story, pods),
      hasStatus(story, 'work', { failed: 1, active: 1 }),
    );
  });

  define('a terminating pod is replaced at once', async (story) => {
    await story.step('created', () => createJob(story, 'work', { backoffLimit: 6 }), waiting(story, 1));
    const pods = await pendingPods(story);
    await bind(story, pods);
    await writeStatus(story, pods, running(false));
    await story.step(
      'deleted gracefully',
      () => deletePods(story, pods),
      hasStatus(story, 'work', { active: 1, terminating: 1, failed: 1 }),
    );
    await story.step('gone', () => removePods(story, pods), hasStatus(story, 'work', { terminating: 0 }));
  });

  define(
    'with the replacement policy Failed, a terminating pod is replaced when it has ended',
    async (story) => {
      await story.step(
        'created',
        () => createJob(story, 'work', { podReplacementPolicy: 'Failed' }),
        waiting(story, 1),
      );
      const pods = await pendingPods(story);
      await bind(story, pods);
      await writeStatus(story, pods, running());
      await story.step(
        'deleted gracefully',
        () => deletePods(story, pods),
        hasStatus(story, 'work', { active: 0, terminating: 1 }),
      );
      await story.step(
        'failed',
        () => writeStatus(story, pods, failed()),
        hasStatus(story, 'work', { failed: 1, active: 1 }),
      );
    },
  );

  define('a job that another controller manages is left alone', async (story) => {
    const byOther = { managedBy: 'example.com/controller' };
    await story.step('created', () => createJob(story, 'foreign', byOther));
    await story.step('changed', () => changeJob(story, 'foreign', { parallelism: 2 }));
  });

  define('a job adopts a matching pod and releases one that no longer matches', async (story) => {
    await story.step('created', () => createJob(story, 'work'), waiting(story, 1));
    const [pod = ''] = await pendingPods(story);
    const key = 'batch.kubernetes.io/controller-uid';
    const uid = (await story.pods())[0].metadata.labels[key];
    const label = (value: string | null) =>
      story.patch('pods', pod, { metadata: { labels: { [key]: value } } }, 'api/v1');
    await story.step('a label is removed', () => label(null), waiting(story, 2));
    await story.step('the label is back', () => label(uid), waiting(story, 1));
    await story.step(
      'what is left succeeds',
      async () => writeStatus(story, await pendingPods(story), succeeded()),
      hasCondition(story, 'work', 'Complete'),
    );
  });

  define('the pods of a deleted job lose the finalizer', async (story) => {
    await story.step(
      'created',
      () => createJob(story, 'work', { completions: 2, parallelism: 2 }),
      waiting(story, 2),
    );
    await story.step(
      'deleted',
      () => deleteJob(story, 'work', 'Background'),
      async () => (await podNames(story, ({ metadata }) => metadata.finalizers)).length === 0,
    );
  });

  define('more pods run than are wanted: the youngest and least ready go', async (story) => {
    await story.step(
      'created',
      () => createJob(story, 'work', { completions: 4, parallelism: 3 }),
      waiting(story, 3),
    );
    const [first = '', second = '', third = ''] = await pendingPods(story);
    await story.step(
      'one is ready, one runs, one is bound',
      async () => {
        await bind(story, [first, second, third]);
        await writeStatus(story, [first], running());
        await writeStatus(story, [second], running(false));
      },
      hasStatus(story, 'work', { ready: 1 }),
    );
    await story.step(
      'parallelism 1',
      () => changeJob(story, 'work', { parallelism: 1 }),
      async () => (await runningPods(story)).length === 1 && (await pendingPods(story)).length === 0,
    );
  });
});
