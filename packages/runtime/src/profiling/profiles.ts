import { Session } from 'node:inspector/promises';
import { getHeapSnapshot } from 'node:v8';
import { systemClock } from 'ots-apimachinery/clock/clock';
import { sleep } from 'ots-apimachinery/clock/sleep';

/** Records where the process spends CPU time, as a `.cpuprofile`. */
export function cpuProfile(milliseconds: number, signal: AbortSignal): Promise<AsyncIterable<string>> {
  return withSession(async (session) => {
    await session.post('Profiler.enable');
    await session.post('Profiler.start');
    await sleep(systemClock, milliseconds, signal);
    return json((await session.post('Profiler.stop')).profile);
  });
}

/** Samples where memory is allocated that is still in use at the end, as a `.heapprofile`. */
export function heapProfile(milliseconds: number, signal: AbortSignal): Promise<AsyncIterable<string>> {
  return withSession(async (session) => {
    await session.post('HeapProfiler.enable');
    await session.post('HeapProfiler.startSampling');
    await sleep(systemClock, milliseconds, signal);
    return json((await session.post('HeapProfiler.stopSampling')).profile);
  });
}

/** Takes a `.heapsnapshot` of every object. The process pauses while it is taken, not while it is sent. */
export function heapSnapshot(): Promise<AsyncIterable<Uint8Array>> {
  // Like HeapProfiler.takeHeapSnapshot, but as a stream that waits for slow readers.
  return Promise.resolve(getHeapSnapshot());
}

/** The profiler ends with its session, even after an error. */
async function withSession<T>(work: (session: Session) => Promise<T>): Promise<T> {
  const session = new Session();
  session.connect();
  try {
    return await work(session);
  } finally {
    session.disconnect();
  }
}

async function* json(profile: object): AsyncGenerator<string> {
  yield JSON.stringify(profile);
}
