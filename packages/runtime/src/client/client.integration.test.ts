import fc from 'fast-check';
import type { Kind } from 'ots-kubernetes';
import { CustomResourceDefinition } from 'ots-kubernetes/apiextensions/v1';
import { type Deployment, Deployment as Deployments } from 'ots-kubernetes/apps/v1';
import type { TokenRequest } from 'ots-kubernetes/authentication/v1';
import type { Scale } from 'ots-kubernetes/autoscaling/v1';
import { CertificateSigningRequest } from 'ots-kubernetes/certificates/v1';
import {
  type Binding,
  ConfigMap,
  Namespace,
  Node,
  Pod,
  Secret,
  Service,
  ServiceAccount,
} from 'ots-kubernetes/core/v1';
import type { Eviction } from 'ots-kubernetes/policy/v1';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { apiServerFixture } from '../../test/api-server-fixture.ts';
import { Thing, thing, thingCrds } from '../../test/thing.ts';
import { VirtualClock } from '../../test/virtual-clock.ts';
import { RestMapper } from '../mapping/rest-mapper.ts';
import type { DeepReadonly } from '../objects/deep-readonly.ts';
import { metadataOf } from '../objects/metadata-of.ts';
import { Transport } from '../transport/transport.ts';
import { waitFor } from '../waiting/wait-for.ts';
import {
  isAlreadyExists,
  isBadRequest,
  isConflict,
  isInvalid,
  isKindMissing,
  isNotFound,
} from '../errors/api-error.ts';
import { isApplied } from './applied.ts';
import type { CachedReader } from './cached-reader.ts';
import { Client } from './client.ts';
import type { ListOptions } from './request-options.ts';

// Runs against the embedded API server, and against a real one when KUBEBUILDER_ASSETS is set.
const real = process.env['KUBEBUILDER_ASSETS'] !== undefined;

const apiServer = apiServerFixture(thingCrds);
let transport: Transport;
let client: Client;
let namespace: string;
let namespaces = 0;
const warnings: string[] = [];
let exchanges = 0;

beforeAll(() => {
  transport = new Transport(apiServer.config, {
    userAgent: 'tester/1.0',
    onWarning: (text) => warnings.push(text),
    observer: { exchanged: () => (exchanges += 1), retried: () => {} },
  });
  client = new Client(transport);
});

afterAll(async () => {
  await client.close();
  await transport.close();
});

beforeEach(async () => {
  namespaces += 1;
  namespace = `client-${namespaces}`;
  await client.create(Namespace, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } });
  warnings.length = 0;
});

const key = (name: string): { name: string; namespace: string } => ({ name, namespace });
const here = (name: string, size = 1): Thing => ({ ...thing(name, size), metadata: key(name) });
const configMap = (name: string, data: Record<string, string> = {}): ConfigMap => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: key(name),
  data,
});
const labels = { app: 'web' };
/** Made with `openssl req -new -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -subj /CN=a`. */
const signingRequest = `-----BEGIN CERTIFICATE REQUEST-----
MIHHMG4CAQAwDDEKMAgGA1UEAwwBYTBZMBMGByqGSM49AgEGCCqGSM49AwEHA0IA
BKAus1k4wLp4YkJ/yp6r5HbrHCERM8G8zZ5zYagezbYCEIsw4Cfj5JoggkzGCFa1
0etvmki7WBFNnDgiDG6bjE2gADAKBggqhkjOPQQDAgNJADBGAiEAov9kOlgs30ZK
QTsQJpfDglM+50Q9N/20qoD5ymMKEPUCIQD33W7jM2wnpweLvj69Dz/JuKw5/xf/
Kr0iva5PiSimLw==
-----END CERTIFICATE REQUEST-----
`;
const deployment = (name: string): Deployment => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { ...key(name), labels },
  spec: {
    replicas: 2,
    selector: { matchLabels: labels },
    template: {
      metadata: { labels },
      spec: {
        containers: [
          {
            name: 'web',
            image: 'web:1',
            ports: [{ containerPort: 80 }, { containerPort: 80, protocol: 'UDP' }],
            env: [
              { name: 'A', value: '1' },
              { name: 'B', value: '2' },
            ],
          },
        ],
        volumes: [{ name: 'tmp', emptyDir: {} }],
      },
    },
  },
});

