import { describe, expect, test } from 'vitest';
import { thing } from '../../test/thing.ts';
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
