import type { EventEmitter } from 'node:events';
import { expect, test } from 'vitest';
import { LiveSession } from './live-session.ts';
import { busyState, devState, memcached } from './states.ts';

const columnsOf = (ready: number): ReturnType<typeof devState>['objects'] => ({
  'memcached-1': memcached({ columns: [{ name: 'Ready', value: String(ready) }], conditions: [] }),
});

test('a view draws only the rows that changed, at most 15 times a second', async () => {
  const session = new LiveSession({ state: devState({ objects: columnsOf(0) }) });
  const { clock, screen } = session;
  expect((await screen.rows())[4]).toMatch(/^Memcached default\/sample {2}Ready 0 +90s$/);
  const before = screen.written.length;
  let draws = 0;
  for (let ready = 1; ready <= 100; ready++) {
    const { length } = screen.written;
    session.change({ objects: columnsOf(ready) });
    clock.advance(10);
    if (screen.written.length > length) draws++;
  }
  clock.advance(66);
  expect(draws).toBeGreaterThan(10);
  expect(draws).toBeLessThanOrEqual(15);
  expect((await screen.rows())[4]).toMatch(/Ready 100 +91s/);
  // Each frame has one row of about 80 characters, not 24.
  expect(screen.written.length - before).toBeLessThan(16 * 130);
  session.view.stop();
});

test('a view that takes long to draw leaves most of the time to the session', () => {
  const session = new LiveSession({ state: devState() });
  const { clock } = session;
  const passed = clock.now.bind(clock);
  let draws = 0;
  // A frame takes 50 ms, most of it for the objects.
  clock.now = () => passed() + draws * 50;
  const { state } = session;
  Object.defineProperty(session, 'state', { get: () => (draws++, state) });
  for (let changes = 0; changes < 100; changes++) {
    session.view.add();
    clock.advance(10);
  }
  expect(draws).toBeGreaterThan(3);
  expect(draws * 50).toBeLessThan((1000 + draws * 50) / 3);
});

test('nothing is written while nothing changes but the age of objects', async () => {
  const session = new LiveSession({ state: devState() });
  await session.screen.rows();
  const { length } = session.screen.written;
  session.clock.advance(1000);
  session.clock.advance(1000);
  expect(session.screen.written.length).toBe(length);
  session.view.stop();
});

test('a terminal that becomes smaller or larger gets a frame that fits', async () => {
  const session = new LiveSession();
  expect((await session.screen.rows()).length).toBe(24);
  session.resize(40, 10);
  const small = await session.screen.rows();
  expect([small.length, small.at(-1)]).toEqual([10, 'o page  r restart  ? help  q quit']);
  session.resize(120, 40);
  expect((await session.screen.rows()).at(-1)).toContain('k kubeconfig');
  session.view.stop();
});

test('at the end the terminal is as before, and the whole last frame can be read', async () => {
  const session = new LiveSession({ rows: 10 });
  expect([await session.screen.isAlternate(), session.screen.isCursorHidden, session.rawModes]).toEqual([
    true,
    true,
    [true],
  ]);
  session.view.stop();
  const rows = await session.screen.allRows();
  expect([await session.screen.isAlternate(), session.screen.isCursorHidden, session.rawModes]).toEqual([
    false,
    false,
    [true, false],
  ]);
  expect(rows[0]).toBe('memcached-operator  ● running');
  expect(rows).toContain('21:33:50 ✓ default/sample  34 ms  applied deployments, memcacheds/status');
  expect(rows.join('\n')).not.toContain('q quit');
});

test('a crash gives the terminal back before Node prints the error', async () => {
  const session = new LiveSession();
  (process as EventEmitter).emit('uncaughtExceptionMonitor', new Error('crash'));
  expect([await session.screen.isAlternate(), session.screen.isCursorHidden, session.rawModes]).toEqual([
    false,
    false,
    [true, false],
  ]);
  const listeners = process.listenerCount('exit');
  session.view.stop();
  expect(process.listenerCount('exit')).toBe(listeners - 1);
});

