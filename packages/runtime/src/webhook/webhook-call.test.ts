import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { request as httpsRequest } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect } from 'node:tls';
import { afterAll, afterEach, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { selfSignedCertificate } from 'ots-apimachinery/certificates/self-signed-certificate';
import { type WebhookAnswer, postReview, review } from '../../test/admission-request.ts';
import { eventually } from '../../test/eventually.ts';
import { expectNothingOpen } from '../../test/open-resources.ts';
import { Thing, thing } from '../../test/thing.ts';
import { VirtualClock } from '../../test/virtual-clock.ts';
import { currentWork } from '../context/work-context.ts';
import { ApiError } from '../errors/api-error.ts';
import { ConnectionError } from '../errors/connection-error.ts';
import { createLogger } from '../logging/create-logger.ts';
import type { Manager } from '../manager/manager.ts';
import type { Tracer } from '../tracing/tracer.ts';
import { addAdmissionHandler } from './add-admission-handler.ts';
import type { AdmissionContext } from './admission-context.ts';
import { ConversionBuilder } from './conversion-builder.ts';
import { ConversionRegistry } from './conversion-registry.ts';
import { DeniedError, InvalidError } from './refusal.ts';
import { WebhookBuilder } from './webhook-builder.ts';
import { WebhookRegistry } from './webhook-registry.ts';
import { WebhookServer } from './webhook-server.ts';

const lines: string[] = [];
const logger = createLogger({ level: 'debug', stream: { write: (line) => lines.push(line) } });
const pair = selfSignedCertificate({ names: ['localhost', '127.0.0.1'] });
const clock = new VirtualClock();
const servers: WebhookServer[] = [];
let certDir: string;

beforeAll(async () => {
  certDir = await mkdtemp(join(tmpdir(), 'ots-calls-'));
  await writeFile(join(certDir, 'tls.crt'), pair.cert);
  await writeFile(join(certDir, 'tls.key'), pair.key);
});
afterAll(() => rm(certDir, { recursive: true }));
afterEach(async () => {
  for (const server of servers.splice(0)) {
    server.closeNow();
    await server.close();
  }
  lines.length = 0;
  if (clock.delays.length > 0) throw new Error('a timer was left behind');
});

interface Served {
  server: WebhookServer;
  events: string[];
  post: (path: string, body: string | Buffer, headers?: Record<string, string>) => Promise<WebhookAnswer>;
  /** The response of an AdmissionReview. */
  admit: (body: string, path?: string) => Promise<any>;
}

const path = '/validate-example-com-v1-thing';

async function serve(build: (manager: Manager) => void, tracer?: Tracer): Promise<Served> {
  const webhooks = new WebhookRegistry();
  build({ webhooks, conversions: new ConversionRegistry(webhooks, logger), logger } as unknown as Manager);
  const events: string[] = [];
  const server = new WebhookServer(
    { port: 0, host: '127.0.0.1', certDir },
    {
      webhooks,
      client: undefined as never,
      clock,
      networkClock: clock,
      logger,
      tracer,
      observe: (at) => ({
        started: () => void events.push(`${at} started`),
        finished: (code) => void events.push(`${at} finished ${code}`),
        panicked: (kind) => void events.push(`${at} ${kind} panicked`),
      }),
    },
  );
  servers.push(server);
  await server.open();
  const post: Served['post'] = (to, body, headers = {}) =>
    postReview(server.port, to, body, {
      ca: pair.cert,
      headers: { 'content-type': 'application/json', ...headers },
    });
  return {
    server,
    events,
    post,
    async admit(body, to = path) {
      const answer = await post(to, body);
      expect(answer.code).toBe(200);
      expect(answer.body.response.uid).toBe('705ab4f5-6393-11e8-b7cc-42010a800002');
      return answer.body.response;
    },
  };
}

function validating(
  decide: (object: Thing, context: AdmissionContext) => unknown,
): (manager: Manager) => void {
  return (manager) =>
    new WebhookBuilder(manager, Thing)
      .withValidator({
        validateCreate: async (object, context) => (await decide(object, context)) as void,
        validateUpdate() {},
        validateDelete() {},
      })
      .complete();
}

const create = review('CREATE', { object: thing('a') });

/** The test runner listens to rejections as well: without it, a process is as it is in production. */
function rejectAsInProduction(): void {
  const listeners = process.listeners('unhandledRejection');
  process.removeAllListeners('unhandledRejection');
  onTestFinished(() => {
    for (const listener of listeners) process.on('unhandledRejection', listener);
  });
}

describe('a response', () => {
  test('is in the version of the request', async () => {
    const { post } = await serve(validating(() => {}));
    for (const version of ['admission.k8s.io/v1', 'admission.k8s.io/v1beta1']) {
      const { body } = await post(path, create.replace('admission.k8s.io/v1', version));
      expect(body).toMatchObject({
        apiVersion: version,
        kind: 'AdmissionReview',
        response: { allowed: true },
      });
    }
    expect((await post(path, create.replace('admission.k8s.io/v1', 'admission.k8s.io/v2'))).code).toBe(400);
  });

  test('carries the warnings, of an acceptance and of a refusal', async () => {
    const { admit } = await serve(
      validating((object, { warn }) => {
        warn('ein Umlaut: ä');
        if (object.spec.size === 1) return { warnings: ['second'] };
        throw new DeniedError('no');
      }),
    );
    expect((await admit(create)).warnings).toEqual(['ein Umlaut: ä', 'second']);
    const refused = await admit(review('CREATE', { object: thing('a', 2) }));
    expect(refused).toMatchObject({ allowed: false, warnings: ['ein Umlaut: ä'], status: { code: 403 } });
  });

  test('names an object whose name the server generates', async () => {
    const { admit } = await serve(
      validating(() => {
        throw new InvalidError({ field: 'spec', message: 'is bad' });
      }),
    );
    const { status } = await admit(review('CREATE', { object: thing('a') }, { name: undefined }));
    expect(status).toMatchObject({ code: 422, message: 'Thing.example.com "" is invalid: spec: is bad' });
    expect(status.details).not.toHaveProperty('name');
  });

  test('of a handler for several kinds has patches and audit annotations', async () => {
    const { admit } = await serve((manager) =>
      addAdmissionHandler(manager, '/', {
        handle({ kind, operation }) {
          if (operation === 'CONNECT') throw new DeniedError('connections are denied');
          if (kind.kind === 'Pod') return undefined;
          return {
            patch: [{ op: 'add', path: '/metadata/labels', value: { ü: '1' } }],
            warnings: ['w'],
            auditAnnotations: { by: 'test' },
          };
        },
      }),
    );
    const { patch, ...rest } = await admit(create, '/');
    expect(rest).toMatchObject({
      allowed: true,
      patchType: 'JSONPatch',
      warnings: ['w'],
      auditAnnotations: { by: 'test' },
    });
    expect(JSON.parse(Buffer.from(patch, 'base64').toString())).toEqual([
      { op: 'add', path: '/metadata/labels', value: { ü: '1' } },
    ]);
    const pod = { group: '', version: 'v1', kind: 'Pod' };
    expect(await admit(review('CREATE', {}, { kind: pod }), '/')).toEqual({
      uid: expect.any(String),
      allowed: true,
    });
    const connected = review(
      'CONNECT',
      { object: { kind: 'PodExecOptions', apiVersion: 'v1' } },
      { subResource: 'exec' },
    );
    expect((await admit(connected, '/')).status.message).toBe('connections are denied');
  });

  test('to wrong rules says how to correct them', async () => {
    const { admit } = await serve(validating(() => {}));
    const v2 = { ...thing('a'), apiVersion: 'example.com/v2' };
    expect((await admit(review('CREATE', { object: v2 }))).status.message).toContain('name version v1 only');
    const scale = { apiVersion: 'autoscaling/v1', kind: 'Scale', metadata: { name: 'a' } };
    const { status } = await admit(review('CREATE', { object: scale }, { subResource: 'scale' }));
    expect(status.message).toContain('leave the subresource scale out of the rules');
  });
});

describe('a handler', () => {
  test('learns when the API server hangs up', async () => {
    const signals: AbortSignal[] = [];
    const { server, events, admit } = await serve(
      validating((object, { signal }) => {
        // Requests of a client are given up with it, whether it is passed on or not.
        expect(currentWork()?.signal).toBe(signal);
        signals.push(signal);
        if (object.metadata.name === 'a') return undefined;
        return new Promise((_, reject) =>
          signal.addEventListener('abort', () => reject(signal.reason as Error)),
        );
      }),
    );
    const request = httpsRequest({
      host: '127.0.0.1',
      port: server.port,
      path,
      method: 'POST',
      ca: pair.cert,
      agent: false,
      headers: { 'content-type': 'application/json' },
    });
    request.on('error', () => {});
    request.end(review('CREATE', { object: thing('b') }));
    await eventually(() => signals.length === 1);
    expect(signals[0]!.aborted).toBe(false);
    request.destroy();
    await eventually(() => events.length === 2);
    expect(signals[0]!.reason).toMatchObject({ code: 'HUNG_UP', message: 'The API server hung up' });
    // It is not a bug of the handler.
    expect(events).toEqual([`${path} started`, `${path} finished 200`]);
    await admit(create);
    expect(signals[1]!.aborted).toBe(false);
  });

  test.each([
    ['?timeout=10s', 10_000],
    ['?timeout=1.5s', 1500],
    ['', 30_000],
    ['?timeout=ages', 30_000],
    ['?timeout=10h', 30_000],
  ])('has the time that the API server allows: %s', async (query, timeout) => {
    let asked = false;
    const { admit } = await serve(
      validating((_, { signal }) => {
        asked = true;
        return new Promise((_resolve, reject) =>
          signal.addEventListener('abort', () => reject(signal.reason as Error)),
        );
      }),
    );
    const answer = admit(create, `${path}${query}`);
    await eventually(() => asked);
    // The certificate is looked at every ten seconds.
    expect(clock.delays).toEqual([timeout, 10_000].toSorted((a, b) => a - b));
    await clock.advance(timeout);
    expect((await answer).status).toEqual({
      code: 504,
      reason: 'Timeout',
      message: 'the webhook took too long',
    });
  });

  test('runs in a span', async () => {
    const spans: string[] = [];
    const tracer: Tracer = {
      async span(name, attributes, work) {
        spans.push(`${name} ${JSON.stringify(attributes)}`);
        return work({ isRecording: false, setAttributes() {}, headers: () => ({}) });
      },
    };
    const { admit } = await serve(
      validating(() => {}),
      tracer,
    );
    await admit(create);
    expect(spans).toEqual([`webhook ${path} {"url.path":"${path}"}`]);
  });

  test('that fails is counted, and still gets a response', async () => {
    const { admit, events } = await serve(
      validating(() => {
        throw new TypeError('x is undefined');
      }),
    );
    expect((await admit(create)).status).toMatchObject({ code: 500 });
    expect(events).toEqual([`${path} started`, `${path} admission panicked`, `${path} finished 200`]);
  });

  test('that fails is named by its class, to the sender of the object and to its requests', async () => {
    class ThingDefaulter {
      default(): void {
        throw new TypeError(`${currentWork()?.author} failed`);
      }
    }
    class ThingHandler {
      handle(): void {
        throw new TypeError(`${currentWork()?.author} failed`);
      }
    }
    const { admit } = await serve((manager) => {
      new WebhookBuilder(manager, Thing).withDefaulter(new ThingDefaulter(), { path }).complete();
      addAdmissionHandler(manager, '/raw', new ThingHandler());
    });
    expect((await admit(create)).status.message).toBe(
      'the webhook failed in ThingDefaulter: ThingDefaulter failed',
    );
    expect((await admit(create, '/raw')).status.message).toBe(
      'the webhook failed in ThingHandler: ThingHandler failed',
    );
  });

  test.each([
    new ConnectionError('connection refused', 'Wait.'),
    new ApiError({ code: 500, reason: 'InternalError', message: 'etcd is down' }),
  ])('that could not reach the API server is not a bug: %s', async (error) => {
    const { admit, events } = await serve(
      validating(() => {
        throw error;
      }),
    );
    expect((await admit(create)).status).toMatchObject({ code: 500 });
    expect(events).toEqual([`${path} started`, `${path} finished 200`]);
    expect(lines.join('')).toContain('webhook failed');
  });

  test('that leaves a rejected promise behind does not end the process', async () => {
    rejectAsInProduction();
    const { admit, events, server } = await serve(
      validating(() => {
        setImmediate(() => void Promise.reject(new Error('not awaited')));
      }),
    );
    expect((await admit(create)).allowed).toBe(true);
    await eventually(() => events.includes(`${path} admission panicked`));
    expect(lines.join('')).toContain('a promise that the webhook did not await was rejected');
    await server.close();
    expect(process.listenerCount('unhandledRejection')).toBe(0);
  });

  test('that throws an odd value also gets a response', async () => {
    for (const odd of [undefined, null, 'text', { code: 7 }, Symbol('s')]) {
      const { admit } = await serve(
        validating(() => {
          throw odd;
        }),
      );
      expect((await admit(create)).status.code).toBe(500);
    }
  });

  test('in progress delays the close of the server', async () => {
    let finish: (() => void) | undefined;
    const { admit, server } = await serve(
      validating(() => new Promise<void>((resolve) => (finish = resolve))),
    );
    const answer = admit(create);
    await eventually(() => finish !== undefined);
    const closing = server.close();
    finish!();
    expect((await answer).allowed).toBe(true);
    await closing;
  });

  test('whose patch cannot be serialized is a bug', async () => {
    const { post, events } = await serve((manager) =>
      addAdmissionHandler(manager, path, {
        handle: () => ({ auditAnnotations: { count: 1n } as never }),
      }),
    );
    expect((await post(path, create)).code).toBe(500);
    expect(events.at(-1)).toBe(`${path} finished 500`);
  });
});

describe('hostile bodies', () => {
  const defaulting = (manager: Manager): void =>
    new WebhookBuilder(manager, Thing)
      .withDefaulter(
        {
          default(object) {
            object.spec.size = 2;
          },
        },
        { path },
      )
      .complete();

  test('names like __proto__ are ordinary names', async () => {
    const { admit } = await serve(defaulting);
    const spec =
      '"spec":{"size":1,"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}}}';
    const { patch } = await admit(create.replace('"spec":{"size":1}', spec));
    expect(JSON.parse(Buffer.from(patch, 'base64').toString())).toEqual([
      { op: 'replace', path: '/spec/size', value: 2 },
    ]);
    expect(({} as any).polluted).toBeUndefined();
    const other = await admit(
      review('CREATE', { object: thing('a') }).replace(
        '"uid":"705',
        '"__proto__":{"dryRun":true},"uid":"705',
      ),
    );
    expect(other.allowed).toBe(true);
  });

  test.each([10_000, 1_000_000])(
    'objects that are %i levels deep are refused or served, and do no harm',
    async (depth) => {
      const { post, admit } = await serve(defaulting);
      const deep = `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`;
      const { code } = await post(
        path,
        create.replace('"spec":{"size":1}', `"spec":{"size":1,"deep":${deep}}`),
      );
      expect([200, 400, 500]).toContain(code);
      expect((await admit(create)).allowed).toBe(true);
    },
  );

  test('invalid UTF-8 is refused, and valid UTF-8 arrives unchanged', async () => {
    const seen: (string | undefined)[] = [];
    const { post, admit } = await serve(validating(({ spec }) => void seen.push(spec.text)));
    const text = 'grün 🚀 \u2028 e\u0301';
    await admit(review('CREATE', { object: { ...thing('a'), spec: { size: 1, text } } }));
    expect(seen).toEqual([text]);
    const bytes = Buffer.from(create);
    bytes[bytes.indexOf('example')] = 0xff;
    expect((await post(path, bytes)).code).toBe(400);
  });

  test('compressed ones are not unpacked', async () => {
    const { post } = await serve(validating(() => {}));
    expect((await post(path, create, { 'content-encoding': 'gzip' })).code).toBe(415);
  });

  test('a length that is too large is refused before the body comes', async () => {
    const { server } = await serve(validating(() => {}));
    let answer = '';
    const socket = connect({ host: '127.0.0.1', port: server.port!, ca: pair.cert }, () =>
      socket.write(
        `POST ${path} HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 99999999\r\n\r\n`,
      ),
    );
    socket.on('data', (chunk) => (answer += chunk.toString())).on('error', () => {});
    await eventually(() => answer.includes('\r\n\r\n'));
    expect(answer).toMatch(/^HTTP\/1.1 413 /);
    socket.destroy();
  });

  test('a body that does not arrive is not waited for longer than the API server waits', async () => {
    const { server, events } = await serve(validating(() => {}));
    let ended = false;
    const socket = connect({ host: '127.0.0.1', port: server.port!, ca: pair.cert }, () =>
      socket.write(
        `POST ${path}?timeout=5s HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 100\r\n\r\n{`,
      ),
    );
    socket.on('error', () => {}).on('close', () => (ended = true));
    await eventually(() => events.length === 1);
    await clock.advance(5000);
    await eventually(() => ended && events.length === 2);
    expect(events[1]).toBe(`${path} finished 400`);
  });

  test('unknown paths are not counted', async () => {
    const { post, events } = await serve(validating(() => {}));
    for (const unknown of ['/other', '/__proto__', '/constructor', `${path}/`]) {
      expect(await post(unknown, create)).toMatchObject({
        code: 404,
        body: { kind: 'Status', message: `the operator does not serve ${unknown}; it serves ${path}` },
      });
    }
    expect(events).toEqual([]);
  });
});

describe('conversions', () => {
  const v2 = { ...Thing, apiVersion: 'example.com/v2', version: 'v2' };
  const body = (...objects: unknown[]): string =>
    JSON.stringify({
      kind: 'ConversionReview',
      apiVersion: 'apiextensions.k8s.io/v1',
      request: { uid: 'u', desiredAPIVersion: 'example.com/v2', objects },
    });
  const converting =
    (convertTo: (object: Thing) => any) =>
    (manager: Manager): void =>
      new ConversionBuilder(manager, v2)
        .withSpoke(Thing, { convertTo, convertFrom: (object: any) => object })
        .complete();

  test('get a response in the version of the request', async () => {
    const { post } = await serve(converting((object) => object));
    for (const apiVersion of ['apiextensions.k8s.io/v1', 'apiextensions.k8s.io/v1beta1']) {
      const asked = { ...JSON.parse(body(thing('a'))), apiVersion };
      const answer = (await post('/convert', JSON.stringify(asked))).body;
      expect(answer).toMatchObject({ apiVersion, kind: 'ConversionReview', response: { uid: 'u' } });
      expect(answer.response.result).toEqual({ status: 'Success' });
    }
    const later = body(thing('a')).replace('k8s.io/v1', 'k8s.io/v2');
    expect((await post('/convert', later)).code).toBe(400);
  });

  test.each([
    ['name', { name: 'b' }],
    ['namespace', { namespace: 'other' }],
    ['uid', { uid: 'other' }],
  ])('that change metadata.%s are refused, and the field is named', async (field, change) => {
    const { post, events } = await serve(
      converting(({ metadata, ...object }) => ({ ...object, metadata: { ...metadata, ...change } })),
    );
    const { response } = (await post('/convert', body(thing('a')))).body;
    expect(response.convertedObjects).toEqual([]);
    expect(response.result).toEqual({
      status: 'Failure',
      message: `Thing default/a: the conversion of Thing from example.com/v1 to example.com/v2 changes metadata.${field}`,
    });
    expect(events).not.toContain('/convert conversion panicked');
  });

  test.each([
    ['a promise', async (object: Thing) => object],
    ['nothing', () => undefined],
    ['text', () => 'text'],
  ])('that return %s are refused: data would be lost', async (_, convertTo) => {
    const { post } = await serve(converting(convertTo));
    const { result } = (await post('/convert', body(thing('a')))).body.response;
    expect(result.message).toContain('did not return an object');
  });

  test('that leave a rejected promise behind do not end the process', async () => {
    rejectAsInProduction();
    const { post, events } = await serve(
      converting(async () => {
        throw new Error('it should not be asynchronous');
      }),
    );
    const { result } = (await post('/convert', body(thing('a')))).body.response;
    expect(result.message).toContain('did not return an object');
    await eventually(() => events.includes('/convert conversion panicked'));
    expect(lines.join('')).toContain('it should not be asynchronous');
  });

  test('that fail are counted, name the object, and convert nothing', async () => {
    const { post, events } = await serve(
      converting((object) => {
        if (object.metadata.name === 'bad') throw new TypeError('x is undefined');
        return object;
      }),
    );
    const { response } = (await post('/convert', body(thing('a'), thing('bad')))).body;
    expect(response).toMatchObject({
      uid: 'u',
      convertedObjects: [],
      result: { message: 'Thing default/bad: x is undefined' },
    });
    expect(events).toEqual(['/convert started', '/convert conversion panicked', '/convert finished 200']);
  });

  test('of parts of objects without metadata are possible: an API server compares the fields of managers with them', async () => {
    const { post } = await serve(converting((same) => same));
    const { response } = (
      await post('/convert', body({ apiVersion: 'example.com/v1', kind: 'Thing', spec: {} }))
    ).body;
    expect(response.convertedObjects).toMatchObject([{ kind: 'Thing', metadata: {}, spec: {} }]);
  });

  test.each([[null], ['text'], [{ kind: 'Thing' }]])(
    'of values that are not objects are refused: %j',
    async (object) => {
      const { post } = await serve(converting((same) => same));
      expect((await post('/convert', body(object))).code).toBe(400);
    },
  );
});

test('nothing is left open when the server has closed', async () => {
  await expectNothingOpen();
  const { admit, server } = await serve(validating(() => {}));
  await admit(create);
  await server.close();
  await expectNothingOpen();
});
