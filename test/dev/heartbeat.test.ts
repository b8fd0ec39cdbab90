import type { ServerResponse } from 'node:http';
import { PassThrough } from 'node:stream';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { EventStreams } from '../../src/dev/server/event-streams.ts';
import { emptyState } from './empty-state.ts';

beforeEach(() => vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] }));
afterEach(() => vi.useRealTimers());

test('a reader to whom nothing is sent hears that the session lives, until it ends', () => {
  const response = Object.assign(new PassThrough(), { writeHead: () => {} });
  const streams = new EventStreams();
  streams.add(response as unknown as ServerResponse, emptyState);
  expect(String(response.read())).not.toContain('heartbeat');
  vi.advanceTimersByTime(30_000);
  expect(String(response.read())).toBe(': heartbeat\n\n: heartbeat\n\n');
  streams.end();
  expect(String(response.read())).toBe('event: end\ndata: {}\n\n');
  expect(vi.getTimerCount()).toBe(0);
});
