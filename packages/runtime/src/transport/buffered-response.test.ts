import type { Dispatcher } from 'undici';
import { expect, test } from 'vitest';
import { sendBuffered } from './buffered-response.ts';

/** A dispatcher that responds with the same chunk again and again, and records whether it was aborted. */
function repeating(status: number, piece: Buffer, times: number) {
  const state = { aborted: false, sent: 0 };
  const controller = { abort: () => (state.aborted = true) } as unknown as Dispatcher.DispatchController;
  const dispatcher = {
    dispatch: (_: unknown, handler: Dispatcher.DispatchHandler) => {
      handler.onRequestStart?.(controller, {});
      handler.onResponseStart?.(controller, 100, {});
      handler.onResponseStart?.(controller, status, {});
      for (; state.sent < times && !state.aborted; state.sent += 1)
        handler.onResponseData?.(controller, piece);
      if (!state.aborted) handler.onResponseEnd?.(controller, {});
      return true;
    },
  } as unknown as Dispatcher;
  return { dispatcher, state };
}

const options = {
  signal: new AbortController().signal,
  beforeSending: () => {},
  began: () => {},
  failed: (error: unknown) => error,
  tooLong: (limit: number) => new Error(`longer than ${limit}`),
};
const request = { path: '/', method: 'GET' } as const;

test('a successful response that is too long for a string is aborted in time', async () => {
  const { dispatcher, state } = repeating(200, Buffer.alloc(2 ** 20), 1000);
  await expect(sendBuffered(dispatcher, request, options)).rejects.toThrow(`longer than ${256 * 2 ** 20}`);
  expect(state).toEqual({ aborted: true, sent: 257 });
});

test('a refusal that is too long to be a Status is not read to its end', async () => {
  const { dispatcher, state } = repeating(502, Buffer.alloc(2 ** 20), 1000);
  const response = await sendBuffered(dispatcher, request, options);
  expect(response).toEqual({ status: 502, headers: {}, body: Buffer.alloc(0) });
  expect(state).toEqual({ aborted: true, sent: 2 });
});

test('a response in chunks is complete', async () => {
  const { dispatcher } = repeating(200, Buffer.from('ab'), 3);
  expect((await sendBuffered(dispatcher, request, options)).body.toString()).toBe('ababab');
});
