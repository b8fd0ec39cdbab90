import { ConfigMap } from 'ots-kubernetes/core/v1';
import { describe, expect, test } from 'vitest';
import { App } from '../../test/owners.ts';
import { ApiError } from '../client/api-error.ts';
import { controllerReference } from '../objects/controller-reference.ts';
import { Children, type ChildrenSource, controllerLabel } from './children.ts';

const owner: App = {
  apiVersion: 'example.com/v1',
  kind: 'App',
  metadata: { name: 'app', namespace: 'default', uid: 'u1' },
  spec: {},
};

function configMap(metadata: ConfigMap['metadata'] = {}): ConfigMap {
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a', namespace: 'default', ...metadata } };
}

const ours = configMap({
  uid: 'u2',
  labels: { [controllerLabel]: 'app' },
  ownerReferences: [controllerReference(owner)],
});

/** A manager of which the cache and the server know different things. */
function setUp({ cached, live, failure }: { cached?: ConfigMap; live?: ConfigMap; failure?: ApiError }) {
  const calls: [string, unknown][] = [];
  const call = (name: string) => async (_: unknown, what: unknown, options?: unknown) => {
    calls.push([name, options]);
    if (failure) throw failure;
    return what;
  };
  const source = {
    client: { get: async () => cached, apply: call('apply'), delete: call('delete') },
    apiReader: { get: async () => live },
    cache: { addIndex: () => {} },
    eventRecorder: (name: string) => ({
      event: (_: unknown, { reason, note }: { reason: string; note: string }) =>
        calls.push([`event of ${name}`, `${reason}: ${note}`]),
    }),
  } as unknown as ChildrenSource;
  const children = new Children(source, { name: 'app', owner: App, kinds: [ConfigMap] });
  const apply = (): Promise<unknown> =>
    children.apply(owner, { kind: ConfigMap }, { metadata: { name: 'a' } });
  return { children, apply, calls };
}

describe('a child that the cache does not know', () => {
  test('is made, without taking anything by force', async () => {
    const { apply, calls } = setUp({});
    expect(await apply()).toEqual({ ...configMap(), metadata: { ...ours.metadata, uid: undefined } });
    expect(calls).toEqual([['apply', { fieldOwner: 'app', force: false }]]);
  });

  test('is changed when it is there all the same and ours', async () => {
    const { apply, calls } = setUp({ live: ours });
    await apply();
    expect(calls).toEqual([['apply', { fieldOwner: 'app', force: true }]]);
  });

  test.each([
    ['is of nobody', configMap(), 'the ConfigMap default/a exists already and nobody controls it'],
    [
      'belonged to an earlier owner of the same name',
      configMap({ ownerReferences: [{ ...controllerReference(owner), uid: 'u0' }] }),
      'the ConfigMap default/a is controlled by App app already',
    ],
    [
      'belongs to another controller of the same owner',
      configMap({ ...ours.metadata, labels: { [controllerLabel]: 'other' } }),
      'the ConfigMap default/a is controlled by App app already',
    ],
  ])('is left alone when it %s, and people are told', async (_, live, message) => {
    const { apply, calls } = setUp({ live });
    await expect(apply()).rejects.toThrow(message);
    expect(calls).toEqual([['event of app', expect.stringContaining(`AlreadyOwned: ${message}`)]]);
  });
});

test('a child that lost its label is still a child, and gets it back', async () => {
  const { apply, calls } = setUp({ cached: configMap({ ...ours.metadata, labels: {} }) });
  expect(await apply()).toMatchObject({ metadata: { labels: { [controllerLabel]: 'app' } } });
  expect(calls).toHaveLength(1);
});

test('an owner that the child names by itself is named once', async () => {
  const { children } = setUp({});
  const ownerReferences = [
    controllerReference(owner),
    { ...controllerReference(owner), uid: 'u3', controller: false },
  ];
  const desired = { metadata: { name: 'a', ownerReferences } };
  expect(await children.apply(owner, { kind: ConfigMap }, desired)).toMatchObject({
    metadata: { ownerReferences: [ownerReferences[1], ownerReferences[0]] },
  });
});

test('a child that is being deleted is waited for', async () => {
  const { apply, calls } = setUp({ cached: configMap({ ...ours.metadata, deletionTimestamp: 'now' }) });
  expect(await apply()).toBeUndefined();
  expect(calls).toEqual([]);
});

describe('a removal', () => {
  test('is of this very object, once', async () => {
    const { children, calls } = setUp({});
    await children.remove(ConfigMap, ours);
    await children.remove(ConfigMap, configMap({ ...ours.metadata, deletionTimestamp: 'now' }));
    expect(calls).toEqual([['delete', { preconditions: { uid: 'u2' }, propagationPolicy: 'Background' }]]);
  });

  test.each([
    ['NotFound', 404],
    ['Conflict', 409],
  ])('of what is gone (%s) is no failure', async (reason, code) => {
    const { children } = setUp({ failure: new ApiError({ code, reason, message: reason }) });
    await expect(children.remove(ConfigMap, ours)).resolves.toBeUndefined();
  });

  test('that is refused is a failure', async () => {
    const failure = new ApiError({ code: 403, reason: 'Forbidden', message: 'may not' });
    const { children } = setUp({ failure });
    await expect(children.remove(ConfigMap, ours)).rejects.toBe(failure);
  });
});