function refusal(call: Promise<unknown>): Promise<unknown> {
  return call.then(
    () => undefined,
    (error: unknown) => error,
  );
}

async function counted<T>(work: () => Promise<T>): Promise<{ result: T; requests: number }> {
  const before = exchanges;
  const result = await work();
  return { result, requests: exchanges - before };
}

/** A cache that returns the given objects, and records its calls. */
function cacheOf(...objects: DeepReadonly<Deployment | Thing | ConfigMap>[]) {
  const observed: string[] = [];
  const cache: CachedReader = {
    get: (kind, { name }) =>
      objects.find((object) => object.kind === kind.kind && object.metadata.name === name) as never,
    list: () => objects as never,
    wrote: (kind, object) => void observed.push(`wrote ${kind.kind} ${object.metadata.name}`),
    removed: (kind, { name }) => void observed.push(`removed ${kind.kind} ${name}`),
  };
  return { cache, observed };
}

describe('writing', () => {
  test('a dry run is validated and returns a result, and stores nothing', async () => {
    const created = await client.create(Thing, here('a'), { dryRun: true });
    expect(created.metadata.uid).toBeDefined();
    expect(await client.get(Thing, key('a'))).toBeUndefined();
    expect(isInvalid(await refusal(client.create(Thing, here('a', -1), { dryRun: true })))).toBe(true);
    await client.create(Thing, here('a'));
    await client.patch(Thing, key('a'), { spec: { size: 9 } }, { dryRun: true });
    await client.delete(Thing, key('a'), { dryRun: true });
    await client.deleteCollection(Thing, { namespace, dryRun: true });
    expect(await client.get(Thing, key('a'))).toMatchObject({ spec: { size: 1 } });
  });

  test('unknown fields are refused or cause a warning, as requested', async () => {
    const odd = { ...here('a'), spec: { size: 1, sice: 2 } };
    const error = await refusal(client.create(Thing, odd, { fieldValidation: 'Strict' }));
    expect(isBadRequest(error)).toBe(true);
    expect(error).toMatchObject({ message: expect.stringContaining('unknown field "spec.sice"') });
    const created = await client.create(Thing, odd, { fieldValidation: 'Warn' });
    expect(warnings).toEqual(['unknown field "spec.sice"']);
    await client.update(Thing, { ...created, spec: odd.spec }, { fieldValidation: 'Ignore' });
    expect(warnings).toHaveLength(1);
    const strict = { fieldValidation: 'Strict' } as const;
    const refusals = await Promise.all([
      refusal(client.update(Thing, { ...created, spec: odd.spec }, strict)),
      refusal(client.patch(Thing, key('a'), { spec: { sice: 2 } } as object, strict)),
      refusal(client.patch(Thing, key('a'), [{ op: 'add', path: '/spec/sice', value: 2 }], strict)),
      refusal(client.status.patch(Thing, key('a'), { status: { sice: 2 } } as object, strict)),
    ]);
    expect(refusals.map((each) => (each as Error | undefined)?.message)).toEqual(
      ['spec', 'spec', 'spec', 'status'].map((part) =>
        expect.stringContaining(`unknown field "${part}.sice"`),
      ),
    );
  });

  test('the server generates a name', async () => {
    const created = await client.create(Thing, {
      ...here(''),
      metadata: { namespace, generateName: 'gen-' },
    });
    expect(created.metadata.name).toMatch(/^gen-[a-z0-9]{5}$/);
    expect(await client.get(Thing, key(created.metadata.name!))).toEqual(created);
  });

  test('fields that the type does not know survive an update', async () => {
    const created = await client.create(Deployments, deployment('web'));
    const spec = created.spec!.template.spec! as { dnsPolicy?: string };
    expect(spec.dnsPolicy).toBe('ClusterFirst');
    const updated = await client.update(Deployments, {
      ...created,
      metadata: { ...created.metadata, annotations: { a: '1' } },
    });
    expect(updated.spec).toEqual(created.spec);
  });

  test('patches of every type change an object', async () => {
    const created = await client.create(Deployments, deployment('web'));
    const merged = await client.patch(Deployments, key('web'), {
      metadata: { labels: { app: null, tier: 'x' } },
    });
    expect(merged.metadata.labels).toEqual({ tier: 'x' });
    const patched = await client.patch(Deployments, key('web'), [
      { op: 'test', path: '/spec/replicas', value: 2 },
      { op: 'replace', path: '/spec/replicas', value: 3 },
    ]);
    expect(patched.spec!.replicas).toBe(3);
    const strategic = await client.patch(
      Deployments,
      key('web'),
      { spec: { template: { spec: { containers: [{ name: 'side', image: 'side:1' }] } } } },
      { type: 'strategic' },
    );
    expect(strategic.spec!.template.spec!.containers.map(({ name }) => name).toSorted()).toEqual([
      'side',
      'web',
    ]);
    expect(strategic.metadata.uid).toBe(created.metadata.uid);
  });

  test('a function changes the object that was read, and with a lock only that version', async () => {
    const created = await client.create(Thing, {
      ...here('a'),
      spec: { size: 1, text: 'x' },
    });
    const changed = await client.patch(Thing, created, (draft) => {
      draft.metadata.labels = { a: 'b' };
      delete draft.spec.text;
    });
    expect(changed).toMatchObject({ metadata: { labels: { a: 'b' } }, spec: { size: 1 } });
    expect(changed.spec.text).toBeUndefined();
    const error = await refusal(
      client.patch(Thing, created, (draft) => void (draft.spec.size = 5), { optimisticLock: true }),
    );
    expect(isConflict(error)).toBe(true);
    await client.patch(Thing, changed, (draft) => void (draft.spec.size = 5), { optimisticLock: true });
    const { requests } = await counted(() => client.patch(Thing, changed, () => {}));
    expect(requests).toBe(0);
  });

  test('a patch of an object that was read is not for another one with its name', async () => {
    const things = await client.create(Thing, { ...here('a'), spec: { size: 1 } });
    const deployments = await client.create(Deployments, deployment('web'));
    await client.delete(Thing, key('a'));
    await client.delete(Deployments, key('web'), { propagationPolicy: 'Background' });
    await client.create(Thing, { ...here('a'), spec: { size: 1 } });
    await client.create(Deployments, deployment('web'));

    const refused = [
      client.patch(Thing, things, (draft) => void (draft.spec.size = 5)),
      client.patch(Thing, key('a'), { metadata: { uid: things.metadata.uid }, spec: { size: 5 } }),
      client.patch(Deployments, deployments, (draft) => void (draft.spec!.replicas = 5)),
      client.status.patch(Deployments, deployments, (draft) => void (draft.status = { replicas: 5 })),
      client.scale.patch(Deployments, key('web'), {
        metadata: { uid: deployments.metadata.uid },
        spec: { replicas: 5 },
      }),
    ];
    for (const error of await Promise.all(refused.map(refusal))) expect(isConflict(error)).toBe(true);
    expect((await client.get(Thing, key('a')))?.spec.size).toBe(1);
    expect(await client.get(Deployments, key('web'))).toMatchObject({ spec: { replicas: 2 }, status: {} });

    // The server ignores the uid here, so the client finds out afterwards.
    const draft = (each: Thing) => void (each.status = { size: 1 });
    const late = await refusal(client.status.patch(Thing, things, draft));
    expect(isConflict(late)).toBe(true);
    expect(late).toMatchObject({
      message: 'a was deleted and created again since it was read: the patch changed the new one',
    });
    const locked = client.status.patch(Thing, things, (each) => void (each.status = { size: 2 }), {
      optimisticLock: true,
    });
    expect(isConflict(await refusal(locked))).toBe(true);
    expect((await client.get(Thing, key('a')))?.status?.size).toBe(1);
  });

  test('creating an existing object or updating a missing one is refused', async () => {
    await client.create(Thing, here('a'));
    expect(isAlreadyExists(await refusal(client.create(Thing, here('a'))))).toBe(true);
    const calls = [
      client.update(Thing, here('none')),
      client.patch(Thing, key('none'), { spec: { size: 2 } }),
      client.delete(Thing, key('none')),
      client.delete(metadataOf(Thing), key('none')),
      client.status.get(Thing, key('none')),
      client.status.update(Thing, here('none')),
      client.status.apply(Thing, { metadata: key('none'), status: { size: 1 } }),
      client.scale.get(Deployments, key('none')),
    ];
    const refusals = await Promise.all(calls.map(refusal));
    expect(refusals.map((error) => [isNotFound(error), isKindMissing(error)])).toEqual(
      calls.map(() => [true, false]),
    );
  });

  test('no dry run of a change stores anything', async () => {
    const live = await client.create(Thing, here('a'));
    const dryRun = { dryRun: true };
    const answers = await Promise.all([
      client.update(Thing, { ...live, spec: { size: 2 } }, dryRun),
      client.apply(Thing, { metadata: key('a'), spec: { size: 2 } }, { ...dryRun, force: true }),
      client.status.update(Thing, { ...live, status: { size: 2 } }, dryRun),
      client.status.patch(Thing, key('a'), { status: { size: 2 } }, dryRun),
      client.status.apply(Thing, { metadata: key('a'), status: { size: 2 } }, dryRun),
    ]);
    const two = { size: 2 };
    expect(answers.map(({ spec, status }) => status ?? spec)).toEqual([two, two, two, two, two]);
    expect(await client.get(Thing, key('a'))).toEqual(live);
  });

  test('cluster-scoped objects are written like others', async () => {
    const made = await client.create(Node, { apiVersion: 'v1', kind: 'Node', metadata: { name: namespace } });
    const labeled = await client.update(Node, { ...made, metadata: { ...made.metadata, labels } });
    expect(labeled).toMatchObject({ apiVersion: 'v1', kind: 'Node', metadata: { labels } });
    const condition = { type: 'Ready', status: 'True', reason: 'r', message: 'm' };
    const ready = await client.status.update(Node, { ...labeled, status: { conditions: [condition] } });
    expect(ready.status?.conditions).toMatchObject([condition]);
    const wrongs = { uid: 'other', resourceVersion: '1' };
    const wrong = await refusal(client.delete(Node, { name: namespace }, { preconditions: wrongs }));
    expect(isConflict(wrong)).toBe(true);
    const { uid, resourceVersion } = ready.metadata;
    await client.delete(Node, { name: namespace }, { preconditions: { uid, resourceVersion } });
    expect(await client.get(Node, { name: namespace })).toBeUndefined();
  });

  test('an object is deleted only if it is the one that was read', async () => {
    const read = await client.create(Thing, here('a'));
    await client.delete(Thing, read);
    const second = await client.create(Thing, here('a'));
    expect(isConflict(await refusal(client.delete(Thing, read)))).toBe(true);
    expect(await client.get(Thing, key('a'))).toEqual(second);
    await client.patch(Thing, key('a'), { spec: { size: 7 } });
    expect(isConflict(await refusal(client.delete(Thing, second, { optimisticLock: true })))).toBe(true);
    await client.delete(Thing, second);
    expect(await client.get(Thing, key('a'))).toBeUndefined();
    expect(isNotFound(await refusal(client.delete(Thing, second)))).toBe(true);
  });

  test('an object that was never read, and a lock without an object, are usage errors', async () => {
    await expect(client.delete(Thing, here('a'))).rejects.toThrow('has no uid, so it was never read');
    await expect(client.delete(Thing, key('a'), { optimisticLock: true })).rejects.toThrow('has no version');
  });

  test('a deletion returns the removed object, or the one that finalizers keep', async () => {
    const { cache, observed } = cacheOf();
    const writer = new Client(transport, { cache });
    await writer.create(Thing, here('a'));
    await writer.delete(Thing, key('a'));
    const held = { ...here('b'), metadata: { ...key('b'), finalizers: ['example.com/hold'] } };
    await writer.create(Thing, held);
    await writer.delete(Thing, key('b'));
    await writer.patch(Thing, key('b'), { metadata: { finalizers: null } });
    await writer.create(ConfigMap, configMap('c'));
    await writer.delete(ConfigMap, key('c'));
    await writer.create(Thing, here('d'), { dryRun: true });
    expect(observed).toEqual([
      'wrote Thing a',
      'removed Thing a',
      'wrote Thing b',
      'wrote Thing b',
      'removed Thing b',
      'wrote ConfigMap c',
      'removed ConfigMap c',
    ]);
    expect(await client.get(Thing, key('b'))).toBeUndefined();
  });

  test('a collection is deleted at once, as selected', async () => {
    for (const name of ['a', 'b', 'c']) {
      await client.create(ConfigMap, {
        ...configMap(name),
        metadata: { ...key(name), labels: { keep: String(name === 'b') } },
      });
    }
    await client.deleteCollection(ConfigMap, {
      namespace,
      labelSelector: { matchExpressions: [{ key: 'keep', operator: 'In', values: ['false'] }] },
    });
    const { items } = await client.list(ConfigMap, { namespace, labelSelector: 'keep' });
    expect(items.map(({ metadata }) => metadata.name)).toEqual(['b']);
    await expect(client.deleteCollection(ConfigMap)).rejects.toThrow(
      'The namespace of the ConfigMap is missing',
    );
  });
});

