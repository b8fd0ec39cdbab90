import { beforeEach, describe, expect, test } from 'vitest';
import { type Thing, thing } from '../../test/thing.ts';
import { WriteOverlay } from './write-overlay.ts';

const key = { namespace: 'default', name: 'a' };
let stored: Thing | undefined;
let reached: string | undefined;
let overlay: WriteOverlay<Thing>;

beforeEach(() => {
  stored = undefined;
  reached = '10';
  overlay = new WriteOverlay<Thing>({
    stored: ({ name }) => (name === 'a' ? stored : undefined),
    reached: () => reached,
  });
});

function version(resourceVersion: string, uid = 'u1', name = 'a'): Thing {
  const object = thing(name);
  return { ...object, metadata: { ...object.metadata, uid, resourceVersion } };
}

function wrote(resourceVersion: string, uid?: string, name?: string): boolean {
  const object = version(resourceVersion, uid, name);
  return overlay.wrote(object, () => object);
}

/** An event of the watch, in the order in which the informer does things. */
function event(type: 'ADDED' | 'MODIFIED' | 'DELETED', resourceVersion: string, uid?: string): void {
  const object = version(resourceVersion, uid);
  stored = type === 'DELETED' ? undefined : object;
  reached = resourceVersion;
  overlay.sweep();
}

/** A bookmark, or an event of another object. */
function passed(resourceVersion: string): void {
  reached = resourceVersion;
  overlay.sweep();
}

/** What a reader sees: the version, or that there is nothing. */
function seen(): string {
  const entry = overlay.find(key);
  const object = entry ? entry.object : stored;
  return object ? `${object.metadata.uid}@${object.metadata.resourceVersion}` : 'nothing';
}

describe('a write', () => {
  test('is visible at once, until its event has arrived', () => {
    stored = version('10');
    wrote('12');
    expect(seen()).toBe('u1@12');
    event('MODIFIED', '12');
    expect(seen()).toBe('u1@12');
    expect(overlay.size).toBe(0);
  });

  test('that creates an object is visible at once', () => {
    wrote('12');
    expect(seen()).toBe('u1@12');
    expect(overlay.entries()).toHaveLength(1);
  });

  test('is not hidden by an older event of another client', () => {
    stored = version('10');
    wrote('12');
    event('MODIFIED', '11');
    expect(seen()).toBe('u1@12');
  });

  test('gives way to a newer event of another client', () => {
    wrote('12');
    event('MODIFIED', '13');
    expect(seen()).toBe('u1@13');
  });

  test('whose event arrived before its response changes nothing', () => {
    event('MODIFIED', '12');
    wrote('12');
    expect(overlay.size).toBe(0);
    event('MODIFIED', '13');
    wrote('12');
    expect(seen()).toBe('u1@13');
  });

  test('whose response arrives after that of a later write does not undo the later one', () => {
    wrote('14');
    wrote('12');
    expect(seen()).toBe('u1@14');
    event('MODIFIED', '12');
    expect(seen()).toBe('u1@14');
  });

  test('to an object that was deleted before the response does not bring it back', () => {
    event('ADDED', '11');
    event('DELETED', '13');
    wrote('12');
    expect(seen()).toBe('nothing');
  });

  test('is forgotten when the watch has passed it, whatever event it was', () => {
    wrote('12');
    passed('11');
    expect(overlay.size).toBe(1);
    passed('12');
    expect(overlay.size).toBe(0);
  });

  test('is also forgotten by a reader, without any sweep', () => {
    wrote('12');
    reached = '12';
    expect(seen()).toBe('nothing');
    expect(overlay.size).toBe(0);
  });

  test('survives a list from before it, and not one from after it', () => {
    stored = version('10');
    wrote('12');
    passed('11');
    expect(seen()).toBe('u1@12');
    // Another client deleted it while the watch was interrupted: no ghost.
    stored = undefined;
    passed('20');
    expect(seen()).toBe('nothing');
  });

  test('during the first list is visible when the list is older', () => {
    reached = undefined;
    wrote('12');
    stored = version('10');
    passed('11');
    expect(seen()).toBe('u1@12');
  });

  test('with a version beyond the numbers of JavaScript is compared correctly', () => {
    reached = '99999999999999999999999';
    wrote('100000000000000000000000');
    expect(seen()).toBe('u1@100000000000000000000000');
    passed('100000000000000000000001');
    expect(overlay.size).toBe(0);
  });

  test.each(['', 'abc', '0x1', '012', '-1', '1.5', '0'])('of version %j cannot be overlaid', (text) => {
    expect(wrote(text)).toBe(false);
    expect(overlay.size).toBe(0);
  });
});

test('an object is undelivered until the watch has shown it, also when it is deleted', () => {
  const undelivered = (): string[] => overlay.undelivered().map(({ metadata }) => metadata.resourceVersion!);
  wrote('12');
  overlay.removed(key, 'u1');
  expect(undelivered()).toEqual(['12']);
  event('ADDED', '12');
  expect(undelivered()).toEqual([]);
  overlay.wrote(version('13', 'u2', 'b'), () => undefined);
  expect(undelivered()).toEqual([]);
});

