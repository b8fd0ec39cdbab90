import { expect, test } from 'vitest';
import { errorMessage } from './error-message.ts';

test.each([
  [new Error('a reason'), 'a reason'],
  [new AggregateError([new Error('one'), new Error('another')]), 'one, another'],
  ['a text', 'a text'],
  [undefined, 'undefined'],
  [Symbol('s'), 'Symbol(s)'],
  [Object.create(null), 'an error without a message'],
])('any thrown value has a message', (error, message) => {
  expect(errorMessage(error)).toBe(message);
});