describe('applying', () => {
  test('creates, changes, removes, and cannot take fields of other owners', async () => {
    const applied = await client.apply(ConfigMap, { metadata: key('a'), data: { x: '1', y: '2' } });
    expect(applied.metadata.managedFields).toMatchObject([{ manager: 'tester', operation: 'Apply' }]);
    const again = await client.apply(ConfigMap, { metadata: key('a'), data: { x: '1' } });
    expect(again.data).toEqual({ x: '1' });
    const other = { fieldOwner: 'other' };
    const error = await refusal(client.apply(ConfigMap, { metadata: key('a'), data: { x: '9' } }, other));
    expect(isConflict(error)).toBe(true);
    expect(error).toMatchObject({
      details: { causes: [{ reason: 'FieldManagerConflict', field: '.data.x' }] },
      hint: 'Leave the fields to their owner, or take them over with force: true.',
    });
    const forced = await client.apply(
      ConfigMap,
      { metadata: key('a'), data: { x: '9' } },
      { ...other, force: true },
    );
    expect(forced.data).toEqual({ x: '9' });
  });

  test('takes over an object that was created without apply, and refuses unknown fields', async () => {
    const kind = await client.mapper.kindFor('example.com/v1', 'Thing');
    await client.create(kind, {
      apiVersion: 'example.com/v1',
      kind: 'Thing',
      metadata: key('a'),
      spec: { size: 1 },
    });
    const wanted = { metadata: key('a'), spec: { size: 2 } };
    expect(isConflict(await refusal(client.apply(kind, wanted)))).toBe(true);
    const applied = await client.apply(kind, wanted, { force: true });
    expect(applied).toMatchObject({ apiVersion: 'example.com/v1', kind: 'Thing', spec: { size: 2 } });
    expect(applied.metadata.managedFields?.map(({ operation }) => operation).toSorted()).toContain('Apply');
    const odd = await refusal(client.apply(kind, { metadata: key('a'), spec: { sice: 1 } }));
    expect(odd).toMatchObject({ message: expect.stringContaining('.spec.sice') });
  });

  test('sends nothing when the cached object shows that nothing would change', async () => {
    const { metadata, spec } = deployment('web');
    const configuration = { metadata: { name: metadata.name!, namespace, labels }, spec: spec! };
    const live = await client.apply(Deployments, configuration);
    const cached = new Client(transport, { cache: cacheOf(live).cache });
    const unchanged = await counted(() => cached.apply(Deployments, configuration));
    expect(unchanged.requests).toBe(0);
    expect(unchanged.result).toEqual(live);
    unchanged.result.metadata.labels = {};
    expect(live.metadata.labels).toEqual(labels);
    const changes: [string, Parameters<typeof cached.apply<Deployment>>[1]][] = [
      ['a value', { ...configuration, spec: { ...configuration.spec, replicas: 3 } }],
      ['a field more', { ...configuration, spec: { ...configuration.spec, paused: true } }],
      ['a field less', { metadata: { name: 'web', namespace }, spec: configuration.spec }],
    ];
    for (const [what, change] of changes) {
      const { requests } = await counted(() => cached.apply(Deployments, change, { dryRun: false }));
      expect([what, requests]).toEqual([what, 1]);
    }
    const { requests } = await counted(() =>
      cached.apply(Deployments, configuration, { fieldOwner: 'new', force: true }),
    );
    expect(requests).toBe(1);
  });

  test('a configuration counts as applied exactly when the server would change nothing', async () => {
    const service = (ports: object[], annotations: object | undefined, affinity: string | undefined) => ({
      metadata: { name: 'svc', namespace, annotations },
      spec: { selector: labels, sessionAffinity: affinity, ports },
    });
    const port = fc.record(
      {
        name: fc.constantFrom('a', 'b'),
        port: fc.constantFrom(80, 81),
        protocol: fc.constantFrom('TCP', 'UDP'),
      },
      { requiredKeys: ['name', 'port'] },
    );
    const distinct = { minLength: 1, maxLength: 2, selector: ({ name }: { name: string }) => name };
    const configuration = fc
      .tuple(
        fc.uniqueArray(port, distinct),
        fc.option(fc.dictionary(fc.constantFrom('x', 'y'), fc.constantFrom('1', '2')), { nil: undefined }),
        fc.constantFrom(undefined, 'None', 'ClientIP'),
      )
      .filter(
        ([ports]) =>
          new Set(ports.map(({ port: number, protocol }) => `${number}${protocol ?? 'TCP'}`)).size ===
          ports.length,
      )
      .map((parts) => service(...parts));
    let live: DeepReadonly<Service> = await client.apply(Service, {
      metadata: key('svc'),
      spec: { ports: [{ port: 80 }] },
    });
    await fc.assert(
      fc.asyncProperty(configuration, async (parts) => {
        const wanted = { apiVersion: 'v1', kind: 'Service', ...parts } as const;
        const isHeld = (): boolean => isApplied(wanted, live, 'tester', undefined);
        const apply = (): Promise<Service> => client.apply(Service, wanted as never);
        const before = isHeld();
        const first = await apply();
        if (before) expect(first).toEqual(live);
        live = first;
        // An owner may have an empty object that the server does not store: that remains in doubt.
        const isCertain = Object.keys(wanted.metadata.annotations ?? { some: 1 }).length > 0;
        expect([wanted, isHeld()]).toEqual([wanted, isCertain]);
        if (isCertain) expect(await apply()).toEqual(live);
      }),
      { numRuns: 40 },
    );
  });

  test('the status of a custom resource has its own owners', async () => {
    await client.apply(Thing, { metadata: key('a'), spec: { size: 1 } });
    const live = await client.status.apply(Thing, { metadata: key('a'), status: { size: 1 } });
    expect(live).toMatchObject({ spec: { size: 1 }, status: { size: 1 } });
    const cached = new Client(transport, { cache: cacheOf(live).cache });
    const { requests } = await counted(async () => {
      await cached.apply(Thing, { metadata: key('a'), spec: { size: 1 } });
      await cached.status.apply(Thing, { metadata: key('a'), status: { size: 1 } });
    });
    expect(requests).toBe(0);
    expect(await cached.status.apply(Thing, { metadata: key('a'), status: { size: 2 } })).toMatchObject({
      status: { size: 2 },
    });
  });
});

