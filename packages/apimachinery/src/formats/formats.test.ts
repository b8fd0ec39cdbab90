import { expect, test } from 'vitest';
import { matchesFormat } from './formats.ts';

test.each([
  ['date', ['2026-02-28', '2024-02-29'], ['2026-02-30', '2026-2-3', 'x']],
  [
    'date-time',
    ['2026-01-31T12:00:00Z', '2026-01-31T12:00:00.123+02:00'],
    ['2026-01-31', '2026-13-01T00:00:00Z', 'x'],
  ],
  ['duration', ['1h30m', '-1.5s', '250ms', '3 days', '0', '1h30'], ['x', '', '1']],
  ['byte', ['YWI='], ['', '!', 'YWI']],
  ['email', ['a@b.c'], ['a', '@b']],
  ['hostname', ['a', 'b-c.example', 'example.com'], ['-a', 'a_b', 'a.b-c']],
  ['ipv4', ['10.0.0.1'], ['10.0.0.256', '::1']],
  ['ipv6', ['::1'], ['10.0.0.1', ':::']],
  ['cidr', ['10.0.0.0/8', '::/0'], ['10.0.0.0', '10.0.0.0/33', '10.0.0.0/a']],
  ['mac', ['01:23:45:67:89:ab', '0123.4567.89ab', '0123456789ab'], ['01:23', '01:23-45:67:89:ab']],
  ['uri', ['https://a.b/c', '/a'], ['::', 'a b']],
  ['uuid', ['2f1d8f0e-5b1c-4c3b-9a53-0d0a6e5a2c11'], ['x', '2f1d8f0e']],
  ['uuid4', ['2f1d8f0e-5b1c-4c3b-9a53-0d0a6e5a2c11'], ['2f1d8f0e-5b1c-3c3b-9a53-0d0a6e5a2c11']],
  ['unheard-of', ['anything'], []],
])('format %s', (format, good, bad) => {
  expect(good.filter((text) => !matchesFormat(text, format))).toStrictEqual([]);
  expect(bad.filter((text) => matchesFormat(text, format))).toStrictEqual([]);
});
