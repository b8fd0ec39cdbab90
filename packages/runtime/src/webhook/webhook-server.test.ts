import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { type RequestOptions, request as httpsRequest } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type KubernetesObject, defineKind } from 'ots-kubernetes';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { selfSignedCertificate } from 'ots-apimachinery/certificates/self-signed-certificate';
import type { CertificatePair } from 'ots-apimachinery/certificates/certificate-pair';
import { type WebhookAnswer, postReview, review } from '../../test/admission-request.ts';
import { eventually } from '../../test/eventually.ts';
import { MemoryApi } from '../../test/memory-api.ts';
import { Thing, thing } from '../../test/thing.ts';
import { VirtualClock } from '../../test/virtual-clock.ts';
import { ApiError } from '../errors/api-error.ts';
import { createLogger } from '../logging/create-logger.ts';
import { Manager } from '../manager/manager.ts';
import { addAdmissionHandler } from './add-admission-handler.ts';
import type { AdmissionContext } from './admission-context.ts';
import { ConversionBuilder } from './conversion-builder.ts';
import { DeniedError, InvalidError } from './refusal.ts';
import type { Validator } from './validator.ts';
import { WebhookBuilder } from './webhook-builder.ts';
import { WebhookRegistry } from './webhook-registry.ts';
import { WebhookServer } from './webhook-server.ts';

let certDir: string;
let certificate: CertificatePair;
const disposables: AsyncDisposable[] = [];
const lines: string[] = [];

beforeEach(async () => {
  lines.length = 0;
  certDir = await mkdtemp(join(tmpdir(), 'ots-certs-'));
  certificate = await writeCertificate();
});

afterEach(async () => {
  for (const disposable of disposables.splice(0).toReversed()) await disposable[Symbol.asyncDispose]();
  await rm(certDir, { recursive: true });
});

async function writeCertificate(): Promise<CertificatePair> {
  const pair = selfSignedCertificate({ names: ['localhost', '127.0.0.1'] });
  await writeFile(join(certDir, 'tls.crt'), pair.cert);
  await writeFile(join(certDir, 'tls.key'), pair.key);
  return pair;
}

const logger = createLogger({ level: 'debug', stream: { write: (line) => lines.push(line) } });

async function manager(webhooks?: false | 'off'): Promise<Manager> {
  const api = await MemoryApi.start();
  const made = await Manager.create({
    connection: api.connection,
    logger,
    metrics: { port: 0, host: '127.0.0.1', secure: false },
    ...(webhooks === undefined && { webhooks: { port: 0, host: '127.0.0.1', certDir } }),
    ...(webhooks === false && { webhooks }),
  });
  disposables.push(api, made);
  return made;
}

async function serve(build: (made: Manager) => void): Promise<Manager> {
  const made = await manager();
  build(made);
  void made.start();
  await made.ready;
  return made;
}

function send(
  made: Manager,
  path: string,
  body: string,
  options: RequestOptions = {},
): Promise<WebhookAnswer> {
  return postReview(made.ports.webhooks, path, body, { ca: certificate.cert, ...options });
}

async function admit(made: Manager, path: string, body: string): Promise<any> {
  const answer = await send(made, `${path}?timeout=10s`, body);
  expect(answer.code).toBe(200);
  expect(answer.body).toMatchObject({
    apiVersion: 'admission.k8s.io/v1',
    kind: 'AdmissionReview',
    response: { uid: '705ab4f5-6393-11e8-b7cc-42010a800002' },
  });
  const { uid: _, patch, ...response } = answer.body.response;
  return patch ? { ...response, patch: JSON.parse(Buffer.from(patch, 'base64').toString('utf8')) } : response;
}

const validator = (
  decide: (call: string, context: AdmissionContext) => { warnings?: string[] } | void,
): Validator<Thing> => ({
  validateCreate: (object, context) => decide(`create ${object.spec.size}`, context),
  validateUpdate: async (oldObject, object, context) =>
    decide(`update ${oldObject.spec.size} ${object.spec.size}`, context),
  validateDelete: (object, context) => decide(`delete ${object.spec.size}`, context),
});