test('keys act on the session, and the view says what came of it', async () => {
  const session = new LiveSession();
  expect((await session.press('r')).at(-2)).toBe('The operator restarts.');
  session.answer = () => Promise.reject(new Error('Sample config/samples/a.yaml is invalid'));
  expect((await session.press('a')).at(-2)).toBe('Sample config/samples/a.yaml is invalid');
  expect(session.actions).toEqual([{ action: 'restart' }, { action: 'apply-samples' }]);
  session.clock.advance(60_000);
  expect((await session.screen.rows()).at(-2)).toContain('is invalid');
  expect((await session.press('k')).at(-2)).toBe('export KUBECONFIG=/tmp/ots-dev/kubeconfig');
  expect((await session.press('?')).slice(3, 6)).toEqual([
    'KEYS',
    '     o  Open the page in a browser.',
    '     r  Restart the operator.',
  ]);
  expect((await session.press('?'))[3]).toBe('OBJECTS  6');
  session.view.stop();
});

test('an answer goes after a while', async () => {
  const session = new LiveSession();
  await session.press('r');
  session.clock.advance(5000);
  expect((await session.screen.rows()).at(-2)).not.toBe('The operator restarts.');
  session.view.stop();
});

test('an object is paused with arrow keys or its number, stepped and resumed', async () => {
  const session = new LiveSession();
  const choice = await session.press('p');
  expect(choice.slice(3, 6)).toEqual([
    'Pause or resume: arrow keys and Enter, or a number. s steps, Esc closes.',
    '❯ 1 all reconciles',
    '  2 memcached default/sample',
  ]);
  expect((await session.press('\u001B[B', '\u001B[B'))[5]).toBe('❯ 2 memcached default/sample');
  await session.press('\r');
  session.change({ operator: { ...session.state.operator, pausedObjects: ['memcached default/sample'] } });
  expect((await session.press('s'))[0]).toBe(
    'memcached-operator  ● running  paused: memcached default/sample',
  );
  await session.press('p', '2');
  const object = { controller: 'memcached', namespace: 'default', name: 'sample' };
  expect(session.actions).toEqual([
    { action: 'pause', ...object },
    { action: 'step', ...object },
    { action: 'resume', ...object },
  ]);
  session.view.stop();
});

test('all reconciles are paused and stepped; without a pause, s says how to', async () => {
  const session = new LiveSession({ state: busyState({ reconciles: [], queues: [] }) });
  expect((await session.press('s')).at(-2)).toBe('Nothing is paused: press p to pause.');
  await session.press('p', '\u001B[A', '\r');
  session.change({ operator: { ...session.state.operator, isPaused: true } });
  await session.press('s');
  expect((await session.press('p'))[4]).toBe('❯ 1 all reconciles  paused');
  expect((await session.press('\u001B'))[3]).toBe('OBJECTS  6');
  expect(session.actions).toEqual([{ action: 'pause' }, { action: 'step' }]);
  session.view.stop();
});

test.each(['q', '\u0003'])('%j quits once, and later Ctrl-C is a signal again', async (key) => {
  const session = new LiveSession();
  await session.press(key, key);
  expect([session.quits, session.rawModes]).toEqual([1, [true, false]]);
  expect((await session.screen.rows()).at(-1)).toBe('The session ends …');
  session.view.stop();
});

test('nothing is drawn after the end, also when the key that quits ends the view', async () => {
  const session = new LiveSession();
  session.onQuit = () => session.view.stop();
  await session.press('q');
  session.clock.advance(5000);
  expect([await session.screen.isAlternate(), session.screen.isCursorHidden]).toEqual([false, false]);
});

test('without a terminal on standard input, there are no keys', async () => {
  const session = new LiveSession({ hasKeys: false });
  const rows = await session.press('q');
  expect([session.quits, session.rawModes, rows.join('\n').includes('q quit')]).toEqual([0, [], false]);
  session.view.stop();
});
