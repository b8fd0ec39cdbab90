import { expect, test } from 'vitest';
import { jsonLine } from '../../../src/dev/terminal/json-line.ts';
import { errorLog } from './states.ts';

test('a change is one line of JSON without characters that a terminal obeys', () => {
  const message = 'a\nb\u001B[2J\u009B31m\u2028\u202E é 🚀';
  const line = jsonLine({ type: 'log', value: errorLog({ message }) });
  expect(line.slice(0, -1)).not.toMatch(/[\p{Cc}\p{Zl}\p{Bidi_Control}]/u);
  expect(line.endsWith('}\n')).toBe(true);
  expect(JSON.parse(line)).toEqual({ type: 'log', value: errorLog({ message }) });
});
