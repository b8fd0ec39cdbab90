import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { FlagError } from '../flags/flag-error.ts';
import { exitWithError } from './exit-with-error.ts';
import { UsageError } from './usage-error.ts';

const isTerminal = process.stderr.isTTY;
let written: string;

beforeEach(() => {
  written = '';
  vi.spyOn(process.stderr, 'write').mockImplementation((text) => Boolean((written += String(text))));
  vi.spyOn(process, 'exit').mockImplementation((code) => {
    throw new Error(`exit code ${code}`);
  });
});

afterEach(() => {
  vi.restoreAllMocks();
  process.stderr.isTTY = isTerminal;
});

test('a mistake on the command line is said in two lines', () => {
  const error = new FlagError('there is no flag --leader-elekt', 'Did you mean --leader-elect?');
  expect(() => exitWithError(error)).toThrow('exit code 2');
  expect(written).toBe('there is no flag --leader-elekt\nDid you mean --leader-elect?\n');
});

test('what else goes wrong is a line of the log, with all that is known', () => {
  process.stderr.isTTY = false;
  expect(() => exitWithError(new UsageError('no port', 'Give one.'))).toThrow('exit code 1');
  expect(JSON.parse(written)).toMatchObject({
    level: 'fatal',
    msg: 'the operator stopped: no port',
    err: { type: 'UsageError', hint: 'Give one.', stack: expect.stringContaining('exit-with-error.test.ts') },
  });
});

test('people are shown the hint, and the stack of what nobody expected', () => {
  process.stderr.isTTY = true;
  expect(() => exitWithError(new UsageError('no port', 'Give one.'))).toThrow('exit code 1');
  expect(written).toMatch(/FATAL the operator stopped: no port hint="Give one\."\n$/);
  written = '';
  expect(() => exitWithError(new TypeError('x is undefined'))).toThrow('exit code 1');
  expect(written).toMatch(/FATAL the operator stopped: x is undefined\n.*TypeError: x is undefined\n +at /);
});
