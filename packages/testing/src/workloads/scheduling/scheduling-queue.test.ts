import type { Pod } from 'ots-kubernetes/core/v1';
import type { Cache, SourceContext } from 'ots-runtime';
import { expect, test } from 'vitest';
import { SchedulingQueue } from './scheduling-queue.ts';

const podOf = (name: string): Pod => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name, namespace: 'default', uid: name },
  spec: { containers: [{ name: 'app', image: 'app:1' }] },
});
const [a, b] = [podOf('a'), podOf('b')];

/** A queue over a cache with pods, and the names of the pods that it has queued. */
function start(pods: readonly Pod[]) {
  const handler = { synced: Promise.resolve(), [Symbol.dispose]: () => {} };
  const cache = {
    add: () => {},
    get: (_kind: unknown, { name }: { name: string }) => pods.find(({ metadata }) => metadata.name === name),
    informer: () => ({ addHandler: () => handler }),
  };
  const queue = new SchedulingQueue(cache as unknown as Cache);
  const queued: string[] = [];
  const { signal } = new AbortController();
  void queue.start({
    enqueue: ({ name }: { name: string }) => queued.push(name),
    signal,
  } as unknown as SourceContext);
  return { queue, queued };
}

test('of equal pods, the first one is tried, and again when something changes after its turn has come', () => {
  const { queue, queued } = start([a, b]);
  queue.postpone(a);
  queue.postpone(b);
  queue.retry();
  queue.retry();
  expect(queued).toEqual(['a']);
  queue.began(a);
  queue.retry();
  expect(queued).toEqual(['a', 'a']);
  queue.retryNext(a);
  expect(queued).toEqual(['a', 'a', 'b']);
});

test('a pod that got a place does not wait, so the pods after it are tried once', () => {
  const { queue, queued } = start([a, b]);
  queue.postpone(a);
  queue.postpone(b);
  for (const pod of [a, b, a, b]) {
    queue.began(pod);
    queue.ended(pod);
  }
  expect(queued).toEqual(['b']);
});

test('a pod that is gone or bound when its attempt ends does not stand for others', () => {
  const bound = { ...a, spec: { ...a.spec!, nodeName: 'node-1' } };
  for (const pods of [[b], [bound, b], [{ ...a, metadata: { ...a.metadata, uid: 'new' } }, b]]) {
    const { queue, queued } = start(pods);
    queue.postpone(a);
    queue.postpone(b);
    queue.retry();
    expect(queued).toEqual(['b']);
  }
});
