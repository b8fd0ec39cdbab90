import { totalmem } from 'node:os';
import { expect, test } from 'vitest';
import { VirtualClock, settled } from '../../test/virtual-clock.ts';
import { createLogger } from '../logging/create-logger.ts';
import { MemoryGuard, containerLimit } from './memory-guard.ts';
import { MetricSet } from './metric-set.ts';

test('low memory is logged once in five minutes, separately for the heap and the container', async () => {
  const clock = new VirtualClock();
  const lines: string[] = [];
  const logger = createLogger({ stream: { write: (line: string) => lines.push(line) } });
  const uses = {
    heap: { used: 10, limit: 100 },
    container: { used: 99, limit: undefined as number | undefined },
  };
  const metrics = new MetricSet();
  const guard = new MemoryGuard(metrics, clock, () => uses);
  const stop = new AbortController();
  const watching = guard.watch(logger, stop.signal);
  const messages = (): string[] => lines.splice(0).map((line) => (JSON.parse(line) as { msg: string }).msg);
  await clock.advance(60_000);
  expect(messages()).toEqual([]);
  uses.heap.used = 93;
  await clock.advance(10_000);
  expect(messages()).toEqual(['the memory of the heap is 93 % full']);
  uses.container.limit = 100;
  await clock.advance(250_000);
  expect(messages()).toEqual(['the memory of the container is 99 % full']);
  await clock.advance(50_000);
  expect(messages()).toEqual(['the memory of the heap is 93 % full']);
  expect(await metrics.registry.metrics()).toMatch(
    /nodejs_heap_size_limit_bytes 100\n[^]*process_memory_limit_bytes 100/,
  );
  stop.abort();
  await watching;
  await settled();
  expect(clock.delays).toEqual([]);
});

test('the value that Node returns without a limit is not a limit', () => {
  for (const none of [undefined, 0, 2 ** 64, totalmem()]) expect(containerLimit(none)).toBeUndefined();
  expect(containerLimit(512 * 2 ** 20)).toBe(512 * 2 ** 20);
});