describe('subresources', () => {
  test('the status is read, updated and patched separately', async () => {
    const created = await client.create(Thing, here('a'));
    const updated = await client.status.update(Thing, { ...created, spec: { size: 9 }, status: { size: 1 } });
    expect(updated).toMatchObject({ spec: { size: 1 }, status: { size: 1 } });
    const patched = await client.status.patch(Thing, updated, (draft) => {
      draft.status = { size: 2 };
    });
    expect(patched.status).toEqual({ size: 2 });
    expect(await client.status.get(Thing, key('a'))).toEqual(patched);
  });

  test('scale has its own kind', async () => {
    await client.create(Deployments, deployment('web'));
    const scale = await client.scale.get(Deployments, key('web'));
    expect(scale).toMatchObject({ kind: 'Scale', spec: { replicas: 2 } });
    const scaled = await client.scale.update(Deployments, { ...scale, spec: { replicas: 4 } });
    expect(scaled.spec).toEqual({ replicas: 4 });
    await client.scale.patch(Deployments, key('web'), { spec: { replicas: 5 } });
    expect(await client.get(Deployments, key('web'))).toMatchObject({ spec: { replicas: 5 } });
    const applied = await client
      .subresource<Scale>('scale')
      .apply(
        Deployments,
        { apiVersion: 'autoscaling/v1', kind: 'Scale', metadata: key('web'), spec: { replicas: 6 } },
        { force: true },
      );
    expect(applied).toMatchObject({ kind: 'Scale', spec: { replicas: 6 } });
    expect(await client.scale.get(metadataOf(Deployments), key('web'))).toMatchObject(applied);
  });

  test('of the metadata of an object are patched, and not replaced', async () => {
    const kind = metadataOf(Deployments);
    await client.create(Deployments, deployment('web'));
    const patched = await client.status.patch(kind, key('web'), { metadata: { annotations: { a: 'b' } } });
    expect(patched).toMatchObject({ apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'web' } });
    expect('status' in patched).toBe(false);
    expect(await client.status.get(kind, key('web'))).toEqual(patched);
    await expect(client.status.update(kind, patched)).rejects.toThrow('cannot be updated');
  });

  test('a pod is bound to a node, and a certificate approved', async () => {
    await client.create(ServiceAccount, {
      apiVersion: 'v1',
      kind: 'ServiceAccount',
      metadata: key('default'),
    });
    const spec = { containers: [{ name: 'a', image: 'a' }] };
    await client.create(Pod, { apiVersion: 'v1', kind: 'Pod', metadata: key('a'), spec });
    await client.subresource<Binding>('binding').create(Pod, key('a'), {
      apiVersion: 'v1',
      kind: 'Binding',
      metadata: key('a'),
      target: { kind: 'Node', name: 'n' },
    });
    expect((await client.getOrThrow(Pod, key('a'))).spec?.nodeName).toBe('n');
    const request = await client.create(CertificateSigningRequest, {
      apiVersion: 'certificates.k8s.io/v1',
      kind: 'CertificateSigningRequest',
      metadata: { name: namespace },
      spec: { signerName: 'example.com/signer', usages: ['client auth'], request: btoa(signingRequest) },
    });
    const approved = { type: 'Approved', status: 'True', reason: 'r', message: 'm' };
    const approval = client.subresource('approval');
    const answer = await approval.update(CertificateSigningRequest, {
      ...request,
      status: { conditions: [approved] },
    });
    expect(answer.status?.conditions).toMatchObject([approved]);
  });

  test('a pod is evicted', async () => {
    await client.create(ServiceAccount, {
      apiVersion: 'v1',
      kind: 'ServiceAccount',
      metadata: key('default'),
    });
    await client.create(Pod, {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: key('a'),
      spec: { containers: [{ name: 'a', image: 'a' }] },
    });
    await client
      .subresource<Eviction>('eviction')
      .create(Pod, key('a'), { apiVersion: 'policy/v1', kind: 'Eviction', metadata: key('a') });
    expect(await client.get(Pod, key('a'))).toBeUndefined();
  });

  test.skipIf(!real)('a token can be requested', async () => {
    await client.create(ServiceAccount, {
      apiVersion: 'v1',
      kind: 'ServiceAccount',
      metadata: key('sa'),
    });
    const answer = await client.subresource<TokenRequest>('token').create(ServiceAccount, key('sa'), {
      apiVersion: 'authentication.k8s.io/v1',
      kind: 'TokenRequest',
      metadata: {},
      spec: { audiences: [], expirationSeconds: 600 },
    });
    expect(answer.status?.token).toMatch(/^ey/);
  });
});

