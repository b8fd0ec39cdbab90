import { ConfigMap } from 'ots-kubernetes/core/v1';
import { describe, expect, test } from 'vitest';
import { App } from '../../test/owners.ts';
import { ApiError } from '../errors/api-error.ts';
import { controllerReference } from '../objects/owner-references.ts';
import { checkReplacement } from './check-replacement.ts';
import { Children, type ChildrenSource, controllerLabel } from './children.ts';
import type { ImmutablePolicy } from './composite-options.ts';

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
function setUp({
  cached,
  live,
  answer,
  failure,
}: { cached?: ConfigMap; live?: ConfigMap; answer?: ConfigMap; failure?: ApiError } = {}) {
  const calls: [string, unknown][] = [];
  const call = (name: string) => async (_: unknown, what: unknown, options?: unknown) => {
    calls.push([name, options]);
    if (failure) throw failure;
    return answer ?? what;
  };
  const source = {
    client: {
      get: async () => cached,
      list: async () => ({ items: [cached] }),
      apply: call('apply'),
      delete: (kind: unknown, target: ConfigMap, options: object) =>
        call('delete')(kind, target, { uid: target.metadata.uid, ...options }),
    },
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
  return { children, apply, calls, source };
}

describe('a child that the cache does not know', () => {
  test('is created, without force', async () => {
    const { apply, calls } = setUp({});
    expect(await apply()).toEqual({ ...configMap(), metadata: { ...ours.metadata, uid: undefined } });
    expect(calls).toEqual([['apply', { fieldOwner: 'app', force: false }]]);
  });

  test('is changed when it exists on the server and is ours', async () => {
    const { apply, calls } = setUp({ live: ours });
    await apply();
    expect(calls).toEqual([['apply', { fieldOwner: 'app', force: true }]]);
  });

  test.each([
    ['has no controller', configMap(), 'The ConfigMap default/a already exists and has no controller'],
    [
      'belonged to an earlier owner of the same name',
      configMap({ ownerReferences: [{ ...controllerReference(owner), uid: 'u0' }] }),
      'The ConfigMap default/a is already controlled by App app',
    ],
    [
      'belongs to another controller of the same owner',
      configMap({ ...ours.metadata, labels: { [controllerLabel]: 'other' } }),
      'The ConfigMap default/a is already controlled by App app',
    ],
  ])('is left alone when it %s, and an event reports it', async (_, live, message) => {
    const { apply, calls } = setUp({ live });
    await expect(apply()).rejects.toThrow(message);
    expect(calls).toEqual([['event of app', expect.stringContaining(`AlreadyOwned: ${message}`)]]);
  });
});

test('a child that lost its label is still a child, and its label is restored', async () => {
  const { apply, calls } = setUp({ cached: configMap({ ...ours.metadata, labels: {} }) });
  expect(await apply()).toMatchObject({ metadata: { labels: { [controllerLabel]: 'app' } } });
  expect(calls).toHaveLength(1);
});

test('a child whose label was edited by hand is still a child, and its label is restored', async () => {
  const labels = { [controllerLabel]: 'edited' };
  const managedFields = [{ manager: 'app', operation: 'Apply', apiVersion: 'v1' }];
  const { children, apply } = setUp({ cached: configMap({ ...ours.metadata, labels, managedFields }) });
  expect((await children.observe(owner)).of(ConfigMap)).toHaveLength(1);
  expect(await apply()).toMatchObject({ metadata: { labels: { [controllerLabel]: 'app' } } });
});

test('an owner that the child already references is referenced once', async () => {
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

test('a child to recreate whose managed fields match causes no dry run', async () => {
  const fields = {
    'f:metadata': {
      'f:labels': { [`f:${controllerLabel}`]: {} },
      'f:ownerReferences': { 'k:{"uid":"u1"}': {} },
    },
  };
  const managedFields = [
    { manager: 'app', operation: 'Apply', apiVersion: 'v1', fieldsType: 'FieldsV1', fieldsV1: fields },
  ];
  const cached = configMap({ ...ours.metadata, managedFields });
  const { children, calls } = setUp({ cached });
  const rule = { kind: ConfigMap, updateStrategy: 'Recreate' } as const;
  expect(await children.apply(owner, rule, { metadata: { name: 'a' } })).toBe(cached);
  expect(calls).toEqual([]);
});

describe('a child to recreate', () => {
  const stored = (resourceVersion: string, data: ConfigMap['data'] = {}): ConfigMap => ({
    ...configMap({ ...ours.metadata, resourceVersion }),
    data,
  });
  const recreate = ({ children }: ReturnType<typeof setUp>): Promise<unknown> =>
    children.apply(owner, { kind: ConfigMap, updateStrategy: 'Recreate' }, { metadata: { name: 'a' } });
  const names = ({ calls }: ReturnType<typeof setUp>): string[] => calls.map(([name]) => name);

  test('is deleted when the apply would change it', async () => {
    const fixture = setUp({ cached: stored('1'), live: stored('1'), answer: stored('1', { a: 'new' }) });
    expect(await recreate(fixture)).toBeUndefined();
    expect(names(fixture)).toEqual(['apply', 'delete']);
  });

  test('stays when others have changed it since it was cached, for example its status', async () => {
    const [before, after] = [stored('1', { status: 'idle' }), stored('2', { status: 'busy' })];
    const fixture = setUp({ cached: before, live: after, answer: after });
    expect(await recreate(fixture)).toBe(before);
    expect(names(fixture)).toEqual(['apply']);
  });

  test('stays when others change it at the same time', async () => {
    const before = stored('1');
    const fixture = setUp({ cached: before, live: before, answer: stored('2', { status: 'busy' }) });
    expect(await recreate(fixture)).toBe(before);
    expect(names(fixture)).toEqual(['apply']);
  });

  test('stays when it is cached without some of its fields', async () => {
    const [whole, part] = [stored('1', { large: 'data' }), stored('1')];
    const fixture = setUp({ cached: part, live: whole, answer: whole });
    expect(await recreate(fixture)).toBe(part);
    expect(names(fixture)).toEqual(['apply']);
  });

  test('waits while another object has its name', async () => {
    const other = configMap({ ...ours.metadata, uid: 'u9' });
    for (const fixture of [setUp({ cached: stored('1'), live: other }), setUp({ cached: stored('1') })]) {
      expect(await recreate(fixture)).toBeUndefined();
      expect(names(fixture)).toEqual([]);
    }
  });
});

describe('a child whose change the server refuses', () => {
  const refused = (message = 'field is immutable', field = 'data'): ApiError =>
    new ApiError({
      code: 422,
      reason: 'Invalid',
      message,
      details: { causes: [{ reason: 'FieldValueInvalid', message, field }] },
    });

  /** @param accepts whether the server would create it. */
  function replacing(
    refusal: ApiError,
    { accepts = true, onImmutable = 'Recreate' }: { accepts?: boolean; onImmutable?: ImmutablePolicy } = {},
  ) {
    const calls: [string, unknown][] = [];
    const { source } = setUp({ cached: ours });
    Object.assign(source.client, {
      apply: () => Promise.reject(refusal),
      create: async (_: unknown, object: ConfigMap, options: unknown) => {
        calls.push(['create', options]);
        expect(object.metadata).toMatchObject({ generateName: 'a-' });
        if (!accepts) throw new Error('refused, too');
      },
      delete: async (_: unknown, target: ConfigMap, options: object) => {
        calls.push(['delete', { uid: target.metadata.uid, ...options }]);
      },
    });
    const children = new Children(source, { name: 'app', owner: App, kinds: [ConfigMap] });
    const apply = () => children.apply(owner, { kind: ConfigMap, onImmutable }, { metadata: { name: 'a' } });
    return { apply, calls };
  }

  test.each([
    ['Recreate', 'Foreground'],
    ['Orphan', 'Orphan'],
  ] as const)(
    'is deleted if the server would create a new one: %s',
    async (onImmutable, propagationPolicy) => {
      const { apply, calls } = replacing(refused(), { onImmutable });
      expect(await apply()).toBeUndefined();
      expect(calls).toEqual([
        ['create', { dryRun: true, fieldOwner: 'app' }],
        ['delete', { uid: 'u2', propagationPolicy }],
      ]);
    },
  );

  test.each([
    ['a', 'a-'],
    ['short', 's-'],
    ['a-b.cdefgh', 'a-b-'],
    ['x'.repeat(52), `${'x'.repeat(46)}-`],
  ])('is asked about under a name that is no longer: %s', async (name, generateName) => {
    const asked: unknown[] = [];
    const create = async (_: unknown, { metadata }: ConfigMap) => void asked.push(metadata.generateName);
    await checkReplacement({ create } as never, ConfigMap, { metadata: { name } }, 'app');
    expect(asked).toEqual([generateName]);
  });

  test.each([
    ['the server would refuse a new one, too', refused(), { accepts: false }, 'refused, too'],
    ['the policy is Fail', refused(), { onImmutable: 'Fail' as const }, 'field is immutable'],
    [
      'a webhook refuses',
      refused('admission webhook "a.example.com" denied the request: no'),
      {},
      'admission webhook',
    ],
    ['a policy refuses, which names no field', refused('denied', ''), {}, 'denied'],
    [
      'a right is missing',
      new ApiError({ code: 403, reason: 'Forbidden', message: 'may not' }),
      {},
      'may not',
    ],
  ])('stays if %s', async (_, refusal, options, message) => {
    const { apply, calls } = replacing(refusal, options);
    await expect(apply()).rejects.toThrow(message);
    expect(calls.filter(([name]) => name === 'delete')).toEqual([]);
  });
});

test('a child that is being deleted is not replaced yet', async () => {
  const { apply, calls } = setUp({ cached: configMap({ ...ours.metadata, deletionTimestamp: 'now' }) });
  expect(await apply()).toBeUndefined();
  expect(calls).toEqual([]);
});

describe('a removal', () => {
  test('deletes exactly this object, once', async () => {
    const { children, calls } = setUp({});
    await children.remove(ConfigMap, ours);
    await children.remove(ConfigMap, configMap({ ...ours.metadata, deletionTimestamp: 'now' }));
    expect(calls).toEqual([['delete', { uid: 'u2', propagationPolicy: 'Background' }]]);
  });

  test.each([
    ['NotFound', 404],
    ['Conflict', 409],
  ])('of an object that is gone (%s) is not a failure', async (reason, code) => {
    const { children } = setUp({ failure: new ApiError({ code, reason, message: reason }) });
    await expect(children.remove(ConfigMap, ours)).resolves.toBeUndefined();
  });

  test('of an object whose name another one has is not a failure', async () => {
    const failure = new ApiError({ code: 409, reason: 'Conflict', message: 'the UID does not match' });
    const { children } = setUp({ failure, live: configMap({ uid: 'u3' }) });
    await expect(children.remove(ConfigMap, ours)).resolves.toBeUndefined();
  });

  test('that the server refuses for now is a failure: no event would lead to another attempt', async () => {
    const failure = new ApiError({ code: 409, reason: 'Conflict', message: 'try again' });
    const { children } = setUp({ failure, live: ours });
    await expect(children.remove(ConfigMap, ours)).rejects.toBe(failure);
  });

  test.each([
    ['by the server', { code: 403, reason: 'Forbidden', message: 'may not' }],
    ['by something before it', { code: 404, reason: 'NotFound', message: 'no backend', foreign: true }],
  ])('that is refused %s is a failure', async (_, status) => {
    const failure = new ApiError(status);
    const { children } = setUp({ failure });
    await expect(children.remove(ConfigMap, ours)).rejects.toBe(failure);
  });
});
