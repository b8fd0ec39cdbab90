import { X509Certificate } from 'node:crypto';
import type { Kind, KubernetesObject } from 'ots-kubernetes';
import type { ValidatingWebhookConfiguration } from 'ots-kubernetes/admissionregistration/v1';
import type { CustomResourceDefinition } from 'ots-kubernetes/apiextensions/v1';
import type { Secret } from 'ots-kubernetes/core/v1';
import { afterEach, describe, expect, test } from 'vitest';
import type { CertificatePair } from 'ots-apimachinery/certificates/certificate-pair';
import { eventually } from '../../test/eventually.ts';
import { VirtualClock, settled } from '../../test/virtual-clock.ts';
import { ApiError } from '../errors/api-error.ts';
import type { Client } from '../client/client.ts';
import { createLogger } from '../logging/create-logger.ts';
import { isMetadataKind } from '../objects/metadata-of.ts';
import type { JsonPatchOperation } from '../objects/patches.ts';
import { ConnectionError } from '../errors/connection-error.ts';
import { CertificateRotator } from './certificate-rotator.ts';
import { bundleOf, isSignedBy, stateOf } from './certificate-state.ts';
import type { CompleteRotatorOptions } from './rotator-options.ts';

const day = 24 * 3_600_000;
const lines: string[] = [];
const logger = createLogger({ level: 'debug', stream: { write: (line) => lines.push(line) } });

/** Stores objects with optimistic concurrency, and fails when told to. */
class FakeApi {
  readonly objects = new Map<string, any>();
  readonly calls: string[] = [];
  /** Called before every request; what it throws is the answer. */
  before: (call: string) => void = () => {};
  #version = 0;

  readonly client = {
    get: async (kind: Kind, { name }: { name: string }) => {
      const isPartial = isMetadataKind(kind);
      await this.#arrive(`get ${isPartial ? 'the metadata of ' : ''}${kind.kind} ${name}`);
      const object = this.objects.get(`${kind.kind} ${name}`);
      return structuredClone(isPartial ? object && { metadata: object.metadata } : object);
    },
    create: async (kind: Kind, object: KubernetesObject) => {
      await this.#arrive(`create ${kind.kind} ${object.metadata.name}`);
      if (this.objects.has(`${kind.kind} ${object.metadata.name}`)) throw status(409, 'AlreadyExists');
      return this.put(object);
    },
    update: async (kind: Kind, object: KubernetesObject) => {
      await this.#arrive(`update ${kind.kind} ${object.metadata.name}`);
      const { resourceVersion } = this.objects.get(`${kind.kind} ${object.metadata.name}`).metadata;
      if (resourceVersion !== object.metadata.resourceVersion) throw status(409, 'Conflict');
      return this.put(object);
    },
    patch: async (kind: Kind, { name }: { name: string }, operations: JsonPatchOperation[]) => {
      await this.#arrive(`patch ${kind.kind} ${name}`);
      const object = structuredClone(this.objects.get(`${kind.kind} ${name}`));
      for (const operation of operations) {
        const keys = operation.path.split('/').slice(1);
        const last = keys.pop()!;
        const parent = keys.reduce((at, key) => at[key], object);
        if (operation.op === 'add') parent[last] = operation.value;
        else if (operation.op === 'test' && parent[last] !== operation.value) throw status(422, 'Invalid');
      }
      return this.put(object);
    },
  } as unknown as Client;

  put(object: any): any {
    this.#version += 1;
    const stored = { ...object, metadata: { ...object.metadata, resourceVersion: String(this.#version) } };
    this.objects.set(`${object.kind} ${object.metadata.name}`, stored);
    return structuredClone(stored);
  }

  async #arrive(call: string): Promise<void> {
    await settled();
    this.calls.push(call);
    this.before(call);
  }
}

function status(code: number, reason: string): ApiError {
  return new ApiError({ code, reason, message: `${reason} of the test` });
}

const stops: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop();
  // The keys of the certificates are in no line of the log.
  if (lines.splice(0).join('').includes('PRIVATE KEY')) throw new Error('a key was logged');
});

interface Running {
  clock: VirtualClock;
  api: FakeApi;
  served: CertificatePair[];
  stop: AbortController;
  load: () => Promise<CertificatePair>;
  /** Loads, and goes on looking. */
  start: () => Promise<void>;
  /** Lets ten seconds pass and the look that is due end. */
  look: () => Promise<void>;
}

