import type { KubernetesObject, OwnerReference } from 'ots-kubernetes';
import { describe, expect, test } from 'vitest';
import { type Thing, thing } from '../../test/thing.ts';
import { deepFreeze } from './deep-readonly.ts';
import {
  AlreadyOwnedError,
  controllerOf,
  controllerReference,
  hasOwnerReference,
  isControlledBy,
  ownerReference,
  removeOwnerReference,
  setControllerReference,
  setOwnerReference,
} from './owner-references.ts';

function owner(name = 'owner', uid = 'u1'): Thing {
  const object = thing(name);
  object.metadata.uid = uid;
  return object;
}

const plain: OwnerReference = { apiVersion: 'example.com/v1', kind: 'Thing', name: 'owner', uid: 'u1' };
const controller: OwnerReference = { ...plain, controller: true, blockOwnerDeletion: true };
const other: OwnerReference = { ...plain, name: 'other', uid: 'u2' };

function owned(...ownerReferences: OwnerReference[]): Thing {
  const object = thing('owned');
  object.metadata.ownerReferences = ownerReferences;
  return object;
}

describe('the reference', () => {
  test('to an owner has no flags, to a controller both', () => {
    expect(ownerReference(owner())).toEqual(plain);
    expect(controllerReference(owner())).toEqual(controller);
  });

  test('to an object that was never stored is an error', () => {
    expect(() => ownerReference(thing('a'))).toThrow('has no name or uid');
    expect(() => setControllerReference(thing('a'), thing('b'))).toThrow('has no name or uid');
  });
});

describe('setControllerReference', () => {
  test.each<[string, OwnerReference[] | undefined, OwnerReference[], boolean]>([
    ['is added where there is none', undefined, [controller], true],
    ['is added after other owners', [other], [other, controller], true],
    ['is not set twice', [controller], [controller], false],
    [
      'is updated when the owner has another version',
      [{ ...controller, apiVersion: 'example.com/v0' }],
      [controller],
      true,
    ],
    ['is updated when the owner was recreated', [{ ...controller, uid: 'old' }], [controller], true],
    ['turns a plain owner into the controller, in its place', [plain, other], [controller, other], true],
    [
      'is not confused by an owner of another group',
      [{ ...plain, apiVersion: 'other.com/v1' }],
      [{ ...plain, apiVersion: 'other.com/v1' }, controller],
      true,
    ],
  ])('%s', (_, before, after, changed) => {
    const object = owned(...(before ?? []));
    if (!before) delete object.metadata.ownerReferences;
    expect(setControllerReference(deepFreeze(owner()), object)).toBe(changed);
    expect(object.metadata.ownerReferences).toEqual(after);
  });

  test.each([
    ['of another name', { ...controller, name: 'other', uid: 'u2' }],
    ['of another kind', { ...controller, kind: 'Other' }],
    ['of another group', { ...controller, apiVersion: 'v1' }],
  ])('a controller %s keeps the object', (_, existing) => {
    const object = owned(existing);
    const attempt = (): boolean => setControllerReference(owner(), object);
    expect(attempt).toThrow(AlreadyOwnedError);
    expect(attempt).toThrow(expect.objectContaining({ code: 'ALREADY_OWNED', owner: existing }));
    expect(object.metadata.ownerReferences).toEqual([existing]);
  });

  test('unknown fields of a reference are kept', () => {
    const object = owned({ ...plain, unknown: 1 } as OwnerReference);
    setControllerReference(owner(), object);
    expect(object.metadata.ownerReferences).toEqual([{ ...controller, unknown: 1 }]);
  });
});

describe.each([
  ['setControllerReference', setControllerReference],
  ['setOwnerReference', setOwnerReference],
])('%s across namespaces', (_, set) => {
  const clusterScoped = (name: string): KubernetesObject => ({
    apiVersion: 'example.com/v1',
    kind: 'Thing',
    metadata: { name, uid: 'u1' },
  });

  test('a cluster-scoped owner can own anything', () => {
    expect(set(clusterScoped('owner'), thing('a'))).toBe(true);
    expect(set(clusterScoped('owner'), clusterScoped('a'))).toBe(true);
  });

  test('an owner in a namespace owns nothing outside of it', () => {
    const elsewhere = thing('a');
    elsewhere.metadata.namespace = 'elsewhere';
    expect(() => set(owner(), elsewhere)).toThrow('cannot own the Thing a, which is in namespace elsewhere');
    expect(() => set(owner(), clusterScoped('a'))).toThrow('which has no namespace');
    expect(elsewhere.metadata.ownerReferences).toBeUndefined();
  });
});

describe('setOwnerReference', () => {
  test('adds, updates version and uid, and does not add twice', () => {
    const object = thing('a');
    expect(setOwnerReference(owner(), object)).toBe(true);
    expect(setOwnerReference(owner(), object)).toBe(false);
    expect(object.metadata.ownerReferences).toEqual([plain]);
    object.metadata.ownerReferences = [{ ...plain, apiVersion: 'example.com/v0', uid: 'old' }];
    expect(setOwnerReference(owner(), object)).toBe(true);
    expect(object.metadata.ownerReferences).toEqual([plain]);
  });

  test('leaves controllers what they are', () => {
    const object = owned(controller);
    expect(setOwnerReference(owner(), object)).toBe(false);
    expect(setOwnerReference(owner('second', 'u3'), object)).toBe(true);
    expect(object.metadata.ownerReferences).toEqual([controller, { ...plain, name: 'second', uid: 'u3' }]);
  });
});

test('an owner is found and removed in any version and incarnation, others stay', () => {
  const object = owned(other, { ...controller, apiVersion: 'example.com/v0', uid: 'old' });
  expect(hasOwnerReference(owner(), object)).toBe(true);
  expect(removeOwnerReference(owner(), object)).toBe(true);
  expect(object.metadata.ownerReferences).toEqual([other]);
  expect(hasOwnerReference(owner(), object)).toBe(false);
  expect(removeOwnerReference(owner(), object)).toBe(false);
  expect(removeOwnerReference(owner(), thing('a'))).toBe(false);
});

test('the controller is the one owner that says so, in this incarnation', () => {
  const object = deepFreeze(owned(other, controller));
  expect(controllerOf(object)).toEqual(controller);
  expect(controllerOf(owned(plain))).toBeUndefined();
  expect(controllerOf(thing('a'))).toBeUndefined();
  expect(isControlledBy(object, owner())).toBe(true);
  expect(isControlledBy(object, owner('owner', 'other life'))).toBe(false);
  expect(isControlledBy(thing('a'), thing('b'))).toBe(false);
});
