import { expect, test } from 'vitest';
import { eventually } from '../../test/eventually.ts';
import {
  answerList,
  event,
  type Fixture,
  object,
  openWatch,
  passBackoff,
  refuse,
  run,
} from '../../test/informer-fixture.ts';

const all = ['debug', 'info', 'warn', 'error'];
const interrupted = 'watch interrupted; resuming';
const cannotWatch = 'error: Thing (example.com/v1) cannot be watched';

/** Lets attempts fail until so many lists or watches were asked for. */
async function untilAsked(fixture: Fixture, count: number): Promise<void> {
  const asked = (): number => fixture.lists().length + fixture.watches().length;
  for (let before = asked(); before < count; before = asked()) {
    await passBackoff(fixture);
    await eventually(() => asked() > before);
  }
}

test('a forbidden list is logged once, not at each attempt', async () => {
  const fixture = await run({ list: [refuse(403, 'Forbidden')] });
  await untilAsked(fixture, 5);
  expect(fixture.logged('info', 'warn', 'error')).toEqual([cannotWatch]);
});

test('a forbidden watch of a kind that can be listed is logged once', async () => {
  const fixture = await run({ watch: [refuse(403, 'Forbidden')] });
  await untilAsked(fixture, 8);
  expect(fixture.watches().length).toBeGreaterThan(2);
  expect(fixture.logged('info', 'warn', 'error')).toEqual([cannotWatch]);
});

test('a permission that is revoked again is logged again', async () => {
  const added = event('ADDED', object('a', 11));
  const fixture = await run({
    list: [refuse(403, 'Forbidden'), answerList([])],
    watch: [openWatch(added, 'reset'), refuse(403, 'Forbidden')],
  });
  await untilAsked(fixture, 4);
  await eventually(() => fixture.logged('error').length === 2);
  expect(fixture.logged('error')).toEqual([cannotWatch, cannotWatch]);
});

test('a server that keeps failing is logged twice: the first failure, and that it continues', async () => {
  const fixture = await run({ list: [refuse(500, 'InternalError')] });
  await untilAsked(fixture, 5);
  expect(fixture.logged(...all).slice(0, 4)).toEqual([
    `info: ${interrupted}`,
    `warn: ${interrupted}`,
    `debug: ${interrupted}`,
    `debug: ${interrupted}`,
  ]);
});

test('a watch that breaks and resumes does not need attention', async () => {
  const added = event('ADDED', object('a', 11));
  const fixture = await run({ watch: [openWatch(added, 'reset'), openWatch()] });
  await eventually(() => fixture.logged(...all).length > 0);
  await passBackoff(fixture);
  await eventually(() => fixture.watches().length === 2);
  expect(fixture.logged(...all)).toEqual([`debug: ${interrupted}`]);
});

test('a kind that is not installed is logged once, and so is its installation', async () => {
  const missing = refuse(404, 'NotFound');
  const fixture = await run({ list: [missing, missing, missing, answerList([])] });
  await untilAsked(fixture, 4);
  await fixture.informer.synced;
  expect(fixture.logged('info', 'warn', 'error')).toEqual([
    'error: Thing (example.com/v1) is not installed; run npm run install:crds, or install the project that it belongs to',
    'info: Thing (example.com/v1) is installed now',
  ]);
});

test('the removal of a kind is logged once, and so is its return', async () => {
  const missing = refuse(404, 'NotFound');
  const fixture = await run({
    list: [answerList([object('a', 1)]), missing],
    watch: [refuse(404, 'NotFound')],
    discovered: false,
  });
  await fixture.informer.synced;
  for (let attempts = 0; fixture.informer.exists; attempts += 1) {
    expect(attempts).toBeLessThan(20);
    const asked = fixture.lists().length + fixture.watches().length;
    await passBackoff(fixture);
    await eventually(
      () => fixture.lists().length + fixture.watches().length > asked || !fixture.informer.exists,
    );
  }
  expect(fixture.logged('warn', 'error').filter((line) => line.includes('installed'))).toEqual([
    'warn: Thing (example.com/v1) is not installed; run npm run install:crds, or install the project that it belongs to',
  ]);
});

test('an optional kind that is not installed has no line', async () => {
  const fixture = await run({ list: [refuse(404, 'NotFound')], options: { optional: true } });
  await fixture.informer.synced;
  await untilAsked(fixture, 3);
  expect(fixture.logged('info', 'warn', 'error')).toEqual([]);
});