/** @param serving may refuse a pair. */
function rotator(
  api = new FakeApi(),
  options: Partial<CompleteRotatorOptions> = {},
  serving: () => Promise<void> = async () => {},
): Running {
  const clock = new VirtualClock();
  const stop = new AbortController();
  const made = new CertificateRotator(
    { secretName: 'certs', namespace: 'ns', serviceName: 'hook', ...options },
    { client: api.client, clock, logger },
  );
  const served: CertificatePair[] = [];
  const load = async (): Promise<CertificatePair> => {
    served.push(await made.load(stop.signal));
    return served.at(-1)!;
  };
  return {
    clock,
    api,
    served,
    stop,
    load,
    async start() {
      await load();
      const serve = async (pair: CertificatePair): Promise<void> => {
        await serving();
        served.push(pair);
      };
      const watching = made.watch(serve, stop.signal);
      stops.push(async () => {
        stop.abort();
        await watching;
        expect(clock.delays).toEqual([]);
      });
    },
    async look() {
      await eventually(() => clock.delays.length === 1);
      await clock.advance(10_000);
      await eventually(() => clock.delays.length === 1);
    },
  };
}

function stateIn(api: FakeApi): NonNullable<ReturnType<typeof stateOf>> {
  const { data } = api.objects.get('Secret certs') as Secret;
  return stateOf(Object.fromEntries(Object.entries(data!).map(([key, value]) => [key, atob(value)])))!;
}

function configuration(name: string, ...caBundles: (string | undefined)[]): ValidatingWebhookConfiguration {
  return {
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: 'ValidatingWebhookConfiguration',
    metadata: { name },
    webhooks: caBundles.map((caBundle, index) => ({
      name: `w${index}`,
      clientConfig: { ...(caBundle !== undefined && { caBundle }) },
      admissionReviewVersions: ['v1'],
      sideEffects: 'None',
    })),
  };
}

function bundles(api: FakeApi, name: string): (string | undefined)[] {
  const { webhooks = [] } = api.objects.get(
    `ValidatingWebhookConfiguration ${name}`,
  ) as ValidatingWebhookConfiguration;
  return webhooks.map(({ clientConfig }) => clientConfig.caBundle && atob(clientConfig.caBundle));
}

describe('at start', () => {
  test('the certificate covers the names that API servers and users call the Service', async () => {
    const { load, api } = rotator();
    await load();
    const { metadata, type } = api.objects.get('Secret certs') as Secret;
    expect(metadata).toMatchObject({ name: 'certs', namespace: 'ns' });
    expect(type).toBe('kubernetes.io/tls');
    expect(new X509Certificate(stateIn(api).serving.cert).subjectAltName).toBe(
      'DNS:hook.ns.svc, DNS:hook.ns.svc.cluster.local, DNS:hook.ns',
    );
    expect(() => rotator(api, { serviceName: undefined })).toThrow('no DNS name');
  });

  test('ten replicas agree, whichever comes first', async () => {
    const api = new FakeApi();
    const pairs = await Promise.all(Array.from({ length: 10 }, () => rotator(api).load()));
    expect(new Set(pairs.map(({ cert }) => cert)).size).toBe(1);
    expect(pairs[0]).toEqual(stateIn(api).serving);
  });

  test('ten replicas that find a damaged Secret also agree', async () => {
    const api = new FakeApi();
    await rotator(api).load();
    const secret = api.objects.get('Secret certs') as Secret;
    api.put({ ...secret, data: { ...secret.data, 'tls.key': btoa('half a k') } });
    const pairs = await Promise.all(Array.from({ length: 10 }, () => rotator(api).load()));
    expect(new Set(pairs.map(({ key }) => key)).size).toBe(1);
    expect(pairs[0]).toEqual(stateIn(api).serving);
  });

  test('it waits for an API server that does not respond', async () => {
    const { load, api, clock } = rotator();
    const errors = [
      new ConnectionError('connection refused', 'Wait.'),
      status(503, 'ServiceUnavailable'),
      status(429, 'TooManyRequests'),
    ];
    api.before = () => {
      const error = errors.shift();
      if (error) throw error;
    };
    const loading = load();
    for (let round = 0; round < 3; round += 1) {
      await eventually(() => clock.delays.length === 1);
      await clock.advance(1000);
    }
    expect(await loading).toEqual(stateIn(api).serving);
    expect(lines.filter((line) => line.includes('no serving certificate yet'))).toHaveLength(3);
  });

  test.each([
    [status(403, 'Forbidden'), 'get, create and update on Secrets'],
    [status(404, 'NotFound'), 'that the namespace exists'],
    [new TypeError('a mistake'), 'get, create and update'],
  ])('what waiting does not heal is an error: %s', async (error, hint) => {
    const { load, api } = rotator();
    api.before = () => {
      throw error;
    };
    await expect(load()).rejects.toMatchObject({
      code: 'CERTIFICATE',
      hint: expect.stringContaining(hint),
      cause: error,
    });
  });

  test('a Secret of another program is not changed', async () => {
    const { load, api } = rotator();
    api.put({
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { name: 'certs', namespace: 'ns' },
      data: { a: 'YQ==' },
    });
    await expect(load()).rejects.toMatchObject({
      code: 'CERTIFICATE',
      message: expect.stringContaining('ns/certs'),
    });
    expect(api.calls).toEqual(['get Secret certs']);
  });

  test('a stop ends the wait', async () => {
    const { load, api, stop, clock } = rotator();
    api.before = () => {
      throw new ConnectionError('connection refused', 'Wait.');
    };
    const loading = load();
    await eventually(() => clock.delays.length === 1);
    stop.abort();
    await expect(loading).rejects.toThrow('abort');
    expect(clock.delays).toEqual([]);
  });
});