describe('reading', () => {
  test('reads long lists page by page', async () => {
    const count = 520;
    const all = Array.from({ length: count }, (_, index) => `item-${String(index).padStart(4, '0')}`);
    await Promise.all(
      all.map((name) =>
        client.create(ConfigMap, { ...configMap(name), metadata: { ...key(name), labels: { page: 'x' } } }),
      ),
    );
    const { result, requests } = await counted(async () => {
      const names: (string | undefined)[] = [];
      for await (const { kind, metadata } of client.items(ConfigMap, {
        namespace,
        labelSelector: 'page=x',
      })) {
        names.push(`${kind} ${metadata.name}`);
      }
      return names;
    });
    expect(result).toEqual(all.map((name) => `ConfigMap ${name}`));
    expect(requests).toBe(2);
  });

  test('selects by fields, and pages manually', async () => {
    for (const name of ['a', 'b', 'c']) await client.create(ConfigMap, configMap(name));
    const names = async (options: ListOptions, kind: Kind = ConfigMap): Promise<unknown> =>
      (await client.list(kind, { namespace, ...options })).items.map(({ metadata }) => metadata.name);
    expect(await names({ fieldSelector: 'metadata.name=b' })).toEqual(['b']);
    expect(await names({ labelSelector: 'none' })).toEqual([]);
    for (const kind of [ConfigMap, metadataOf(ConfigMap)]) {
      const first = await client.list(kind, { namespace, limit: 2 });
      expect(first).toMatchObject({ metadata: { remainingItemCount: 1 }, items: [{}, {}] });
      expect(await names({ limit: 2, continue: first.metadata.continue }, kind)).toEqual(['c']);
    }
    await client.deleteCollection(metadataOf(ConfigMap), { namespace, fieldSelector: 'metadata.name!=c' });
    expect(await names({})).toEqual(['c']);
  });

  test('reads only metadata', async () => {
    await client.create(Secret, {
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { ...key('s'), labels },
      data: { password: 'c2VjcmV0' },
    });
    const kind = metadataOf(Secret);
    const read = await client.get(kind, key('s'));
    expect(read).toMatchObject({ apiVersion: 'v1', kind: 'Secret', metadata: { name: 's', labels } });
    expect(Object.keys(read!).toSorted()).toEqual(['apiVersion', 'kind', 'metadata']);
    const { items } = await client.list(kind, { namespace, labelSelector: 'app=web' });
    expect(items).toEqual([read]);
    const patched = await client.patch(kind, read!, (draft) => {
      draft.metadata.annotations = { a: 'b' };
    });
    expect(Object.keys(patched).toSorted()).toEqual(['apiVersion', 'kind', 'metadata']);
    expect(patched).toMatchObject({ kind: 'Secret', metadata: { annotations: { a: 'b' } } });
    expect(await client.get(Secret, key('s'))).toMatchObject({ data: { password: 'c2VjcmV0' } });
    const { cache, observed } = cacheOf();
    await new Client(transport, { cache }).delete(kind, key('s'));
    expect(observed).toEqual(['removed Secret s']);
    await expect(client.create(kind, read!)).rejects.toThrow('cannot be created');
  });

  test('a missing object is undefined; a missing kind is an error', async () => {
    expect(await client.get(Thing, key('none'))).toBeUndefined();
    const missing = await refusal(client.getOrThrow(Thing, key('none')));
    expect(isNotFound(missing)).toBe(true);
    expect(isKindMissing(missing)).toBe(false);
    const Missing = { ...Thing, apiVersion: 'none.example.com/v1', group: 'none.example.com' } as const;
    expect(isKindMissing(await refusal(client.get(Missing, key('a'))))).toBe(true);
    expect(isKindMissing(await refusal(client.list(Missing)))).toBe(true);
  });

  test('reads any path', async () => {
    expect(await client.raw({ path: '/version' })).toHaveProperty('gitVersion');
    expect(await client.raw({ path: '/livez', responseType: 'text' })).toBe('ok');
  });
});

