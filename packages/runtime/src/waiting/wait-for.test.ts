import { describe, expect, test } from 'vitest';
import { VirtualClock, settled } from '../../test/virtual-clock.ts';
import { waitFor } from './wait-for.ts';

describe('waitFor', () => {
  test('probes until there is a result, also after probes that throw', async () => {
    const clock = new VirtualClock();
    const results = [undefined, false, new Error('not yet'), 0];
    const waiting = waitFor(
      () => {
        const result = results.shift();
        if (result instanceof Error) throw result;
        return result as number | false | undefined;
      },
      { clock, interval: '1s' },
    );
    await settled();
    await clock.advance(3000);
    expect(await waiting).toBe(0);
    expect(clock.delays).toEqual([]);
  });

  test('fails after the timeout, with the error of the last probe', async () => {
    const clock = new VirtualClock();
    const cause = new Error('not there');
    const waiting = waitFor(() => Promise.reject(cause), {
      clock,
      timeout: '2s',
      interval: '1s',
      message: 'the Job',
    }).catch((error: unknown) => error);
    await settled();
    await clock.advance(2000);
    expect(await waiting).toMatchObject({
      code: 'WAIT_TIMEOUT',
      message: 'Timed out after 2000 ms waiting for the Job',
      cause,
    });
  });

  test('an abort ends it', async () => {
    const clock = new VirtualClock();
    const abort = new AbortController();
    const waiting = waitFor(() => undefined, { clock, signal: abort.signal }).catch(
      (error: unknown) => error,
    );
    await settled();
    abort.abort(new Error('enough'));
    expect(await waiting).toMatchObject({ message: 'enough' });
    expect(clock.delays).toEqual([]);
  });

  test('a probe that hangs does not outlive the timeout, and its signal aborts', async () => {
    const clock = new VirtualClock();
    let given: AbortSignal | undefined;
    const waiting = waitFor(
      (signal) => {
        given = signal;
        return new Promise<true>(() => {});
      },
      { clock, timeout: '2s', message: () => 'the late answer' },
    ).catch((error: unknown) => error);
    await settled();
    await clock.advance(2000);
    expect(await waiting).toMatchObject({
      code: 'WAIT_TIMEOUT',
      message: 'Timed out after 2000 ms waiting for the late answer',
    });
    expect(given?.aborted).toBe(true);
    expect(clock.delays).toEqual([]);
  });
});
