import { expect, test } from 'vitest';
import { completeRotatorOptions } from './rotator-options.ts';

const options = { secretName: 'certs', serviceName: 'webhooks' };
const defaults = { namespace: 'system', customResourceDefinitions: ['widgets.example.com'] };

test('namespace and definitions are those of the manager, unless others are given', () => {
  expect(completeRotatorOptions(options, defaults)).toEqual({ ...options, ...defaults });
  const own = { ...options, namespace: 'other', customResourceDefinitions: [] };
  expect(completeRotatorOptions(own, defaults)).toEqual(own);
  expect(completeRotatorOptions(own, undefined)).toEqual(own);
});

test('a missing namespace is not guessed', () => {
  expect(() => completeRotatorOptions(options, { ...defaults, namespace: undefined })).toThrow(
    'The namespace of the Secret for the serving certificate is unknown',
  );
});