describe('kinds by their names', () => {
  test('are found with everything that is needed to use them', async () => {
    const kind = await client.mapper.kindFor('example.com/v1', 'Thing');
    expect(kind).toEqual(Thing);
    await client.create(Thing, here('a'));
    const read = await client.get(kind, key('a'));
    expect(read).toMatchObject({ kind: 'Thing', spec: { size: 1 } });
    const changed = await client.patch(kind, read!, (draft) => {
      draft['spec'] = { size: 7 };
    });
    expect(changed['spec']).toEqual({ size: 7 });
    const [autoscaler] = await client.mapper.kindsOf({
      group: 'autoscaling',
      kind: 'HorizontalPodAutoscaler',
    });
    expect(autoscaler?.apiVersion).toBe('autoscaling/v2');
    const [pods] = await client.mapper.kindsOf({ group: '', resource: 'pods' });
    expect(pods).toEqual({ ...Pod });
    expect(await client.mapper.isAvailable(Deployments)).toBe(true);
  });

  test('a CRD that is installed after a failed lookup is found, without a storm of discovery', async () => {
    const clock = new VirtualClock();
    const mapper = new RestMapper(transport, { clock });
    const ask = () => mapper.kindFor('late.example.com/v1', 'Late');
    await expect(ask()).rejects.toMatchObject({ code: 'NO_KIND_MATCH' });
    const { requests } = await counted(() => Promise.all(Array.from({ length: 20 }, () => refusal(ask()))));
    expect(requests).toBe(0);
    const name = 'lates.late.example.com';
    await client.create(CustomResourceDefinition, {
      apiVersion: 'apiextensions.k8s.io/v1',
      kind: 'CustomResourceDefinition',
      metadata: { name },
      spec: {
        group: 'late.example.com',
        names: { kind: 'Late', plural: 'lates' },
        scope: 'Cluster',
        versions: [
          { name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object' } } },
        ],
      },
    });
    const kind = await waitFor(async () => {
      await clock.advance(5_000);
      return ask();
    });
    expect(kind).toMatchObject({ plural: 'lates', scope: 'Cluster' });
  });
});
