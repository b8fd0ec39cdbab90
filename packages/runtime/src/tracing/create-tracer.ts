import type * as api from '@opentelemetry/api';
import { OpenTelemetryTracer } from './open-telemetry-tracer.ts';
import type { Tracer } from './tracer.ts';

/** Where all copies of version 1 of the API look for what the program has registered. */
const registered = Symbol.for('opentelemetry.js.api.1');

/**
 * A tracer on OpenTelemetry, when the program has set it up before: it has registered a tracer provider, as
 * `NodeSDK.start()` does, and `@opentelemetry/api` can be imported. Undefined otherwise: then tracing costs nothing, not
 * even the import, which takes 9 MB.
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
