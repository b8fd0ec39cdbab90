import { PassThrough, Writable } from 'node:stream';
import { expect, test } from 'vitest';
import type { DevChange } from '../../../src/dev/model/dev-change.ts';
import { startTerminal } from '../../../src/dev/terminal/terminal.ts';
import { RecordedClock, devState, reconcile } from './states.ts';

test('without a terminal, a session is lines until it stops, and keys do nothing', () => {
  let text = '';
  const stdout = new Writable({
    write(chunk: Buffer, _, done) {
      text += chunk.toString('utf8');
      done();
    },
  }) as NodeJS.WriteStream;
  const stdin = new PassThrough() as unknown as NodeJS.ReadStream;
  const listeners = new Set<(change: DevChange) => void>();
  const clock = new RecordedClock();
  const terminal = startTerminal({
    context: { stdin, stdout, env: {}, now: () => new Date(clock.epoch()) },
    plain: false,
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
  for (const listener of listeners) {
    for (let i = 0; i < 11; i++) listener({ type: 'reconcile', value: reconcile({ id: String(i) }) });
  }
  expect(text).toContain('21:34:20 operator   running\n');
  expect(text).not.toContain('more reconcile');
  terminal.stop();
  expect(text).toContain('… 1 more reconcile of memcached in 1 s\n');
  expect([listeners.size, stdin.listenerCount('data')]).toEqual([0, 0]);
});
