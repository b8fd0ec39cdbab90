import { expect, test } from 'vitest';
import { ApiError } from '../errors/api-error.ts';
import { MultipleFailuresError } from '../errors/multiple-failures-error.ts';
import { FinalizerError } from '../finalizers/finalizer-error.ts';
import { TerminalError, classifyError } from './classify-error.ts';

const terminal = new TerminalError('never');
const conflict = new ApiError({ code: 409, reason: 'Conflict', message: 'it has changed' });
const gone = new ApiError({
  code: 404,
  reason: 'NotFound',
  message: 'it is gone',
  details: { name: 'it' },
});
const failure = new Error('away');

test.each<[string, unknown[], ReturnType<typeof classifyError>]>([
  ['all terminal', [terminal, terminal], 'terminal'],
  ['one terminal and one that may pass', [terminal, failure], 'error'],
  ['one terminal and a conflict', [terminal, conflict], 'conflict'],
  ['one terminal and one that is gone', [terminal, gone], 'gone'],
  ['one that is gone and a conflict', [gone, conflict], 'conflict'],
  ['a conflict and a failure', [conflict, failure], 'error'],
  ['several again', [terminal, new MultipleFailuresError([terminal, failure])], 'error'],
])('of several errors, the one that most needs a retry counts: %s', (_, errors, meaning) => {
  expect(classifyError(new MultipleFailuresError(errors))).toBe(meaning);
  expect(classifyError(new Error('no', { cause: new MultipleFailuresError(errors) }))).toBe(meaning);
  const byFinalizer = errors.map((error, index): [string, unknown] => [`example.com/${index}`, error]);
  expect(classifyError(new FinalizerError(new Map(byFinalizer)))).toBe(meaning);
});