describe('defaulting', () => {
  const mutate = '/mutate-example-com-v1-thing';

  test('the changes of the draft become a patch', async () => {
    const made = await serve((to) =>
      new WebhookBuilder(to, Thing)
        .withDefaulter({
          default(object) {
            object.metadata.labels = { 'a/b~c': 'd' };
            object.spec.size = 7;
            object.spec.text = undefined as never;
          },
        })
        .complete(),
    );
    const original = { ...thing('a'), spec: { size: 1, text: 'x', unknown: [1] } };
    expect(await admit(made, mutate, review('CREATE', { object: original }))).toEqual({
      allowed: true,
      patchType: 'JSONPatch',
      patch: [
        { op: 'add', path: '/metadata/labels', value: { 'a/b~c': 'd' } },
        { op: 'remove', path: '/spec/text' },
        { op: 'replace', path: '/spec/size', value: 7 },
      ],
    });
  });

  test('no change means no patch, and a deletion is not defaulted', async () => {
    let calls = 0;
    const made = await serve((to) =>
      new WebhookBuilder(to, Thing).withDefaulter({ default: () => void (calls += 1) }).complete(),
    );
    expect(
      await admit(made, mutate, review('UPDATE', { object: thing('a'), oldObject: thing('a') })),
    ).toEqual({ allowed: true });
    expect(calls).toBe(1);
    expect(await admit(made, mutate, review('DELETE', { oldObject: thing('a') }))).toEqual({ allowed: true });
    expect(calls).toBe(1);
  });
});

describe('validating', () => {
  const path = '/validate-example-com-v1-thing';

  test('each operation receives what it needs, with the user and the request', async () => {
    const calls: string[] = [];
    const contexts: AdmissionContext[] = [];
    const made = await serve((to) =>
      new WebhookBuilder(to, Thing)
        .withValidator(
          validator((call, context) => {
            calls.push(call);
            contexts.push(context);
            return { warnings: ['careful'] };
          }),
        )
        .complete(),
    );
    const object = thing('a', 2);
    const oldObject = thing('a', 1);
    const answers = [
      await admit(made, path, review('CREATE', { object })),
      await admit(
        made,
        path,
        review('UPDATE', { object, oldObject }, { dryRun: true, subResource: 'status' }),
      ),
      await admit(made, path, review('DELETE', { oldObject })),
      await admit(made, path, review('CONNECT', {})),
    ];
    expect(answers.slice(0, 3)).toEqual(
      Array.from({ length: 3 }, () => ({ allowed: true, warnings: ['careful'] })),
    );
    expect(answers[3]).toEqual({ allowed: true });
    expect(calls).toEqual(['create 2', 'update 1 2', 'delete 1']);
    expect(contexts[0]).toMatchObject({ operation: 'CREATE', dryRun: false, user: { username: 'admin' } });
    expect(contexts[1]).toMatchObject({ operation: 'UPDATE', dryRun: true, subresource: 'status' });
  });

  test.each([
    [
      'wrong fields',
      new InvalidError([
        { field: 'spec.size', message: 'must be even' },
        { field: 'spec.text', message: 'is required', reason: 'FieldValueRequired' },
      ]),
      {
        code: 422,
        reason: 'Invalid',
        message: 'Thing.example.com "a" is invalid: spec.size: must be even; spec.text: is required',
        details: {
          name: 'a',
          group: 'example.com',
          kind: 'Thing',
          causes: [
            { reason: 'FieldValueInvalid', message: 'must be even', field: 'spec.size' },
            { reason: 'FieldValueRequired', message: 'is required', field: 'spec.text' },
          ],
        },
      },
    ],
    [
      'a denial',
      new DeniedError('not on Fridays'),
      { code: 403, reason: 'Forbidden', message: 'not on Fridays' },
    ],
    [
      'a refusal by the API server',
      new ApiError({ code: 409, reason: 'Conflict', message: 'busy' }),
      { code: 409, reason: 'Conflict', message: 'busy' },
    ],
    [
      'a bug',
      new TypeError('x is undefined'),
      { code: 500, reason: 'InternalError', message: 'the webhook failed: x is undefined' },
    ],
  ])('%s refuses the object and says why', async (_, error, status) => {
    const made = await serve((to) =>
      new WebhookBuilder(to, Thing)
        .withValidator(
          validator(() => {
            throw error;
          }),
        )
        .complete(),
    );
    expect(await admit(made, path, review('CREATE', { object: thing('a') }))).toEqual({
      allowed: false,
      status,
    });
    expect(lines.some((line) => line.includes('"error"'))).toBe(status.code === 500);
  });

  test('an object of another kind is refused: the rules of the configuration are wrong', async () => {
    const made = await serve((to) =>
      new WebhookBuilder(to, Thing).withValidator(validator(() => {})).complete(),
    );
    const pod = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'a' } };
    const answer = await admit(made, path, review('CREATE', { object: pod }));
    expect(answer.status).toMatchObject({
      code: 400,
      message: 'expected example.com/v1 Thing as object, got v1 Pod',
    });
    expect(await admit(made, path, review('CREATE', {}))).toMatchObject({
      allowed: false,
      status: { code: 400 },
    });
  });
});