describe('a write that takes an object out of the selection', () => {
  test('hides it until the watch has removed it', () => {
    stored = version('10');
    overlay.wrote(version('12'), () => undefined);
    expect(seen()).toBe('nothing');
    event('MODIFIED', '11');
    expect(seen()).toBe('nothing');
    event('DELETED', '12');
    expect(seen()).toBe('nothing');
    overlay.sweep();
    expect(overlay.size).toBe(0);
  });

  test('leaves nothing behind when the object was never selected', () => {
    overlay.wrote(version('12'), () => undefined);
    expect(overlay.size).toBe(0);
  });

  test('hides the object of an earlier write', () => {
    wrote('12');
    overlay.wrote(version('13'), () => undefined);
    expect(seen()).toBe('nothing');
  });

  test('is undone by the write that brings the object back', () => {
    stored = version('10');
    overlay.wrote(version('12'), () => undefined);
    wrote('13');
    expect(seen()).toBe('u1@13');
  });
});

describe('a removal', () => {
  test('hides the object until the watch delivers the deletion', () => {
    stored = version('10');
    overlay.removed(key, 'u1');
    expect(seen()).toBe('nothing');
    event('MODIFIED', '11');
    expect(seen()).toBe('nothing');
    event('DELETED', '12');
    expect(overlay.size).toBe(0);
    expect(seen()).toBe('nothing');
  });

  test('without a uid means the known object', () => {
    stored = version('10');
    overlay.removed(key, undefined);
    expect(seen()).toBe('nothing');
  });

  test('of another object of the same name changes nothing', () => {
    stored = version('10', 'u2');
    overlay.removed(key, 'u1');
    expect(seen()).toBe('u2@10');
  });

  test('whose event arrived before its response leaves nothing behind', () => {
    event('ADDED', '11');
    event('DELETED', '12');
    overlay.removed(key, 'u1');
    expect(overlay.size).toBe(0);
  });

  test('of an object whose creation event is still pending also hides that', () => {
    wrote('12');
    overlay.removed(key, 'u1');
    expect(seen()).toBe('nothing');
    event('ADDED', '12');
    expect(seen()).toBe('nothing');
    event('DELETED', '13');
    expect(overlay.size).toBe(0);
  });

  test('is forgotten when a list shows neither the creation nor the deletion', () => {
    wrote('12');
    overlay.removed(key, 'u1');
    passed('11');
    expect(overlay.size).toBe(1);
    passed('20');
    expect(overlay.size).toBe(0);
  });

  test('is not undone by the late response to an earlier write', () => {
    stored = version('10');
    overlay.removed(key, 'u1');
    wrote('11');
    expect(seen()).toBe('nothing');
  });

  test('is followed by the next object of the same name', () => {
    stored = version('10');
    overlay.removed(key, 'u1');
    wrote('13', 'u2');
    expect(seen()).toBe('u2@13');
    event('DELETED', '12');
    expect(seen()).toBe('u2@13');
    event('ADDED', '13', 'u2');
    expect(seen()).toBe('u2@13');
    expect(overlay.size).toBe(0);
  });

  test('does not hide the next object that another client created', () => {
    stored = version('10');
    overlay.removed(key, 'u1');
    stored = version('14', 'u2');
    passed('14');
    expect(seen()).toBe('u2@14');
    expect(overlay.size).toBe(0);
  });

  test('hides an overlay of an earlier object than the removed one', () => {
    stored = version('9', 'u0');
    wrote('12');
    overlay.removed(key, 'u1');
    expect(seen()).toBe('nothing');
    event('DELETED', '11', 'u0');
    expect(seen()).toBe('nothing');
    event('ADDED', '12');
    expect(seen()).toBe('nothing');
    event('DELETED', '13');
    expect(overlay.size).toBe(0);
  });

  test('changes nothing if versions cannot be compared', () => {
    stored = version('abc');
    overlay.removed(key, 'u1');
    expect(overlay.size).toBe(0);
  });
});

test('memory is bounded, however long the watch is interrupted', () => {
  for (let count = 0; count < 10_100; count += 1) wrote(String(1000 + count), `u${count}`, `n${count}`);
  expect(overlay.size).toBe(10_000);
  expect(overlay.find({ namespace: 'default', name: 'n10099' })?.uid).toBe('u10099');
  expect(overlay.find({ namespace: 'default', name: 'n0' })).toBeUndefined();
});

test('the writes in a namespace that is no longer cached are forgotten', () => {
  wrote('11');
  expect(overlay.size).toBe(1);
  overlay.forget('other');
  expect(overlay.size).toBe(1);
  overlay.forget('default');
  expect(overlay.size).toBe(0);
});
