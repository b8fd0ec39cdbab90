import { setTimeout as pause } from 'node:timers/promises';
import { type TLSSocket, connect } from 'node:tls';
import { type KubernetesObject, defineKind } from 'ots-kubernetes';
import {
  MutatingWebhookConfiguration,
  ValidatingWebhookConfiguration,
} from 'ots-kubernetes/admissionregistration/v1';
import { CustomResourceDefinition } from 'ots-kubernetes/apiextensions/v1';
import { Namespace, Secret } from 'ots-kubernetes/core/v1';
import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type ApiServerFixture, apiServerFixture } from '../../test/api-server-fixture.ts';
import { rawRequest } from '../../test/raw-request.ts';
import { VirtualClock } from '../../test/virtual-clock.ts';
import { issueCertificate, makeAuthority } from '../certificates/certificate-authority.ts';
import { bundleOf, stateOf, textsOf } from '../certificates/certificate-state.ts';
import type { RotatorOptions } from '../certificates/rotator-options.ts';
import { Client } from '../client/client.ts';
import { createLogger } from '../logging/create-logger.ts';
import { Manager } from '../manager/manager.ts';
import { addAdmissionHandler } from './add-admission-handler.ts';
import type { AdmissionContext } from './admission-context.ts';
import type { AdmissionRequest } from './admission-review.ts';
import { ConversionBuilder } from './conversion-builder.ts';
import { ConversionRegistry } from './conversion-registry.ts';
import { DeniedError, InvalidError } from './refusal.ts';
import { WebhookBuilder } from './webhook-builder.ts';
import { WebhookRegistry } from './webhook-registry.ts';
import { WebhookServer } from './webhook-server.ts';

// What the API server does with our answers.

interface Widget extends KubernetesObject {
  apiVersion: 'example.com/v1';
  kind: 'Widget';
  spec: { size: number; color?: string };
  status?: { ready?: boolean };
}
interface WidgetV2 extends KubernetesObject {
  apiVersion: 'example.com/v2';
  kind: 'Widget';
  spec: { dimensions: { width: number }; color?: string };
}
const common = { kind: 'Widget', plural: 'widgets', scope: 'Namespaced' } as const;
const Widget = defineKind<Widget>({ apiVersion: 'example.com/v1', ...common });
const WidgetV2 = defineKind<WidgetV2>({ apiVersion: 'example.com/v2', ...common });

const day = 24 * 3_600_000;
const lines: string[] = [];
const logger = createLogger({ level: 'debug', stream: { write: (line) => lines.push(line) } });
let apiServer: ApiServerFixture;
let client: Client;
const disposables: (() => Promise<unknown>)[] = [];

/** The API server learns of a configuration a moment after it was written. */
async function until(condition: () => Promise<boolean> | boolean, what: string): Promise<void> {
  for (let attempt = 0; attempt < 500; attempt += 1) {
    if (await condition()) return;
    await pause(20);
  }
  throw new Error(`${what} never held\n${lines.slice(-20).join('')}`);
}

const widget = (name: string, size = 1): Widget => ({
  apiVersion: 'example.com/v1',
  kind: 'Widget',
  metadata: { name, namespace: 'default' },
  spec: { size },
});
const collection = '/apis/example.com/v1/namespaces/default/widgets';
const post = (object: object, query = ''): ReturnType<typeof rawRequest> =>
  rawRequest(apiServer.config, 'POST', `${collection}${query}`, object);

/** How long the API server waits for a webhook, in seconds. */
const timeoutSeconds = 5;

/** Moves time for certificates, and not for requests: those under way would be cut off. */
class CertificateClock extends VirtualClock {
  override setTimeout(callback: () => void, milliseconds: number): unknown {
    if (milliseconds !== timeoutSeconds * 1000) return super.setTimeout(callback, milliseconds);
    return setTimeout(callback, milliseconds);
  }

  override clearTimeout(handle: unknown): void {
    super.clearTimeout(handle);
    clearTimeout(handle as NodeJS.Timeout);
  }
}