async function served(): Promise<Manager> {
  return serve((to) => new WebhookBuilder(to, Thing).withValidator(validator(() => {})).complete());
}

describe('a request that no API server sends', () => {
  const path = '/validate-example-com-v1-thing';

  test.each([
    ['invalid JSON', '{"kind":', {}, 400],
    ['an empty body', '', {}, 400],
    ['a null body', 'null', {}, 400],
    ['another kind', '{"kind":"Pod","apiVersion":"v1"}', {}, 400],
    [
      'an old version',
      '{"kind":"AdmissionReview","apiVersion":"admission.k8s.io/v1beta1","request":{"uid":"1"}}',
      {},
      400,
    ],
    ['no uid', '{"kind":"AdmissionReview","apiVersion":"admission.k8s.io/v1","request":{}}', {}, 400],
    ['another content type', '{}', { headers: { 'content-type': 'text/plain' } }, 400],
    ['no content type', '{}', { headers: {} }, 400],
    ['the method GET', '', { method: 'GET' }, 405],
  ])('is refused if it has %s', async (_, body, options, code) => {
    const made = await served();
    const answer = await send(made, path, body, options);
    expect(answer.code).toBe(code);
    expect(answer.body).toMatchObject({ kind: 'Status', status: 'Failure', code });
  });

  test('is refused if its path is unknown', async () => {
    const made = await served();
    expect((await send(made, '/validate', '{}')).code).toBe(404);
  });

  test('is refused above 7 MiB, while exactly 7 MiB is accepted', async () => {
    const made = await served();
    const object = { ...thing('a'), padding: '' };
    object.padding = 'x'.repeat(7 * 1024 * 1024 - review('CREATE', { object }).length);
    const body = review('CREATE', { object });
    expect(body).toHaveLength(7 * 1024 * 1024);
    expect(await admit(made, path, body)).toEqual({ allowed: true });
    expect((await send(made, path, `${body} `)).code).toBe(413);
    expect((await send(made, path, 'x'.repeat(16 * 1024 * 1024))).code).toBe(413);
  });

  test('does no harm if it breaks off', async () => {
    const made = await served();
    await new Promise<void>((resolve) => {
      const options = {
        host: '127.0.0.1',
        port: made.ports.webhooks,
        path,
        method: 'POST',
        ca: certificate.cert,
        agent: false,
      };
      const headers = { 'content-type': 'application/json', 'content-length': '1000' };
      const request = httpsRequest({ ...options, headers });
      request.on('error', () => resolve());
      request.write('{"half":', () => request.destroy(new Error('gone')));
    });
    await eventually(() => lines.join('').includes('webhook request failed'));
    expect(await admit(made, path, review('CREATE', { object: thing('a') }))).toEqual({ allowed: true });
  });

  test('is counted', async () => {
    const made = await served();
    await admit(made, path, review('CREATE', { object: thing('a') }));
    await send(made, path, '');
    const body = await (await fetch(`http://127.0.0.1:${made.ports.metrics}/metrics`)).text();
    expect(body).toContain(`controller_runtime_webhook_requests_total{webhook="${path}",code="200"} 1`);
    expect(body).toContain(`controller_runtime_webhook_requests_total{webhook="${path}",code="400"} 1`);
    expect(body).toContain(`controller_runtime_webhook_requests_in_flight{webhook="${path}"} 0`);
    expect(body).toContain(`controller_runtime_webhook_latency_seconds_count{webhook="${path}"} 2`);
  });
});

