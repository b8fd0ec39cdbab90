import { onEachServer } from '../../../../apiserver/test/support/on-each-server.ts';
import { failed, running, succeeded } from '../../support/pod-states.ts';
import {
  changeJob,
  createJob,
  hasCondition,
  hasStatus,
  pendingPods,
  secondsAgo,
  tellOn,
  waiting,
  writeStatus,
} from './job-story.ts';

const completionMode = 'Indexed';
const perIndex = { completionMode, completions: 3, parallelism: 3, backoffLimitPerIndex: 1 };

/** Indexed jobs, and the policies about failure and success. */
onEachServer('indexed jobs', { workloads: { nodes: 0 }, recordRequests: true }, (server) => {
  const define = tellOn(server);

  define('each pod of an indexed job knows its index', async (story) => {
    await story.step(
      'created',
      () => createJob(story, 'work', { completionMode, completions: 4, parallelism: 2 }),
      waiting(story, 2),
    );
    const [, one = ''] = await pendingPods(story);
    await story.step(
      'index 1 succeeds',
      () => writeStatus(story, [one], succeeded()),
      hasStatus(story, 'work', { completedIndexes: '1', active: 2 }),
    );
    const [zero = '', two = ''] = await pendingPods(story);
    await story.step(
      'index 2 succeeds',
      () => writeStatus(story, [two], succeeded()),
      hasStatus(story, 'work', { completedIndexes: '1,2', active: 2 }),
    );
    const [, three = ''] = await pendingPods(story);
    await story.step(
      'index 3 succeeds',
      () => writeStatus(story, [three], succeeded()),
      hasStatus(story, 'work', { completedIndexes: '1-3' }),
    );
    await story.step(
      'index 0 succeeds',
      () => writeStatus(story, [zero], succeeded()),
      hasCondition(story, 'work', 'Complete'),
    );
  });

  define('a failed index is tried again', async (story) => {
    await story.step(
      'created',
      () => createJob(story, 'work', { completionMode, completions: 2, parallelism: 2 }),
      waiting(story, 2),
    );
    const [zero = ''] = await pendingPods(story);
    await story.step(
      'index 0 fails',
      () => writeStatus(story, [zero], failed()),
      hasStatus(story, 'work', { failed: 1, active: 2 }),
    );
  });

  define('an elastic indexed job can shrink and grow', async (story) => {
    await story.step(
      'created',
      () => createJob(story, 'work', { completionMode, completions: 3, parallelism: 3 }),
      waiting(story, 3),
    );
    const [, , two = ''] = await pendingPods(story);
    await story.step(
      'index 2 succeeds',
      () => writeStatus(story, [two], succeeded()),
      hasStatus(story, 'work', { completedIndexes: '2' }),
    );
    await story.step(
      'it shrinks to 1',
      () => changeJob(story, 'work', { completions: 1, parallelism: 1 }),
      hasStatus(story, 'work', { active: 1, succeeded: 0 }),
    );
    await story.step(
      'it grows to 3',
      () => changeJob(story, 'work', { completions: 3, parallelism: 3 }),
      waiting(story, 3),
    );
    await story.step(
      'it shrinks to nothing',
      () => changeJob(story, 'work', { completions: 0, parallelism: 0 }),
      hasCondition(story, 'work', 'Complete'),
    );
  });

  define('each index has its own backoff limit', async (story) => {
    await story.step('created', () => createJob(story, 'work', perIndex), waiting(story, 3));
    const [zero = '', one = '', two = ''] = await pendingPods(story);
    await story.step(
      'index 0 fails',
      () => writeStatus(story, [zero], failed()),
      hasStatus(story, 'work', { failed: 1, active: 3 }),
    );
    const [again = ''] = await pendingPods(story);
    await story.step(
      'index 0 fails again',
      () => writeStatus(story, [again], failed()),
      hasStatus(story, 'work', { failed: 2, failedIndexes: '0' }),
    );
    await story.step(
      'index 1 succeeds',
      () => writeStatus(story, [one], succeeded()),
      hasStatus(story, 'work', { succeeded: 1 }),
    );
    await story.step(
      'index 2 succeeds',
      () => writeStatus(story, [two], succeeded()),
      hasCondition(story, 'work', 'Failed'),
    );
  });

  define('a job fails when too many indexes have failed', async (story) => {
    await story.step(
      'created',
      () => createJob(story, 'work', { ...perIndex, backoffLimitPerIndex: 0, maxFailedIndexes: 1 }),
      waiting(story, 3),
    );
    const [zero = '', one = ''] = await pendingPods(story);
    await story.step(
      'index 0 fails',
      () => writeStatus(story, [zero], failed()),
      hasStatus(story, 'work', { failedIndexes: '0' }),
    );
    await story.step(
      'index 1 fails',
      () => writeStatus(story, [one], failed()),
      hasCondition(story, 'work', 'Failed'),
    );
  });

  define('the pod of an index that failed just now is replaced after a while', async (story) => {
    await story.step('created', () => createJob(story, 'work', perIndex), waiting(story, 3));
    const [zero = ''] = await pendingPods(story);
    await story.step(
      'index 0 fails now',
      () => writeStatus(story, [zero], failed({ finishedAt: secondsAgo(story, 0) })),
      hasStatus(story, 'work', { active: 2 }),
    );
  });

  define('a failed pod is replaced when its backoff has passed', async (story) => {
    await story.step('created', () => createJob(story, 'work'), waiting(story, 1));
    await story.step(
      'it fails now',
      async () => writeStatus(story, await pendingPods(story), failed({ finishedAt: secondsAgo(story, 0) })),
      hasStatus(story, 'work', { failed: 1 }),
    );
    await createJob(story, 'later');
    await story.until(waiting(story, 1));
    await story.step(
      'another fails, and its ten seconds are over soon',
      async () => writeStatus(story, await pendingPods(story), failed({ finishedAt: secondsAgo(story, 7) })),
      hasStatus(story, 'later', { failed: 1, active: 1 }),
    );
  });

  define('a pod failure policy fails the job on an exit code', async (story) => {
    const onExitCodes = { containerName: 'main', operator: 'In', values: [42] };
    await story.step(
      'created',
      () =>
        createJob(story, 'work', {
          completions: 2,
          parallelism: 2,
          podFailurePolicy: { rules: [{ action: 'FailJob', onExitCodes }] },
        }),
      waiting(story, 2),
    );
    const [first = '', second = ''] = await pendingPods(story);
    await story.step(
      'exit code 1 counts',
      () => writeStatus(story, [first], failed()),
      hasStatus(story, 'work', { failed: 1, active: 2 }),
    );
    await story.step(
      'exit code 42 fails the job',
      () => writeStatus(story, [second], failed({ exitCode: 42 })),
      hasCondition(story, 'work', 'Failed'),
    );
  });

  define(
    'a pod failure policy ignores a disruption and fails the job on another condition',
    async (story) => {
      const ignored = { action: 'Ignore', onPodConditions: [{ type: 'DisruptionTarget', status: 'True' }] };
      const fatal = { action: 'FailJob', onPodConditions: [{ type: 'ConfigIssue', status: 'True' }] };
      await story.step(
        'created',
        () => createJob(story, 'work', { backoffLimit: 0, podFailurePolicy: { rules: [ignored, fatal] } }),
        waiting(story, 1),
      );
      const conditionOf = (type: string) => ({ conditions: [{ type, status: 'True' }] });
      await story.step(
        'disrupted',
        async () => writeStatus(story, await pendingPods(story), failed(conditionOf('DisruptionTarget'))),
        waiting(story, 1),
      );
      await story.step(
        'a config issue',
        async () => writeStatus(story, await pendingPods(story), failed(conditionOf('ConfigIssue'))),
        hasCondition(story, 'work', 'Failed'),
      );
    },
  );

  define('a pod failure policy counts a failure, or fails its index', async (story) => {
    const rule = (action: string, code: number) => ({
      action,
      onExitCodes: { operator: 'In', values: [code] },
    });
    const rules = [
      rule('FailIndex', 3),
      rule('Count', 4),
      rule('Ignore', 5),
      { action: 'FailJob', onExitCodes: { operator: 'NotIn', values: [6] } },
    ];
    await story.step(
      'created',
      () => createJob(story, 'work', { ...perIndex, podFailurePolicy: { rules } }),
      waiting(story, 3),
    );
    const [zero = '', one = '', two = ''] = await pendingPods(story);
    await story.step(
      'index 0 fails for good',
      () => writeStatus(story, [zero], failed({ exitCode: 3 })),
      hasStatus(story, 'work', { failedIndexes: '0' }),
    );
    await story.step(
      'index 1 fails and counts',
      () => writeStatus(story, [one], failed({ exitCode: 4 })),
      hasStatus(story, 'work', { failed: 2, active: 2 }),
    );
    await story.step(
      'index 2 fails and is ignored',
      () => writeStatus(story, [two], failed({ exitCode: 5 })),
      waiting(story, 2),
    );
    const [, again = ''] = await pendingPods(story);
    await story.step(
      'index 2 fails the job',
      () => writeStatus(story, [again], failed({ exitCode: 7 })),
      hasCondition(story, 'work', 'Failed'),
    );
  });

  define('a success policy completes a job with the indexes that it names', async (story) => {
    await story.step(
      'created',
      () =>
        createJob(story, 'work', {
          completionMode,
          completions: 4,
          parallelism: 4,
          successPolicy: { rules: [{ succeededCount: 3 }, { succeededIndexes: '0,2-3', succeededCount: 2 }] },
        }),
      waiting(story, 4),
    );
    const [zero = '', one = '', two = ''] = await pendingPods(story);
    await writeStatus(story, [zero, one, two], running());
    await story.step(
      'index 1 succeeds',
      () => writeStatus(story, [one], succeeded()),
      hasStatus(story, 'work', { completedIndexes: '1' }),
    );
    await story.step(
      'index 0 succeeds',
      () => writeStatus(story, [zero], succeeded()),
      hasStatus(story, 'work', { completedIndexes: '0,1' }),
    );
    await story.step(
      'index 2 succeeds',
      () => writeStatus(story, [two], succeeded()),
      hasCondition(story, 'work', 'Complete'),
    );
  });
});