/** One process of an operator: its own server, its own rotator, its own idea of time. */
class Replica {
  readonly clock = new CertificateClock();
  readonly webhooks = new WebhookRegistry();
  readonly conversions = new ConversionRegistry(this.webhooks, logger);
  readonly logger = logger;
  readonly server: WebhookServer;
  looks = 0;

  constructor(rotator: Partial<RotatorOptions>, epoch = Date.now(), config = apiServer.config) {
    this.clock.jump(epoch - this.clock.epoch());
    const ownClient = new Client(config);
    this.server = new WebhookServer(
      {
        port: 0,
        host: '127.0.0.1',
        rotator: { secretName: 'certs', namespace: 'default', dnsNames: ['127.0.0.1'], ...rotator },
      },
      {
        webhooks: this.webhooks,
        client: ownClient,
        clock: this.clock,
        networkClock: this.clock,
        logger,
        certificateObserver: {
          read: () => {},
          failed: () => void (this.looks += 1),
          serving: () => void (this.looks += 1),
        },
      },
    );
    disposables.push(async () => {
      await this.server.close();
      await ownClient.close();
    });
  }

  get asManager(): Manager {
    return this as unknown as Manager;
  }

  url(path: string): string {
    return `https://127.0.0.1:${this.server.port}${path}`;
  }

  /** Lets ten seconds pass, in which it looks after its certificate once. */
  async look(): Promise<void> {
    const before = this.looks;
    await until(async () => {
      await this.clock.advance(10_000);
      return this.looks > before;
    }, 'a look at the certificate');
  }

  served(): Promise<string> {
    return servedAt(this.server.port!);
  }
}

function servedAt(port: number): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket: TLSSocket = connect({ host: '127.0.0.1', port, rejectUnauthorized: false });
    socket.on('error', reject).once('secureConnect', () => {
      resolve(socket.getPeerX509Certificate()!.toString());
      socket.destroy();
    });
  });
}

const rules = (operations: string[], resources = ['widgets'], apiVersions = ['v1']): any => [
  { apiGroups: ['example.com'], apiVersions, operations, resources },
];

async function configure(
  kind: typeof ValidatingWebhookConfiguration | typeof MutatingWebhookConfiguration,
  name: string,
  url: string,
  extra: object,
): Promise<void> {
  await client.create(kind as typeof ValidatingWebhookConfiguration, {
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: kind.kind as 'ValidatingWebhookConfiguration',
    metadata: { name },
    webhooks: [
      {
        name: `${name}.example.com`,
        clientConfig: { url },
        admissionReviewVersions: ['v1'],
        sideEffects: 'None',
        timeoutSeconds,
        ...extra,
      } as any,
    ],
  });
  disposables.push(() => client.delete(kind as typeof ValidatingWebhookConfiguration, { name }));
}

async function secretState(): Promise<ReturnType<typeof stateOf>> {
  const secret = await client.get(Secret, { name: 'certs', namespace: 'default' });
  const texts = Object.entries(secret?.data ?? {}).map(([key, value]) => [key, atob(value)]);
  return stateOf(Object.fromEntries(texts));
}

async function writeSecret(
  texts: Record<string, string>,
  labels: Record<string, string> = {},
): Promise<void> {
  const data = Object.fromEntries(Object.entries(texts).map(([key, value]) => [key, btoa(value)]));
  await client.create(Secret, {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name: 'certs', namespace: 'default', labels },
    data,
  });
}

const ours = { 'ots-runtime/rotated-certificates': 'true' };

/** Asks for the same dry run again and again until stopped, and counts. */
function load(object: object): { answered: number; failures: string[]; stop(): Promise<void> } {
  const stopping = new AbortController();
  const result = { answered: 0, failures: [] as string[], stop };
  const one = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      const { code, body } = await post(object, '?dryRun=All');
      result.answered += 1;
      if (code !== 201) result.failures.push(JSON.stringify(body));
    }
  };
  const running = Promise.all([one(), one(), one()]);
  async function stop(): Promise<void> {
    stopping.abort();
    await running;
  }
  return result;
}