interface ThingV2 extends KubernetesObject {
  apiVersion: 'example.com/v2';
  kind: 'Thing';
  spec: { width: number };
}
interface ThingV3 extends KubernetesObject {
  apiVersion: 'example.com/v3';
  kind: 'Thing';
  spec: { meters: string };
}
const ThingV2 = defineKind<ThingV2>({
  apiVersion: 'example.com/v2',
  kind: 'Thing',
  plural: 'things',
  scope: 'Namespaced',
});
const ThingV3 = defineKind<ThingV3>({
  apiVersion: 'example.com/v3',
  kind: 'Thing',
  plural: 'things',
  scope: 'Namespaced',
});
const Other = defineKind({
  apiVersion: 'example.com/v1',
  kind: 'Other',
  plural: 'others',
  scope: 'Namespaced',
});
const OtherV2 = defineKind({
  apiVersion: 'example.com/v2',
  kind: 'Other',
  plural: 'others',
  scope: 'Namespaced',
});

/** v2 is the hub; v1 and v3 are spokes. */
function convertThings(to: Manager): void {
  new ConversionBuilder(to, ThingV2)
    .withSpoke(Thing, {
      convertTo: ({ metadata, spec }) => ({ ...v2, metadata, spec: { width: spec.size } }),
      convertFrom: ({ metadata, spec }) => ({
        ...thing('a'),
        metadata: { ...metadata, labels: { converted: 'yes' }, generation: 99 },
        spec: { size: spec.width },
      }),
    })
    .withSpoke(ThingV3, {
      convertTo: ({ metadata, spec }) => {
        if (spec.meters === 'bad') throw new Error('bad meters');
        if (spec.meters === 'rename') return { ...v2, metadata: { ...metadata, name: 'b' } };
        return { ...v2, metadata, spec: { width: Number(spec.meters) } };
      },
      convertFrom: ({ spec }) => ({ spec: { meters: `${spec.width}` } }) as ThingV3,
    })
    .complete();
}

const metadata = {
  name: 'a',
  namespace: 'default',
  uid: 'u',
  labels: { l: '1' },
  annotations: { n: '2' },
  generation: 3,
};
const v2: ThingV2 = { apiVersion: 'example.com/v2', kind: 'Thing', metadata, spec: { width: 1 } };
const v3 = (meters: string): ThingV3 => ({
  apiVersion: 'example.com/v3',
  kind: 'Thing',
  metadata,
  spec: { meters },
});

async function convert(made: Manager, desiredAPIVersion: string, objects: object[]): Promise<any> {
  const body = JSON.stringify({
    kind: 'ConversionReview',
    apiVersion: 'apiextensions.k8s.io/v1',
    request: { uid: 'c-1', desiredAPIVersion, objects },
  });
  const answer = await send(made, '/convert', body);
  expect(answer.code).toBe(200);
  expect(answer.body).toMatchObject({
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'ConversionReview',
    response: { uid: 'c-1' },
  });
  return answer.body.response;
}

