import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type * as Runtime from '../index.ts';

const isTerminal = process.stderr.isTTY;
let written: string;
/** As in a program that has just started. */
let runtime: typeof Runtime;

beforeEach(async () => {
  written = '';
  vi.spyOn(process.stderr, 'write').mockImplementation((text) => Boolean((written += String(text))));
  vi.spyOn(process, 'exit').mockImplementation((code) => {
    throw new Error(`exit code ${code}`);
  });
  vi.resetModules();
  runtime = await import('../index.ts');
});

afterEach(() => {
  vi.restoreAllMocks();
  process.stderr.isTTY = isTerminal;
});

function end(error: unknown): string {
  expect(() => runtime.exitWithError(error)).toThrow('exit code 1');
  return written;
}

const away = (): Error => new runtime.ConnectionError('Cannot reach https://a', 'Start it.', new Error('no'));

test('a wrong command line prints two lines', () => {
  const error = new runtime.FlagError('--leader-elekt is not a flag', 'Did you mean --leader-elect?');
  expect(() => runtime.exitWithError(error)).toThrow('exit code 2');
  expect(written).toBe('--leader-elekt is not a flag\nDid you mean --leader-elect?\n');
});

test('any other error is a log line with all details', () => {
  process.stderr.isTTY = false;
  expect(JSON.parse(end(new runtime.UsageError('no port', 'Give one.')))).toMatchObject({
    level: 'fatal',
    msg: 'the operator stopped: no port',
    err: { type: 'UsageError', hint: 'Give one.', stack: expect.stringContaining('exit-with-error.test.ts') },
  });
});

test('on a terminal, one line says what is wrong and the next what to do', () => {
  process.stderr.isTTY = true;
  expect(end(away())).toMatch(
    /^[\d:.]+ FATAL the operator stopped: Cannot reach https:\/\/a\n {4}Start it\.\n$/,
  );
});

test('an unexpected error has a stack, once', () => {
  process.stderr.isTTY = true;
  expect(end(new TypeError('x is undefined'))).toMatch(
    /FATAL the operator stopped: x is undefined\n {4}TypeError: x is undefined\n( {8}at .+\n)+$/,
  );
});

test.each(['json', 'console'])('--zap-encoder=%s holds for the last line as well', (encoder) => {
  // A terminal for the one, and none for the other: what was asked for wins.
  process.stderr.isTTY = encoder === 'json';
  const { logger } = runtime.parseFlags({
    leaderElectionId: 'a.example.com',
    argv: [`--zap-encoder=${encoder}`],
    env: {},
  });
  runtime.createLogger(logger);
  expect(end(away())).toMatch(encoder === 'json' ? /^\{"level":"fatal"/ : /^[\d:.]+ FATAL/);
});
