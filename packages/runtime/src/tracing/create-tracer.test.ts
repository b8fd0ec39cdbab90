import { AsyncLocalStorage } from 'node:async_hooks';
import * as api from '@opentelemetry/api';
import { afterEach, expect, test } from 'vitest';
import { ApiError } from '../errors/api-error.ts';
import { createTracer } from './create-tracer.ts';
import { OpenTelemetryTracer } from './open-telemetry-tracer.ts';
import type { Tracer } from './tracer.ts';

interface Recorded {
  name: string;
  kind: api.SpanKind | undefined;
  attributes: Record<string, unknown>;
  parent: string | undefined;
  id: string;
  status?: api.SpanStatus;
  ended: boolean;
}

/** What an SDK registers: follows spans through `await`, and records them. */
class FakeSdk {
  readonly spans: Recorded[] = [];
  readonly #storage = new AsyncLocalStorage<api.Context>();

  register(): void {
    const storage = this.#storage;
    api.context.setGlobalContextManager({
      active: () => storage.getStore() ?? api.ROOT_CONTEXT,
      with: (context, work, self, ...args) => storage.run(context, () => work.apply(self, args)),
      bind: (_context, target) => target,
      enable() {
        return this;
      },
      disable() {
        return this;
      },
    });
    const startSpan = (name: string, options: api.SpanOptions = {}): api.Span => this.#start(name, options);
    const tracer = {
      startSpan,
      startActiveSpan: (name: string, options: api.SpanOptions, work: (span: api.Span) => unknown) => {
        const span = startSpan(name, options);
        return api.context.with(api.trace.setSpan(api.context.active(), span), work, undefined, span);
      },
    } as api.Tracer;
    api.trace.setGlobalTracerProvider({ getTracer: () => tracer });
  }

  #start(name: string, { kind, attributes }: api.SpanOptions): api.Span {
    const id = (this.spans.length + 1).toString(16).padStart(16, '0');
    const parent = api.trace.getSpan(api.context.active())?.spanContext().spanId;
    const recorded: Recorded = { name, kind, attributes: { ...attributes }, parent, id, ended: false };
    this.spans.push(recorded);
    const span = {
      isRecording: () => true,
      spanContext: () => ({ traceId: 'a'.repeat(32), spanId: id, traceFlags: 1 }),
      setAttributes: (more: object) => Object.assign(recorded.attributes, more),
      setStatus: (status: api.SpanStatus) => Object.assign(recorded, { status }),
      end: () => {
        recorded.ended = true;
      },
    };
    return span as unknown as api.Span;
  }
}

async function setUp(): Promise<{ sdk: FakeSdk; tracer: Tracer }> {
  const sdk = new FakeSdk();
  sdk.register();
  const tracer = await createTracer();
  return { sdk, tracer: tracer! };
}

afterEach(() => {
  api.trace.disable();
  api.context.disable();
});

test('no tracer exists if the program has not set it up, without loading the package, or if the package is missing', async () => {
  const load = (): never => expect.unreachable();
  expect(await createTracer(load)).toBeUndefined();
  await setUp();
  expect(await createTracer(() => Promise.reject(new Error('not found')))).toBeUndefined();
});

test('spans nest through awaits, have a kind, and end with their work', async () => {
  const { sdk, tracer } = await setUp();
  const headers = await tracer.span('reconcile thing', { controller: 'thing' }, async () => {
    await Promise.resolve();
    return tracer.span('GET things', { 'server.address': 'host' }, async (span) => {
      if (span.isRecording) span.setAttributes({ 'http.response.status_code': 200 });
      return span.headers();
    });
  });
  expect(await tracer.span('webhook /validate', { 'url.path': '/validate' }, async () => 1)).toBe(1);
  expect(headers).toEqual({ traceparent: `00-${'a'.repeat(32)}-0000000000000002-01` });
  expect(sdk.spans).toEqual([
    {
      name: 'reconcile thing',
      kind: api.SpanKind.INTERNAL,
      attributes: { controller: 'thing' },
      id: '0000000000000001',
      parent: undefined,
      ended: true,
    },
    {
      name: 'GET things',
      kind: api.SpanKind.CLIENT,
      attributes: { 'server.address': 'host', 'http.response.status_code': 200 },
      id: '0000000000000002',
      parent: '0000000000000001',
      ended: true,
    },
    {
      name: 'webhook /validate',
      kind: api.SpanKind.SERVER,
      attributes: { 'url.path': '/validate' },
      id: '0000000000000003',
      parent: undefined,
      ended: true,
    },
  ]);
});

test('an error of the work is recorded without its message, and rethrown', async () => {
  const { sdk, tracer } = await setUp();
  const refused = new ApiError({ code: 422, reason: 'Invalid', message: 'data: Invalid value: "hidden"' });
  for (const error of [
    refused,
    new TypeError('hidden'),
    Object.assign(new Error('hidden'), { code: 'X' }),
    'hidden',
  ]) {
    await expect(tracer.span('work', {}, () => Promise.reject(error as Error))).rejects.toBe(error);
  }
  expect(sdk.spans.map(({ attributes }) => attributes)).toEqual([
    { 'error.type': 'Invalid', 'http.response.status_code': 422 },
    { 'error.type': 'TypeError' },
    { 'error.type': 'X' },
    { 'error.type': 'string' },
  ]);
  expect(sdk.spans.every(({ status, ended }) => status?.code === api.SpanStatusCode.ERROR && ended)).toBe(
    true,
  );
  expect(JSON.stringify(sdk.spans)).not.toContain('hidden');
});

test('a span that is not one sends no headers', async () => {
  const { tracer } = await setUp();
  expect(await tracer.span('work', {}, async (span) => Object.keys(span.headers()))).toEqual(['traceparent']);
  const idle = new OpenTelemetryTracer(api, new api.ProxyTracerProvider().getTracer('idle'));
  expect(await idle.span('work', {}, async (span) => span.headers())).toEqual({});
});