describe('conversion', () => {
  test('goes through the hub, for all objects, and of the metadata only labels and annotations change', async () => {
    const made = await serve(convertThings);
    const { convertedObjects, result } = await convert(made, 'example.com/v1', [
      v3('5'),
      v2,
      { ...thing('a'), metadata },
    ]);
    expect(result).toEqual({ status: 'Success' });
    const converted = { ...metadata, annotations: { n: '2' }, labels: { converted: 'yes' } };
    expect(convertedObjects).toEqual([
      { apiVersion: 'example.com/v1', kind: 'Thing', metadata: converted, spec: { size: 5 } },
      { apiVersion: 'example.com/v1', kind: 'Thing', metadata: converted, spec: { size: 1 } },
      { apiVersion: 'example.com/v1', kind: 'Thing', metadata, spec: { size: 1 } },
    ]);
    // A conversion that says nothing of the metadata keeps them.
    const kept = await convert(made, 'example.com/v3', [v2]);
    expect(kept.convertedObjects).toEqual([v3('1')]);
  });

  test.each([
    ['a conversion that throws', 'example.com/v2', v3('bad'), 'bad meters'],
    ['a conversion that renames', 'example.com/v2', v3('rename'), 'changes metadata.name'],
    [
      'an unknown version',
      'example.com/v9',
      v2,
      'no conversion of Thing between example.com/v9 and example.com/v2',
    ],
    [
      'another kind',
      'example.com/v2',
      { apiVersion: 'example.com/v1', kind: 'Pod', metadata },
      'is not converted here',
    ],
  ])('%s fails the whole request and says why', async (_, version, object, message) => {
    const made = await serve(convertThings);
    const { convertedObjects, result } = await convert(made, version, [v2, object]);
    expect(convertedObjects).toEqual([]);
    expect(result).toEqual({ status: 'Failure', message: expect.stringContaining(message) });
  });

  test('several kinds share the path', async () => {
    const made = await serve((to) => {
      convertThings(to);
      const same = {
        convertTo: (object: KubernetesObject) => object,
        convertFrom: (object: KubernetesObject) => object,
      };
      new ConversionBuilder(to, Other).withSpoke(OtherV2, same).complete();
    });
    const other = { apiVersion: 'example.com/v2', kind: 'Other', metadata };
    const { convertedObjects } = await convert(made, 'example.com/v1', [other]);
    expect(convertedObjects).toEqual([{ ...other, apiVersion: 'example.com/v1' }]);
  });

  test('a body that is not a ConversionReview is refused', async () => {
    const made = await serve(convertThings);
    expect((await send(made, '/convert', review('CREATE', {}))).code).toBe(400);
  });

  test('mistakes in the declaration are errors', async () => {
    const made = await manager();
    const same = { convertTo: (object: any) => object, convertFrom: (object: any) => object };
    const builder = (): ConversionBuilder<ThingV2> => new ConversionBuilder(made, ThingV2);
    expect(() => builder().complete()).toThrow('no version to convert');
    expect(() => builder().withSpoke(ThingV2, same)).toThrow('already added');
    expect(() => builder().withSpoke(Thing, same).withSpoke(Thing, same)).toThrow('already added');
    expect(() => builder().withSpoke(Other, same)).toThrow('is not a version of');
    convertThings(made);
    expect(() => convertThings(made)).toThrow('two conversions');
  });
});

describe('the builder', () => {
  test('paths are those of kubebuilder, or custom', async () => {
    const Pod = defineKind({ apiVersion: 'v1', kind: 'Pod', plural: 'pods', scope: 'Namespaced' });
    const made = await manager();
    new WebhookBuilder(made, Pod)
      .withDefaulter({ default() {} })
      .withValidator(
        { validateCreate() {}, validateUpdate() {}, validateDelete() {} },
        { path: '/own/path_1' },
      )
      .complete();
    expect(made.webhooks.at('/mutate--v1-pod')).toBeDefined();
    expect(made.webhooks.at('/own/path_1')).toBeDefined();
  });

  test('mistakes are errors', async () => {
    const made = await manager();
    const builder = (): WebhookBuilder<Thing> => new WebhookBuilder(made, Thing);
    expect(() => builder().complete()).toThrow('has no handler');
    for (const path of ['', 'x', '/a//b', '/a/', '/ä', '/a?b']) {
      expect(() => builder().withDefaulter({ default() {} }, { path })).toThrow('is not a webhook path');
    }
    builder()
      .withDefaulter({ default() {} })
      .complete();
    expect(() =>
      builder()
        .withDefaulter({ default() {} })
        .complete(),
    ).toThrow('Two webhooks are served at');
  });
});