describe('the authority', () => {
  test('is written to every named webhook before the server starts, and only where it is missing', async () => {
    const api = new FakeApi();
    api.put(configuration('mine', undefined, btoa('placeholder')));
    api.put(configuration('other', undefined));
    api.put({
      kind: 'CustomResourceDefinition',
      metadata: { name: 'things' },
      spec: { conversion: { strategy: 'Webhook', webhook: { clientConfig: {} } } },
    });
    const { start, look } = rotator(api, {
      validatingWebhookConfigurations: ['mine'],
      customResourceDefinitions: ['things'],
    });
    await start();
    const bundle = bundleOf(stateIn(api));
    expect(bundles(api, 'mine')).toEqual([bundle, bundle]);
    expect(bundles(api, 'other')).toEqual([undefined]);
    const crd = api.objects.get('CustomResourceDefinition things') as CustomResourceDefinition;
    expect(atob(crd.spec.conversion!.webhook!.clientConfig!.caBundle!)).toBe(bundle);
    api.calls.length = 0;
    await look();
    expect(api.calls.toSorted()).toEqual([
      'get CustomResourceDefinition things',
      'get Secret certs',
      'get ValidatingWebhookConfiguration mine',
    ]);
  });

  test('is checked without reading unchanged objects', async () => {
    const api = new FakeApi();
    api.put(configuration('mine', undefined));
    const { start, look } = rotator(api, { validatingWebhookConfigurations: ['mine'] });
    await start();
    await look();
    api.calls.length = 0;
    await look();
    expect(api.calls).toEqual([
      'get Secret certs',
      'get the metadata of ValidatingWebhookConfiguration mine',
    ]);
    api.objects.delete('ValidatingWebhookConfiguration mine');
    await look();
    api.put(configuration('mine', undefined));
    await look();
    expect(bundles(api, 'mine')).toEqual([bundleOf(stateIn(api))]);
  });

  test('an object that cannot be updated is logged once, and does not affect the rest', async () => {
    const api = new FakeApi();
    api.put(configuration('mine', undefined));
    api.put({ kind: 'CustomResourceDefinition', metadata: { name: 'things' }, spec: {} });
    const { start, look } = rotator(api, {
      validatingWebhookConfigurations: ['missing', 'mine', 'forbidden'],
      customResourceDefinitions: ['things'],
    });
    api.put(configuration('forbidden', undefined));
    api.before = (call) => {
      if (call === 'patch ValidatingWebhookConfiguration forbidden') throw status(403, 'Forbidden');
    };
    await start();
    await look();
    await look();
    expect(bundles(api, 'mine')).toEqual([bundleOf(stateIn(api))]);
    const warnings = lines.filter((line) => line.includes('did not receive the certificate authority'));
    expect(
      warnings
        .map((line) => JSON.parse(line))
        .map(({ msg, reason }) => `${msg}: ${reason}`)
        .toSorted(),
    ).toEqual([
      'CustomResourceDefinition things did not receive the certificate authority: it has no conversion webhook (spec.conversion.webhook.clientConfig)',
      'ValidatingWebhookConfiguration forbidden did not receive the certificate authority: Forbidden of the test',
      'ValidatingWebhookConfiguration missing did not receive the certificate authority: it does not exist',
    ]);
    api.put(configuration('missing', undefined));
    await look();
    expect(bundles(api, 'missing')).toEqual([bundleOf(stateIn(api))]);
  });

  test('a webhook that has moved when the patch arrives is unchanged until the next check', async () => {
    const api = new FakeApi();
    api.put(configuration('mine', undefined));
    const { start, look } = rotator(api, { validatingWebhookConfigurations: ['mine'] });
    api.before = (call) => {
      if (!call.startsWith('patch')) return;
      api.before = () => {};
      const { webhooks, ...rest } = configuration('mine', undefined);
      api.put({ ...rest, webhooks: [{ ...webhooks![0], name: 'first' }, ...webhooks!] });
    };
    await start();
    expect(bundles(api, 'mine')).toEqual([undefined, undefined]);
    await look();
    const bundle = bundleOf(stateIn(api));
    expect(bundles(api, 'mine')).toEqual([bundle, bundle]);
  });
});