/** Serves a validator that counts its calls, and waits until the API server calls it. */
async function countingReplica(epoch?: number): Promise<{ replica: Replica; calls: () => number }> {
  const replica = new Replica({ validatingWebhookConfigurations: ['counting'] }, epoch);
  let calls = 0;
  new WebhookBuilder(replica.asManager, Widget)
    .withValidator({
      validateCreate: () => void (calls += 1),
      validateUpdate: () => {},
      validateDelete: () => {},
    })
    .complete();
  await replica.server.open();
  await configure(
    ValidatingWebhookConfiguration,
    'counting',
    replica.url('/validate-example-com-v1-widget'),
    { rules: rules(['CREATE']) },
  );
  await replica.look();
  await until(async () => {
    await post(widget('probe'), '?dryRun=All');
    return calls > 0;
  }, 'the API server calls the webhook');
  return { replica, calls: () => calls };
}

async function bundle(name: string): Promise<string> {
  const found = await client.get(ValidatingWebhookConfiguration, { name });
  return atob(found?.webhooks?.[0]?.clientConfig.caBundle ?? '');
}

const schema = (properties: object): any => ({
  openAPIV3Schema: {
    type: 'object',
    properties: {
      spec: { type: 'object', properties },
      status: { type: 'object', properties: { ready: { type: 'boolean' } } },
    },
  },
});
const version = (name: string, storage: boolean, properties: object): any => ({
  name,
  served: true,
  storage,
  subresources: { status: {} },
  schema: schema(properties),
});
const versions = (stored: 'v1' | 'v2'): any[] => [
  version('v1', stored === 'v1', { size: { type: 'integer' }, color: { type: 'string' } }),
  version('v2', stored === 'v2', {
    dimensions: { type: 'object', properties: { width: { type: 'integer' } } },
    color: { type: 'string' },
  }),
];