describe('serving', () => {
  const nothing = { default() {} };

  test('webhooks that were added but are not served are an error at startup, unless the options allow it', async () => {
    const forgotten = await manager('off');
    new WebhookBuilder(forgotten, Thing).withDefaulter(nothing).complete();
    await expect(forgotten.start()).rejects.toThrow('Webhooks were added, but the manager serves none');
    const wanted = await manager(false);
    new WebhookBuilder(wanted, Thing).withDefaulter(nothing).complete();
    void wanted.start();
    await wanted.ready;
    expect(wanted.ports.webhooks).toBeUndefined();
    expect(lines.join('')).toContain('webhooks are off');
    new WebhookBuilder(wanted, Thing).withDefaulter(nothing, { path: '/late' }).complete();
  });

  test('without webhooks no certificate is needed', async () => {
    await rm(join(certDir, 'tls.crt'));
    const made = await manager();
    void made.start();
    await made.ready;
    expect(made.ports.webhooks).toBeUndefined();
    expect(() => new WebhookBuilder(made, Thing).withDefaulter(nothing).complete()).toThrow(
      'The manager has started without webhooks and serves none',
    );
  });

  test('a rotator without a configuration warns about the webhooks that will not be trusted', async () => {
    const api = await MemoryApi.start();
    const rotator = { secretName: 'certs', namespace: 'ns', serviceName: 'hook' };
    const start = async (names: object): Promise<unknown[]> => {
      lines.length = 0;
      const made = await Manager.create({
        connection: api.connection,
        logger,
        webhooks: { port: 0, host: '127.0.0.1', rotator: { ...rotator, ...names } },
      });
      disposables.push(made);
      new WebhookBuilder(made, Thing)
        .withDefaulter(nothing)
        .withValidator(validator(() => {}))
        .complete();
      addAdmissionHandler(made, '/any', { handle() {} });
      convertThings(made);
      void made.start();
      await made.ready;
      return lines
        .map((line) => JSON.parse(line) as { msg: string; paths?: unknown })
        .filter(({ msg }) => msg.startsWith('the API server does not trust'))
        .map(({ paths }) => paths);
    };
    disposables.push(api);
    const [mutating, validating] = [['/mutate-example-com-v1-thing'], ['/validate-example-com-v1-thing']];
    expect(await start({})).toEqual([mutating, validating, ['/any']]);
    expect(await start({ validatingWebhookConfigurations: ['v'] })).toEqual([mutating]);
  });

  test.each([
    ['missing', async () => rm(join(certDir, 'tls.key'))],
    [
      'of another certificate',
      async () => writeFile(join(certDir, 'tls.key'), selfSignedCertificate({ names: ['b'] }).key),
    ],
    ['garbage', async () => writeFile(join(certDir, 'tls.key'), 'garbage')],
  ])('a key that is %s is an error at startup', async (_, spoil) => {
    await spoil();
    const made = await manager();
    new WebhookBuilder(made, Thing).withDefaulter(nothing).complete();
    await expect(made.start()).rejects.toMatchObject({
      code: 'CERTIFICATE',
      message: expect.stringContaining(certDir),
    });
  });

  test('a new certificate is used without a restart, and a bad one is not', async () => {
    const clock = new VirtualClock();
    const webhooks = new WebhookRegistry();
    const server = new WebhookServer(
      { port: 0, host: '127.0.0.1', certDir },
      { webhooks, client: undefined as never, clock, networkClock: clock, logger },
    );
    await server.open();
    disposables.push({ [Symbol.asyncDispose]: () => server.close() });
    const fingerprint = async (): Promise<string> =>
      (await postReview(server.port, '/', '', { rejectUnauthorized: false })).fingerprint;
    const look = async (): Promise<void> => {
      await eventually(() => clock.delays.length === 1);
      await clock.advance(10_000);
    };
    const first = await fingerprint();
    await writeCertificate();
    await look();
    await eventually(() => lines.join('').includes('certificate changed'));
    const second = await fingerprint();
    expect(second).not.toBe(first);
    await writeFile(join(certDir, 'tls.crt'), 'half a certif');
    await look();
    await eventually(() => lines.join('').includes('keeping the old one'));
    expect(await fingerprint()).toBe(second);
    await writeCertificate();
    await look();
    await eventually(() => lines.join('').match(/certificate changed/g)?.length === 2);
    expect(await fingerprint()).not.toBe(second);
  });
});
