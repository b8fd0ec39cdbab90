import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import type { DevChange } from '../../../src/dev/model/dev-change.ts';
import { type Terminal, startTerminal } from '../../../src/dev/terminal/terminal.ts';
import { fakeTerminal } from '../../support/fake-terminal.ts';
import { RecordedClock, devState, reconcile } from './states.ts';

interface Session {
  readonly terminal: Terminal;
  readonly listeners: Set<(change: DevChange) => void>;
  readonly stdin: NodeJS.ReadStream;
  readonly text: () => string;
}

function startSession({ isTTY = true, plain = false, env = {} } = {}): Session {
  const output = fakeTerminal();
  Object.assign(output.stream, { isTTY });
  const stdin = new PassThrough() as unknown as NodeJS.ReadStream;
  const listeners = new Set<(change: DevChange) => void>();
  const clock = new RecordedClock();
  const terminal = startTerminal({
    context: { stdin, stdout: output.stream, env, now: () => new Date(clock.epoch()) },
    plain,
    state: () => devState(),
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    act: () => Promise.reject(new Error('no key was pressed')),
    pageUrl: undefined,
    onQuit: () => expect.unreachable(),
    clock,
  });
  return { terminal, listeners, stdin, text: () => output.text() };
}

test('without a terminal, a session is lines until it stops, and keys do nothing', () => {
  const { terminal, listeners, stdin, text } = startSession({ isTTY: false });
  for (const listener of listeners) {
    for (let i = 0; i < 11; i++) listener({ type: 'reconcile', value: reconcile({ id: String(i) }) });
  }
  expect(text()).toContain('21:34:20 operator   running\n');
  expect(text()).not.toContain('more reconcile');
  terminal.stop();
  expect(text()).toContain('… 1 more reconcile of memcached in 1 s\n');
  expect([listeners.size, stdin.listenerCount('data')]).toEqual([0, 0]);
});

const lines = '21:34:20 operator ';
const liveView = '\u001B[?1049h';

test.each([
  ['a terminal', {}, liveView],
  ['a terminal of a CI job', { env: { CI: 'true' } }, lines],
  ['a terminal without a movable cursor', { env: { TERM: 'dumb' } }, lines],
  ['a terminal on request', { plain: true }, lines],
])('%s shows what it can', (_, options, expected) => {
  const { terminal, text } = startSession(options);
  terminal.stop();
  const other = expected === lines ? liveView : lines;
  expect([text().includes(expected), text().includes(other)]).toEqual([true, false]);
});

test('colors depend on the terminal and NO_COLOR', () => {
  const hasColors = (env: NodeJS.ProcessEnv): boolean => {
    const { terminal, text } = startSession({ plain: true, env });
    terminal.stop();
    return text().includes('\u001B[');
  };
  expect([
    hasColors({ TERM: 'xterm-256color' }),
    hasColors({ TERM: 'xterm-256color', NO_COLOR: '1' }),
  ]).toEqual([true, false]);
});
