import { InstallError } from 'ots-apiserver';
import { expect, test } from 'vitest';
import { problemsOf } from '../../../src/dev/session/problems-of.ts';
import { OtsError } from '../../../src/errors/ots-error.ts';

test('an error of ots has its hint', () => {
  const error = new OtsError('NO_OPERATOR', 'No Deployment', { hint: 'Restore it.' });
  expect(problemsOf(error)).toEqual([{ message: 'No Deployment', hint: 'Restore it.' }]);
});

test('each error in the sources has its place', () => {
  const diagnostic = { file: 'src/a.ts', line: 3, column: 5, message: 'is not a type' };
  const diagnostics = [diagnostic, { ...diagnostic, line: 4, hint: 'Use a string.' }];
  const error = new OtsError('INVALID', '2 errors', { hint: 'Fix them.', details: { diagnostics } });
  expect(problemsOf(error)).toEqual([
    { message: 'is not a type', location: 'src/a.ts:3:5' },
    { message: 'is not a type', hint: 'Use a string.', location: 'src/a.ts:4:5' },
  ]);
});

test.each([
  [new Error('broken'), 'broken'],
  ['text', 'text'],
  [undefined, 'undefined'],
])('%s is a problem without a hint', (error, message) => {
  expect(problemsOf(error)).toEqual([{ message }]);
});

test('an object that cannot be applied has its problem and its hint apart', () => {
  const [problem] = problemsOf(
    Object.create(InstallError.prototype, { problem: { value: 'p' }, hint: { value: 'h' } }),
  );
  expect(problem).toEqual({ message: 'p', hint: 'h' });
});
