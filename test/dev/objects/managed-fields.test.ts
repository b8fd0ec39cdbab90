import fc from 'fast-check';
import { expect, test } from 'vitest';
import { managedFields } from '../../../src/dev/objects/managed-fields.ts';

test('fields, list items, values of sets and keys that are data', () => {
  const fields = {
    'f:metadata': { 'f:annotations': { '.': {}, 'f:example.com/at': {} }, 'f:finalizers': { 'v:"a/b"': {} } },
    'f:spec': {
      'f:replicas': {},
      'f:containers': {
        'k:{"name":"web"}': { '.': {}, 'f:image': {} },
        'k:{"containerPort":80,"protocol":"TCP"}': {},
      },
      'f:args': { 'i:0': {} },
    },
  };
  expect(managedFields(fields)).toEqual([
    'metadata.annotations["example.com/at"]',
    'metadata.finalizers["a/b"]',
    'spec.replicas',
    'spec.containers[name=web].image',
    'spec.containers[containerPort=80,protocol=TCP]',
    'spec.args[0]',
  ]);
});

test.each([[undefined], [null], [{}], ['text']])('%j has none', (fields) => {
  expect(managedFields(fields)).toEqual([]);
});

test('keys that are not as Kubernetes writes them are shown as they are', () => {
  expect(managedFields({ 'k:{oops': {}, 'k:7': {}, 'k:null': {}, x: {} })).toEqual([
    '[{oops]',
    '[7]',
    '[null]',
    '[]',
  ]);
});

test('at most 200 fields are listed', () => {
  const data = Object.fromEntries(Array.from({ length: 1000 }, (_, n) => [`f:key-${n}`, {}]));
  expect(managedFields({ 'f:data': data })).toHaveLength(200);
});

test('any document is read', () => {
  fc.assert(fc.property(fc.jsonValue(), (fields) => Array.isArray(managedFields(fields))));
});
