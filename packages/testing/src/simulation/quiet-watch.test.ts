import { expect, test } from 'vitest';
import { QuietWatch } from './quiet-watch.ts';

const limit = 10_000;

/** A watch, and what checks it every second. */
function watched() {
  let now = 0;
  const watch = new QuietWatch(() => now);
  const check = (seconds: number, busy: readonly string[] = []) => {
    for (let second = 0; second < seconds; second += 1) {
      now += 1000;
      watch.check(busy, limit);
    }
  };
  return { watch, check, sleep: (seconds: number) => (now += seconds * 1000) };
}

test('a cluster in which nothing moves for the limit is stuck, and the error says what is busy', () => {
  const { watch, check } = watched();
  check(9);
  watch.moved();
  check(9);
  expect(() => check(1, ['the reconcile of default/web by pages'])).toThrow(
    'The cluster was not quiet after 10 s: the reconcile of default/web by pages',
  );
});

test('a process that gets no processor time is not stuck', () => {
  const { watch, check, sleep } = watched();
  check(5);
  sleep(60);
  watch.check([], limit);
  check(4);
  expect(() => check(1)).toThrow('a delivery does not end');
});

test('the same request again and again is a loop', () => {
  const { watch } = watched();
  const request = {
    user: 'operator',
    userAgent: '',
    verb: 'update',
    resource: 'pages',
    namespace: 'default',
  };
  for (let count = 0; count < 5000; count += 1) watch.sent({ ...request, name: 'home' });
  expect(() => watch.check([], limit)).toThrow(
    '5000 times at the same time: update pages default/home of operator',
  );
});
