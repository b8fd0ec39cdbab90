import type { Readable } from 'node:stream';
import type { Clock } from 'ots-apimachinery/clock/clock';
import { withDeadline } from '../clock/with-deadline.ts';
import { unlessAborted } from '../signals/until-aborted.ts';

/** How to open a stream. */
export interface StreamOpening {
  clock: Clock;
  /** Ends the stream, and the attempt to open it. */
  signal: AbortSignal;
  /** How long the server may take to begin its response, in milliseconds. */
  timeout: number;
  timedOut: () => Error;
  open: (signal: AbortSignal) => Promise<Readable>;
}

/** Opens a stream within the timeout. It lasts until the server or the signal ends it. */
export async function openStream(opening: StreamOpening): Promise<AsyncIterable<Buffer>> {
  const { clock, signal, timeout, timedOut, open } = opening;
  // This lasts as long as the stream; the deadline covers only the opening.
  const streaming = new AbortController();
  const forward = (): void => streaming.abort(signal.reason);
  signal.addEventListener('abort', forward, { once: true });
  const release = (): void => signal.removeEventListener('abort', forward);
  try {
    const stream = await withDeadline(clock, timeout, signal, timedOut, (deadline) => {
      deadline.addEventListener('abort', () => streaming.abort(deadline.reason), { once: true });
      // undici would notice an abort only after it has connected.
      return unlessAborted(open(streaming.signal), deadline);
    });
    stream.once('close', release);
    return stream;
  } catch (error) {
    release();
    throw error;
  }
}
