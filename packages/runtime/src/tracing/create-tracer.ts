import type * as api from '@opentelemetry/api';
import { OpenTelemetryTracer } from './open-telemetry-tracer.ts';
import type { Tracer } from './tracer.ts';

/** The key under which all copies of version 1 of the API find the program's registrations. */
const registered = Symbol.for('opentelemetry.js.api.1');

/**
 * Creates a tracer on OpenTelemetry if the program has set it up: it has registered a tracer provider, as
 * `NodeSDK.start()` does, and `@opentelemetry/api` can be imported. Otherwise returns undefined, and tracing costs
 * nothing, not even the import, which takes 9 MB.
 * @param load for tests.
 */
export async function createTracer(
  load: () => Promise<typeof api> = () => import('@opentelemetry/api'),
): Promise<Tracer | undefined> {
  const { trace } = (globalThis as { [registered]?: { trace?: unknown } })[registered] ?? {};
  if (trace === undefined) return undefined;
  const loaded = await load().catch(() => undefined);
  return loaded && new OpenTelemetryTracer(loaded, loaded.trace.getTracer('ots-runtime'));
}
