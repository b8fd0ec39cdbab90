import fc from 'fast-check';
import { expect, test } from 'vitest';
import { logLine } from '../../../src/dev/operator/log-line.ts';

const now = new Date('2026-11-23T21:34:20.000Z');
const document = (fields: object) => logLine(JSON.stringify(fields), now);

test('a line of the logger is a document', () => {
  const time = '2026-11-23T21:34:19.500Z';
  expect(document({ time, level: 'warn', msg: 'slow', reconcileId: 'r1', seconds: 3 })).toEqual({
    at: time,
    level: 'warn',
    message: 'slow',
    fields: { seconds: 3 },
    reconcile: 'r1',
  });
});

test.each([
  ['trace', 'debug'],
  ['debug', 'debug'],
  ['fatal', 'error'],
  ['constructor', 'info'],
  [30, 'info'],
])('the level %j is %s', (level, expected) => {
  expect(document({ level }).level).toBe(expected);
});

test.each([['yesterday'], [7], [null]])('with the time %j, the line is of now', (time) => {
  expect(document({ time }).at).toBe(now.toISOString());
});

test.each([['hello'], [''], ['{"level":'], ['[1]'], ['"text"']])('%j is a text', (line) => {
  expect(logLine(line, now)).toEqual({ at: now.toISOString(), level: 'info', message: line, fields: {} });
});

test('what is too long is cut: a thousand lines are kept', () => {
  const long = 'x'.repeat(1_000_000);
  const lines = [
    logLine(long, now),
    document({ msg: long, text: long, object: { deep: [long] }, short: [1] }),
  ];
  for (const line of lines) {
    expect(line.message).toHaveLength(10_001);
    expect(JSON.stringify(line).length).toBeLessThan(32_000);
  }
  expect(lines[1]!.fields['short']).toEqual([1]);
});

test('whatever an operator prints is a line with a time, a level and a message', () => {
  const line = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.json(),
    fc
      .dictionary(fc.constantFrom('time', 'level', 'msg', 'reconcileId', '__proto__'), fc.jsonValue())
      .map((fields) => JSON.stringify(fields)),
  );
  fc.assert(
    fc.property(line, (text) => {
      const { at, level, message, fields, reconcile } = logLine(text, now);
      expect(new Date(at).toISOString()).toBe(at);
      expect(['debug', 'info', 'warn', 'error']).toContain(level);
      expect([typeof message, typeof fields]).toEqual(['string', 'object']);
      expect(['string', 'undefined']).toContain(typeof reconcile);
    }),
  );
});