describe('over time', () => {
  test('one replica renews and the others follow', async () => {
    const api = new FakeApi();
    const [first, second] = [rotator(api), rotator(api)];
    await first.start();
    await second.start();
    for (const { clock } of [first, second]) clock.jump(244 * day);
    await Promise.all([first.look(), second.look()]);
    expect(first.served).toHaveLength(2);
    expect(second.served).toEqual(first.served);
    expect(stateIn(api).serving).toEqual(first.served[1]);
  });

  test('a certificate of a new authority is served only after all API servers have had a minute to learn of it', async () => {
    const api = new FakeApi();
    api.put(configuration('mine', undefined));
    const { start, look, served } = rotator(api, { validatingWebhookConfigurations: ['mine'] });
    await start();
    const old = stateIn(api);
    api.objects.delete('Secret certs');
    await look();
    const overlap = stateIn(api);
    expect(overlap.retired).toEqual([old.authority.cert]);
    expect(bundles(api, 'mine')).toEqual([bundleOf(overlap)]);
    // The look after that finds the bundle in place; a minute from then on it counts as known.
    for (let round = 0; round < 3; round += 1) await look();
    // Another client resets the bundle: the minute starts over.
    api.put(configuration('mine', undefined));
    await look();
    for (let round = 0; round < 6; round += 1) {
      await look();
      expect(stateIn(api).serving).toEqual(old.serving);
    }
    expect(served).toHaveLength(1);
    await look();
    expect(served).toHaveLength(2);
    expect(isSignedBy(served[1]!.cert, overlap.authority.cert)).toBe(true);
  });

  test('while a configuration cannot be updated, only certificates that it trusts are served', async () => {
    const api = new FakeApi();
    api.put(configuration('mine', undefined));
    const { start, look, served } = rotator(api, { validatingWebhookConfigurations: ['mine'] });
    await start();
    api.objects.delete('Secret certs');
    api.before = (call) => {
      if (call.startsWith('patch')) throw status(403, 'Forbidden');
    };
    for (let round = 0; round < 20; round += 1) await look();
    expect(served).toHaveLength(1);
  });

  test('a certificate that the server did not accept is tried again', async () => {
    let tries = 0;
    const { api, clock, look, served, start } = rotator(undefined, {}, async () => {
      tries += 1;
      if (tries === 1) throw new Error('the client authorities cannot be read');
    });
    await start();
    clock.jump(250 * day);
    await look();
    expect([served.length, tries]).toEqual([1, 1]);
    await look();
    expect([served.at(-1), tries]).toEqual([stateIn(api).serving, 2]);
    await look();
    expect(tries).toBe(2);
  });

  test('a failure is logged, and the certificate stays', async () => {
    const { start, look, api, served, clock } = rotator();
    await start();
    api.before = () => {
      throw new ConnectionError('connection refused', 'Wait.');
    };
    clock.jump(244 * day);
    await look();
    expect(served).toHaveLength(1);
    expect(lines.join('')).toContain('cannot maintain the serving certificate');
    api.before = () => {};
    await look();
    expect(served).toHaveLength(2);
  });
});
