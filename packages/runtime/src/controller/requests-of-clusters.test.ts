import { expect, onTestFinished, test } from 'vitest';
import { controllerFixture, gate } from '../../test/controller-fixture.ts';
import { eventually } from '../../test/eventually.ts';
import { settled } from '../../test/virtual-clock.ts';
import type { Request } from './reconciler.ts';
import { requestKey } from './request-key.ts';

const at = (cluster: string, name = 'a'): Request => ({ name, namespace: 'default', cluster });
const texts = (open: readonly { request: Request }[]): string[] =>
  open.map(({ request }) => requestKey(request));

/** Ends what still runs before the controller stops, which waits for it. */
function endWithTest(open: readonly { finish: () => void }[]): void {
  onTestFinished(() => {
    while (open.length > 0) open[0]!.finish();
  });
}

test('objects of the same name in different clusters are different objects', async () => {
  const { open, reconcile } = gate();
  const { controller, logged, start } = controllerFixture(reconcile);
  controller.workFor(2);
  start();
  endWithTest(open);
  for (const request of [at('east'), at('west'), at(''), { name: 'a', namespace: 'default' }])
    controller.enqueue(request);
  await eventually(() => open.length === 3);
  expect(texts(open)).toEqual(['east//default/a', 'west//default/a', 'default/a']);
  expect(open[0]!.request).toEqual({ name: 'a', namespace: 'default', cluster: 'east' });
  expect(open[2]!.request).toEqual({ name: 'a', namespace: 'default' });
  open[0]!.context.logger.info('hello');
  expect(logged('info')).toMatchObject([{ cluster: 'east', namespace: 'default', name: 'a' }]);
});

test('names of clusters that look like keys do not collide', () => {
  const requests: Request[] = [
    { name: 'c', namespace: 'b', cluster: 'a' },
    { name: 'c', cluster: 'a//b' },
    { name: 'c', cluster: 'a/b' },
    { name: 'c', namespace: 'b', cluster: 'a/' },
    { name: 'c', namespace: 'a' },
  ];
  expect(new Set(requests.map(requestKey)).size).toBe(requests.length);
});

test('a cluster whose reconciles hang occupies only its own workers', async () => {
  const { open, reconcile } = gate();
  const { controller, start } = controllerFixture(reconcile);
  controller.workFor(2);
  start();
  endWithTest(open);
  for (let index = 0; index < 100; index += 1) controller.enqueue(at('hangs', String(index)));
  for (const cluster of ['b', 'c']) controller.enqueue(at(cluster));
  await eventually(() => open.length === 3);
  expect(texts(open)).toEqual(['hangs//default/0', 'b//default/a', 'c//default/a']);
  open[1]!.finish();
  controller.enqueue(at('b', 'next'));
  await eventually(() => texts(open).includes('b//default/next'));
  expect(texts(open)).toEqual(['hangs//default/0', 'c//default/a', 'b//default/next']);
});

test('when a cluster leaves, its requests are dropped and its reconciles aborted, and nothing comes back', async () => {
  const { open, reconcile } = gate();
  const clusters = new Set(['a', 'b']);
  const { clock, controller, delays, logged, start, observed } = controllerFixture(reconcile, {
    hasCluster: (name) => clusters.has(name),
  });
  controller.workFor(2);
  start();
  for (const request of [at('a'), at('a', 'waits'), at('b')]) controller.enqueue(request);
  controller.enqueue(at('a', 'later'), { after: 1000 });
  await eventually(() => open.length === 2);
  clusters.delete('a');
  const reason = new Error('the cluster has left');
  controller.leave('a', reason);
  controller.workFor(1);
  const [left, stays] = open as [(typeof open)[0], (typeof open)[0]];
  expect(left.context.signal.reason).toBe(reason);
  expect(stays.context.signal.aborted).toBe(false);
  controller.enqueue(at('a', 'late'));
  left.finish({ requeueAfter: 500 });
  stays.finish();
  await settled();
  await clock.advance(2000);
  expect(texts(open)).toEqual([]);
  expect(delays()).toEqual([]);
  expect(observed.filter((text) => text === 'started')).toHaveLength(2);
  expect([...logged('error'), ...logged('warn')]).toEqual([]);
});

test('what a reconcile of a left cluster throws is neither an error nor retried, and the next one is a first attempt', async () => {
  const clusters = new Set(['a']);
  let failing: (() => void) | undefined;
  const attempts: number[] = [];
  const { clock, controller, delays, logged, start } = controllerFixture(
    (_, { attempt }) => {
      attempts.push(attempt);
      return new Promise((_resolve, reject) => {
        failing = () => reject(new Error('closed'));
        if (attempts.length === 1 || attempts.length === 3) failing();
      });
    },
    { hasCluster: (name) => clusters.has(name) },
  );
  controller.workFor(1);
  start();
  controller.enqueue(at('a'));
  await eventually(() => delays().length === 1);
  await clock.advance(5);
  await eventually(() => attempts.length === 2);
  clusters.delete('a');
  controller.leave('a', new Error('left'));
  failing!();
  await settled();
  expect(delays()).toEqual([]);
  expect(logged('error')).toHaveLength(1);
  clusters.add('a');
  controller.enqueue(at('a'));
  await eventually(() => delays().length === 1);
  expect(attempts).toEqual([1, 2, 1]);
  expect(delays()).toEqual([5]);
});

test('a reconcile that ignores that its cluster has left costs the others no worker', async () => {
  const { open, reconcile } = gate();
  const clusters = new Set(['a']);
  const { controller, start } = controllerFixture(reconcile, { hasCluster: (name) => clusters.has(name) });
  controller.workFor(1);
  start();
  endWithTest(open);
  controller.enqueue(at('a'));
  await eventually(() => open.length === 1);
  clusters.delete('a');
  controller.leave('a', new Error('left'));
  controller.workFor(0);
  clusters.add('b');
  controller.workFor(1);
  controller.enqueue(at('b'));
  controller.enqueue({ name: 'own' });
  await eventually(() => open.length === 3);
  expect(texts(open)).toEqual(['a//default/a', 'b//default/a', 'own']);
  while (open.length > 0) open[0]!.finish();
  // As many workers as at first are left.
  for (const name of ['1', '2']) controller.enqueue({ name });
  for (const name of ['1', '2']) controller.enqueue(at('b', name));
  await eventually(() => open.length === 2);
  await settled();
  expect(texts(open)).toEqual(['1', 'b//default/1']);
});
