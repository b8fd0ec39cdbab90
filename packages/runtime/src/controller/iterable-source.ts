import { sleep } from 'ots-apimachinery/clock/sleep';
import { unlessRepeated } from '../errors/error-message.ts';
import { isAbortion, isOutage } from './classify-error.ts';
import type { Request } from './reconciler.ts';
import type { Source, SourceContext } from './source.ts';

const firstDelay = 1000;
const maxDelayMs = 30_000;

/**
 * Requests from any async iterable: a queue, a stream, a timer. `fromIterable('prices', (signal) => prices(signal))`.
 * An iterable that ends is not reopened. One that throws is logged and reopened, after 1 s at first and 30 s at most.
 * @param name for logs.
 * @param open is called when the controller starts, and again after a failure. Its iterable must end when the signal
 *   aborts.
 */
export function fromIterable(name: string, open: (signal: AbortSignal) => AsyncIterable<Request>): Source {
  return {
    name,
    // How much exists at the start is unknown: it waits for nothing.
    start: async (context) => void follow(open, context),
  };
}

async function follow(
  open: (signal: AbortSignal) => AsyncIterable<Request>,
  context: SourceContext,
): Promise<void> {
  const { enqueue, signal, clock, logger } = context;
  let previous: unknown;
  for (let delay = firstDelay; !signal.aborted; delay = Math.min(delay * 2, maxDelayMs)) {
    try {
      for await (const request of open(signal)) {
        if (signal.aborted) return;
        enqueue(request);
        delay = firstDelay;
      }
      if (!signal.aborted) logger.info('source ended');
      return;
    } catch (error) {
      if (isAbortion(error, signal)) return;
      const details = { err: unlessRepeated(error, previous), retryIn: delay };
      logger[isOutage(error) ? 'debug' : 'error'](details, 'source failed; reopening');
      previous = error;
    }
    await sleep(clock, delay, signal);
  }
}
