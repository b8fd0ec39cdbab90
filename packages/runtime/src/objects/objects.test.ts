import { describe, expect, test } from 'vitest';
import { thing } from '../../test/thing.ts';
import { controllerReference } from './controller-reference.ts';
import { addFinalizer, hasFinalizer, removeFinalizer } from './finalizers.ts';

describe('finalizers', () => {
  test('are added and removed once, and say whether there is something to write', () => {
    const object = thing('a');
    expect(removeFinalizer(object, 'x/f')).toBe(false);
    expect(addFinalizer(object, 'x/f')).toBe(true);
    expect(addFinalizer(object, 'x/f')).toBe(false);
    expect(addFinalizer(object, 'x/g')).toBe(true);
    expect(hasFinalizer(object, 'x/f')).toBe(true);
    expect(removeFinalizer(object, 'x/f')).toBe(true);
    expect(object.metadata.finalizers).toEqual(['x/g']);
  });
});

describe('controllerReference', () => {
  test('names the owner as its controller', () => {
    const owner = thing('a');
    owner.metadata.uid = 'u';
    expect(controllerReference(owner)).toEqual({
      apiVersion: 'example.com/v1',
      kind: 'Thing',
      name: 'a',
      uid: 'u',
      controller: true,
      blockOwnerDeletion: true,
    });
  });

  test('an owner that was never stored is a mistake', () => {
    expect(() => controllerReference(thing('a'))).toThrow('has no name or uid');
  });
});
