import { expect, test } from 'vitest';
import { impersonationHeaders } from './impersonation-headers.ts';

test('names the impersonated user, with keys percent-encoded and values as UTF-8', () => {
  const extra = {
    'example.com/Scope%': ['a', 'b'],
    ключ: ['ü'],
    none: [],
    ['__proto__']: ['x'],
  };
  const headers = impersonationHeaders({ user: 'jürgen', uid: '7', groups: ['g1', 'g,2'], extra });
  expect(Object.entries(headers)).toEqual([
    ['impersonate-user', 'j\u00c3\u00bcrgen'],
    ['impersonate-uid', '7'],
    ['impersonate-group', ['g1', 'g,2']],
    ['impersonate-extra-example.com%2FScope%25', ['a', 'b']],
    ['impersonate-extra-%D0%BA%D0%BB%D1%8E%D1%87', ['\u00c3\u00bc']],
    ['impersonate-extra-__proto__', ['x']],
  ]);
  expect(impersonationHeaders({ user: 'a' })).toEqual({ 'impersonate-user': 'a' });
});

test('no value can inject a header', () => {
  expect(() => impersonationHeaders({ user: 'a\r\nauthorization: x' })).toThrow(/control characters/);
});