describe('on an API server', () => {
  apiServer = apiServerFixture();

  beforeAll(async () => {
    ({ client } = apiServer);
    await client.create(CustomResourceDefinition, {
      apiVersion: 'apiextensions.k8s.io/v1',
      kind: 'CustomResourceDefinition',
      metadata: { name: 'widgets.example.com' },
      spec: {
        group: 'example.com',
        names: { kind: 'Widget', plural: 'widgets', singular: 'widget', listKind: 'WidgetList' },
        scope: 'Namespaced',
        versions: versions('v1'),
      },
    });
    await until(
      async () => (await rawRequest(apiServer.config, 'GET', collection)).code === 200,
      'widgets are served',
    );
    await until(
      async () => (await client.get(Namespace, { name: 'default' })) !== undefined,
      'there is a default namespace',
    );
  }, 60_000);

  afterEach(async () => {
    for (const dispose of disposables.splice(0).toReversed()) await dispose();
    await rawRequest(apiServer.config, 'DELETE', collection);
    await rawRequest(apiServer.config, 'DELETE', '/api/v1/namespaces/default/secrets/certs');
    lines.length = 0;
  });

  test('defaults, validation, warnings, causes, dry runs, deletions and the status subresource', async () => {
    const replica = new Replica({
      mutatingWebhookConfigurations: ['defaulting'],
      validatingWebhookConfigurations: ['validating'],
    });
    const contexts: AdmissionContext[] = [];
    new WebhookBuilder(replica.asManager, Widget)
      .withDefaulter({
        default(object) {
          object.spec.color ??= 'grün';
        },
      })
      .withValidator({
        validateCreate({ spec }, context) {
          contexts.push(context);
          context.warn('sizes are in meters');
          if (spec.size > 9)
            throw new InvalidError([
              { field: 'spec.size', message: 'must be at most 9' },
              { field: 'spec.color', message: 'does not fit', reason: 'FieldValueNotSupported' },
            ]);
          return { warnings: [`color ${spec.color}`] };
        },
        validateUpdate(oldObject, object, context) {
          contexts.push(context);
          if (object.spec.size < oldObject.spec.size) throw new DeniedError('widgets do not shrink');
        },
        validateDelete(object) {
          if (object.spec.size === 2) throw new DeniedError(`size ${object.spec.size} stays`);
        },
      })
      .complete();
    await replica.server.open();
    await configure(
      MutatingWebhookConfiguration,
      'defaulting',
      replica.url('/mutate-example-com-v1-widget'),
      { rules: rules(['CREATE', 'UPDATE']) },
    );
    await configure(
      ValidatingWebhookConfiguration,
      'validating',
      replica.url('/validate-example-com-v1-widget'),
      { rules: rules(['CREATE', 'UPDATE', 'DELETE'], ['widgets', 'widgets/status']) },
    );
    await replica.look();
    await until(
      async () => (await post(widget('probe'), '?dryRun=All')).headers.warning !== undefined,
      'calls',
    );

    const created = await post(widget('a', 2));
    expect(created.code).toBe(201);
    expect(created.body.spec).toEqual({ size: 2, color: 'grün' });
    expect(created.headers.warning).toBe('299 - "sizes are in meters", 299 - "color grün"');
    expect(contexts.at(-1)).toMatchObject({ operation: 'CREATE', dryRun: false });

    const refused = await post(widget('b', 10));
    expect(refused.code).toBe(422);
    expect(refused.headers.warning).toBe('299 - "sizes are in meters"');
    expect(refused.body).toMatchObject({
      reason: 'Invalid',
      message:
        'admission webhook "validating.example.com" denied the request: Widget.example.com "b" is invalid: ' +
        'spec.size: must be at most 9; spec.color: does not fit',
      details: {
        causes: [
          { reason: 'FieldValueInvalid', message: 'must be at most 9', field: 'spec.size' },
          { reason: 'FieldValueNotSupported', message: 'does not fit', field: 'spec.color' },
        ],
      },
    });

    expect((await post(widget('c'), '?dryRun=All')).code).toBe(201);
    expect(contexts.at(-1)?.dryRun).toBe(true);

    const shrunk = await rawRequest(apiServer.config, 'PUT', `${collection}/a`, {
      ...created.body,
      spec: { size: 1 },
    });
    expect(shrunk.code).toBe(403);
    expect(shrunk.body.message).toBe(
      'admission webhook "validating.example.com" denied the request: widgets do not shrink',
    );

    const ready = await rawRequest(apiServer.config, 'PUT', `${collection}/a/status`, {
      ...created.body,
      status: { ready: true },
    });
    expect(ready.body.status).toEqual({ ready: true });
    expect(contexts.at(-1)).toMatchObject({ operation: 'UPDATE', subresource: 'status' });

    const kept = await rawRequest(apiServer.config, 'DELETE', `${collection}/a`);
    expect(kept.code).toBe(403);
    expect(kept.body.message).toContain('size 2 stays');
    await rawRequest(apiServer.config, 'PUT', `${collection}/a`, {
      ...ready.body,
      spec: { size: 3, color: 'x' },
    });
    expect((await rawRequest(apiServer.config, 'DELETE', `${collection}/a`)).code).toBe(200);
  });

  test('one path for several kinds, reviews of v1beta1, and what CONNECT and subresources look like', async () => {
    const replica = new Replica({ validatingWebhookConfigurations: ['raw'] });
    const requests: AdmissionRequest[] = [];
    addAdmissionHandler(replica.asManager, '/audit', {
      handle(request, context) {
        requests.push(request);
        context.warn(`saw ${request.kind.kind}`);
        if (request.name === 'no') throw new DeniedError('not this one');
        return { auditAnnotations: { seen: 'yes' } };
      },
    });
    await replica.server.open();
    await configure(ValidatingWebhookConfiguration, 'raw', replica.url('/audit'), {
      rules: [
        ...rules(['CREATE'], ['*'], ['*']),
        { apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['configmaps'] },
      ],
      admissionReviewVersions: ['v1beta1'],
    });
    await replica.look();
    await until(
      async () => (await post(widget('probe'), '?dryRun=All')).headers.warning !== undefined,
      'calls',
    );
    const map = (name: string): object => ({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name } });
    const maps = '/api/v1/namespaces/default/configmaps';
    expect(
      (await rawRequest(apiServer.config, 'POST', `${maps}?dryRun=All`, map('yes'))).headers.warning,
    ).toBe('299 - "saw ConfigMap"');
    const refused = await rawRequest(apiServer.config, 'POST', `${maps}?dryRun=All`, map('no'));
    expect([refused.code, refused.body.message]).toEqual([
      403,
      'admission webhook "raw.example.com" denied the request: not this one',
    ]);
    // What the unit tests send has the same fields.
    expect(Object.keys(requests.at(-1)!).toSorted()).toEqual([
      'dryRun',
      'kind',
      'name',
      'namespace',
      'object',
      'oldObject',
      'operation',
      'options',
      'requestKind',
      'requestResource',
      'resource',
      'uid',
      'userInfo',
    ]);
  });

  test('matchPolicy Equivalent converts other versions to the named one', async () => {
    const replica = new Replica({ validatingWebhookConfigurations: ['equivalent', 'exact'] });
    const seen: string[] = [];
    new WebhookBuilder(replica.asManager, Widget)
      .withValidator({
        validateCreate: ({ apiVersion }, { request }) =>
          void seen.push(`${apiVersion} sent as ${request.requestKind?.version}`),
        validateUpdate() {},
        validateDelete() {},
      })
      .complete();
    await replica.server.open();
    const path = replica.url('/validate-example-com-v1-widget');
    await configure(ValidatingWebhookConfiguration, 'equivalent', path, { rules: rules(['CREATE']) });
    await replica.look();
    const v2 = { apiVersion: 'example.com/v2', kind: 'Widget', metadata: { name: 'x' }, spec: {} };
    const send = (): ReturnType<typeof rawRequest> =>
      rawRequest(apiServer.config, 'POST', `${collection.replace('v1', 'v2')}?dryRun=All`, v2);
    await until(async () => (await send()).code === 201 && seen.length > 0, 'calls');
    expect(seen.at(-1)).toBe('example.com/v1 sent as v2');
    await configure(ValidatingWebhookConfiguration, 'exact', path, {
      rules: rules(['CREATE'], ['widgets'], ['v1', 'v2']),
    });
    await replica.look();
    let refused = await send();
    await until(async () => (refused = await send()).code === 400, 'a refusal');
    expect(refused.body.message).toContain(
      'expected example.com/v1 Widget as object, got example.com/v2 Widget: let the rules of the webhook name version v1 only',
    );
  });

  test('failurePolicy decides when no response arrives, and refusals are not failures', async () => {
    const replica = new Replica({ validatingWebhookConfigurations: ['broken', 'ignored'] });
    new WebhookBuilder(replica.asManager, Widget)
      .withValidator(
        {
          validateCreate() {
            throw new TypeError('x is undefined');
          },
          validateUpdate() {},
          validateDelete() {},
        },
        { path: '/broken' },
      )
      .complete();
    await replica.server.open();
    await configure(ValidatingWebhookConfiguration, 'ignored', replica.url('/nowhere'), {
      rules: rules(['CREATE']),
      failurePolicy: 'Ignore',
    });
    await replica.look();
    expect((await post(widget('a'), '?dryRun=All')).code).toBe(201);
    await configure(ValidatingWebhookConfiguration, 'broken', replica.url('/broken'), {
      rules: rules(['CREATE']),
      failurePolicy: 'Ignore',
    });
    await replica.look();
    let answer = await post(widget('a'), '?dryRun=All');
    await until(async () => (answer = await post(widget('a'), '?dryRun=All')).code !== 201, 'a refusal');
    expect([answer.code, answer.body.message]).toEqual([
      500,
      'admission webhook "broken.example.com" denied the request: the webhook failed: x is undefined',
    ]);
  });

  test('versions are converted when they are written, read, listed, and after the stored one changes', async () => {
    const replica = new Replica({ customResourceDefinitions: ['widgets.example.com'] });
    new ConversionBuilder(replica.asManager, WidgetV2)
      .withSpoke(Widget, {
        convertTo({ metadata, spec: { size, ...spec }, ...rest }) {
          if (size === 13) throw new Error('13 is unlucky');
          return {
            ...rest,
            apiVersion: 'example.com/v2',
            metadata: { ...metadata, annotations: { ...metadata.annotations, from: 'v1' } },
            spec: { ...spec, dimensions: { width: size } },
          };
        },
        convertFrom: ({ spec: { dimensions, ...spec }, ...rest }) => ({
          ...rest,
          apiVersion: 'example.com/v1' as const,
          spec: { ...spec, size: dimensions.width },
        }),
      })
      .complete();
    await replica.server.open();
    const crd = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions/widgets.example.com';
    const change = async (edit: (definition: any) => void): Promise<void> => {
      const { body } = await rawRequest(apiServer.config, 'GET', crd);
      edit(body);
      const answer = await rawRequest(apiServer.config, 'PUT', crd, body);
      expect(answer.body.spec).toBeDefined();
    };
    await change(({ spec }) => {
      spec.conversion = {
        strategy: 'Webhook',
        webhook: { clientConfig: { url: replica.url('/convert') }, conversionReviewVersions: ['v1'] },
      };
    });
    disposables.push(() =>
      change(({ spec }) => {
        spec.conversion = { strategy: 'None' };
        spec.versions = versions('v1');
      }),
    );
    await replica.look();
    const v2 = collection.replace('v1', 'v2');
    const read = (name: string, where = v2): ReturnType<typeof rawRequest> =>
      rawRequest(apiServer.config, 'GET', `${where}/${name}`);
    expect((await post(widget('a', 4))).code).toBe(201);
    await until(async () => (await read('a')).body.spec?.dimensions?.width === 4, 'a conversion');
    expect((await read('a')).body.metadata).toMatchObject({ name: 'a', annotations: { from: 'v1' } });

    const asV2 = {
      apiVersion: 'example.com/v2',
      kind: 'Widget',
      metadata: { name: 'b' },
      spec: { dimensions: { width: 5 } },
    };
    expect((await rawRequest(apiServer.config, 'POST', v2, asV2)).code).toBe(201);
    expect((await read('b', collection)).body.spec).toEqual({ size: 5 });

    // The stored version moves on: old objects are read as before, and rewritten when they are written.
    await change(({ spec }) => {
      spec.versions = versions('v2');
      spec.conversion.webhook.conversionReviewVersions = ['v1beta1'];
    });
    await until(async () => {
      const { body } = await rawRequest(apiServer.config, 'GET', crd);
      return body.status.storedVersions.includes('v2');
    }, 'v2 is stored');
    for (const name of ['a', 'b']) {
      const object = (await read(name)).body;
      expect((await rawRequest(apiServer.config, 'PUT', `${v2}/${name}`, object)).code).toBe(200);
    }
    const list = await rawRequest(apiServer.config, 'GET', collection);
    expect(list.body.items.map((item: any) => [item.apiVersion, item.metadata.name, item.spec])).toEqual([
      ['example.com/v1', 'a', { size: 4 }],
      ['example.com/v1', 'b', { size: 5 }],
    ]);

    const failed = await post(widget('c', 13));
    expect(failed.code).toBe(500);
    expect(failed.body.message).toContain('conversion webhook for example.com/v1, Kind=Widget failed');
    expect(failed.body.message).toContain('Widget default/c: 13 is unlucky');
  });

  describe('certificates', () => {
    test('two replicas that start at once without a Secret agree on one certificate', async () => {
      const replicas = [new Replica({}), new Replica({})];
      await Promise.all(replicas.map(({ server }) => server.open()));
      const [first, second] = await Promise.all(replicas.map((replica) => replica.served()));
      expect(first).toBe(second);
      expect((await secretState())?.serving.cert).toBe(first);
      expect(await Promise.all(replicas.map(({ server }) => server.problem()))).toEqual([
        undefined,
        undefined,
      ]);
      const { type } = (await client.get(Secret, { name: 'certs', namespace: 'default' }))!;
      expect(type).toBe('kubernetes.io/tls');
    });

    test('a bundle that another client resets is restored', async () => {
      const { replica, calls } = await countingReplica();
      const before = await bundle('counting');
      const { webhooks, ...rest } = (await client.get(ValidatingWebhookConfiguration, { name: 'counting' }))!;
      const { caBundle: _, ...clientConfig } = webhooks![0]!.clientConfig;
      await client.update(ValidatingWebhookConfiguration, {
        ...rest,
        webhooks: [{ ...webhooks![0]!, clientConfig }],
      });
      await until(async () => (await post(widget('a'), '?dryRun=All')).code === 500, 'calls fail');
      await replica.look();
      expect(await bundle('counting')).toBe(before);
      const sofar = calls();
      await until(async () => (await post(widget('a'), '?dryRun=All')).code === 201, 'calls work');
      expect(calls()).toBeGreaterThan(sofar);
    });

    test('the certificate is renewed under load without one failed request', async () => {
      const { replica } = await countingReplica(Date.now() - 250 * day);
      const before = await replica.served();
      const traffic = load(widget('a'));
      await until(() => traffic.answered > 20, 'traffic');
      replica.clock.jump(250 * day);
      await replica.look();
      expect(await replica.served()).not.toBe(before);
      const sofar = traffic.answered;
      await until(() => traffic.answered > sofar + 50, 'traffic');
      await traffic.stop();
      expect(traffic.failures).toEqual([]);
    });

    test('the authority is renewed under load without one failed request', async () => {
      const now = Date.now();
      const authority = makeAuthority({ notBefore: now - 7 * 365 * day, notAfter: now + 3 * 365 * day });
      const serving = issueCertificate(authority, ['127.0.0.1'], {
        notBefore: now - 366 * day,
        notAfter: now + 300 * day,
      });
      // As it was before the authority became due: this replica's clock starts a year back.
      await writeSecret(textsOf({ authority, retired: [], serving }), ours);
      const { replica } = await countingReplica(now - 365 * day);
      expect(await replica.served()).toBe(serving.cert);
      const traffic = load(widget('a'));
      replica.clock.jump(365 * day);
      await replica.look();
      const overlapping = (await secretState())!;
      expect(overlapping.retired).toEqual([authority.cert]);
      expect(overlapping.serving).toEqual(serving);
      expect(await bundle('counting')).toBe(bundleOf(overlapping));
      await until(() => traffic.answered > 50, 'traffic');
      expect(await replica.served()).toBe(serving.cert);
      for (let round = 0; round < 8; round += 1) await replica.look();
      const renewed = (await secretState())!;
      expect(renewed.serving.cert).not.toBe(serving.cert);
      expect(await replica.served()).toBe(renewed.serving.cert);
      expect(await bundle('counting')).toContain(authority.cert);
      const sofar = traffic.answered;
      await until(() => traffic.answered > sofar + 50, 'traffic');
      replica.clock.jump(day);
      await replica.look();
      expect(await bundle('counting')).toBe(renewed.authority.cert);
      const later = traffic.answered;
      await until(() => traffic.answered > later + 50, 'traffic');
      await traffic.stop();
      expect(traffic.failures).toEqual([]);
    });

    test('deleting the Secret of a running operator renews everything without one failed request', async () => {
      const { replica } = await countingReplica();
      const before = (await secretState())!;
      const traffic = load(widget('a'));
      await client.delete(Secret, { name: 'certs', namespace: 'default' });
      for (let round = 0; round < 9; round += 1) await replica.look();
      const after = (await secretState())!;
      expect(after.authority.cert).not.toBe(before.authority.cert);
      expect(after.retired).toEqual([before.authority.cert]);
      expect(await replica.served()).toBe(after.serving.cert);
      expect(after.serving.cert).not.toBe(before.serving.cert);
      const sofar = traffic.answered;
      await until(() => traffic.answered > sofar + 50, 'traffic');
      await traffic.stop();
      expect(traffic.failures).toEqual([]);
    });

    test('a certificate that has expired is replaced before anything is served', async () => {
      const now = Date.now();
      const authority = makeAuthority({ notBefore: now - 400 * day, notAfter: now + 9 * 365 * day });
      const serving = issueCertificate(authority, ['127.0.0.1'], {
        notBefore: now - 400 * day,
        notAfter: now - day,
      });
      await writeSecret(textsOf({ authority, retired: [], serving }), ours);
      const { replica, calls } = await countingReplica();
      expect(calls()).toBeGreaterThan(0);
      expect(await replica.served()).not.toBe(serving.cert);
      expect((await secretState())?.authority).toEqual(authority);
    });

    test('an existing empty Secret is filled; a Secret of another program is not changed', async () => {
      await writeSecret({});
      const replica = new Replica({});
      await replica.server.open();
      expect(await secretState()).toBeDefined();
      await client.delete(Secret, { name: 'certs', namespace: 'default' });
      await writeSecret({ password: 'x' });
      await expect(new Replica({}).server.open()).rejects.toMatchObject({
        code: 'CERTIFICATE',
        message: 'The Secret default/certs was not created by this operator',
      });
      const { data } = (await client.get(Secret, { name: 'certs', namespace: 'default' }))!;
      expect(data).toEqual({ password: btoa('x') });
    });

    test('the documented permissions are enough, and without them the error says which are missing', async () => {
      const config = apiServer.config;
      const base = '/api/v1/namespaces/default/serviceaccounts';
      await rawRequest(config, 'POST', base, { metadata: { name: 'operator' } });
      const { body } = await rawRequest(config, 'POST', `${base}/operator/token`, { spec: {} });
      const {
        certData: _cert,
        keyData: _key,
        ...anonymous
      } = config as typeof config & { certData?: string; keyData?: string };
      const asOperator = { ...anonymous, token: body.status.token as string };
      const missing = new Replica({}, Date.now(), asOperator).server.open();
      await expect(missing).rejects.toMatchObject({
        code: 'CERTIFICATE',
        hint: expect.stringContaining('get, create and update on Secrets'),
      });
      const rbac = '/apis/rbac.authorization.k8s.io/v1';
      const roleRef = (kind: string): object => ({
        apiGroup: 'rbac.authorization.k8s.io',
        kind,
        name: 'rotator',
      });
      const subjects = [{ kind: 'ServiceAccount', name: 'operator', namespace: 'default' }];
      const rule = (
        apiGroups: string[],
        resources: string[],
        verbs: string[],
        resourceNames?: string[],
      ): object => ({
        apiGroups,
        resources,
        verbs,
        ...(resourceNames && { resourceNames }),
      });
      await rawRequest(config, 'POST', `${rbac}/namespaces/default/roles`, {
        metadata: { name: 'rotator' },
        rules: [rule([''], ['secrets'], ['create']), rule([''], ['secrets'], ['get', 'update'], ['certs'])],
      });
      await rawRequest(config, 'POST', `${rbac}/namespaces/default/rolebindings`, {
        metadata: { name: 'rotator' },
        subjects,
        roleRef: roleRef('Role'),
      });
      await rawRequest(config, 'POST', `${rbac}/clusterroles`, {
        metadata: { name: 'rotator' },
        rules: [
          rule(
            ['admissionregistration.k8s.io'],
            ['validatingwebhookconfigurations'],
            ['get', 'patch'],
            ['mine'],
          ),
        ],
      });
      await rawRequest(config, 'POST', `${rbac}/clusterrolebindings`, {
        metadata: { name: 'rotator' },
        subjects,
        roleRef: roleRef('ClusterRole'),
      });
      await configure(ValidatingWebhookConfiguration, 'mine', 'https://127.0.0.1:1/x', {
        rules: rules(['CONNECT']),
      });
      const replica = new Replica({ validatingWebhookConfigurations: ['mine'] }, Date.now(), asOperator);
      let opened = false;
      await until(async () => {
        opened ||= await replica.server.open().then(
          () => true,
          () => false,
        );
        return opened;
      }, 'the rights apply');
      expect(await bundle('mine')).toContain('BEGIN CERTIFICATE');
    });

    test('two managers that start at once serve with them, and are ready when they do', async () => {
      const managers = [1, 2].map(async () => {
        const manager = await Manager.create({
          connection: apiServer.config,
          logger,
          health: { port: 0, host: '127.0.0.1' },
          webhooks: {
            port: 0,
            host: '127.0.0.1',
            rotator: { secretName: 'certs', namespace: 'default', serviceName: 'webhooks' },
          },
        });
        disposables.push(() => manager.stop());
        addAdmissionHandler(manager, '/any', { handle() {} });
        void manager.start();
        await manager.ready;
        const probe = await fetch(`http://127.0.0.1:${manager.ports.health}/readyz?verbose`);
        expect(await probe.text()).toContain('webhooks ok');
        return servedAt(manager.ports.webhooks!);
      });
      const [first, second] = await Promise.all(managers);
      expect(first).toBe(second);
      expect((await secretState())?.serving.cert).toBe(first);
    });
  });
});
