import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Counter } from 'prom-client';
import { afterEach, describe, expect, test } from 'vitest';
import { eventually } from '../../test/eventually.ts';
import { expectNothingOpen } from '../../test/open-resources.ts';
import { Thing } from '../../test/thing.ts';
import { VirtualClock, settled } from '../../test/virtual-clock.ts';
import { createLogger } from '../logging/create-logger.ts';
import { metadataOf } from '../objects/metadata-of.ts';
import { serveMetrics } from './serve-metrics.ts';
import { ManagerMetrics } from './manager-metrics.ts';

/**
 * What an operator on controller-runtime v0.24.1 serves, with one controller, one webhook and leader election, but for
 * `go_*`. Its labels are those of the first series of each.
 */
const controllerRuntime = `
counter certwatcher_read_certificate_errors_total
counter certwatcher_read_certificate_total
gauge controller_runtime_active_workers controller
counter controller_runtime_conversion_webhook_panics_total
gauge controller_runtime_max_concurrent_reconciles controller
counter controller_runtime_reconcile_errors_total controller
counter controller_runtime_reconcile_panics_total controller
histogram controller_runtime_reconcile_time_seconds controller
counter controller_runtime_reconcile_timeouts_total controller
counter controller_runtime_reconcile_total controller,result
counter controller_runtime_terminal_reconcile_errors_total controller
counter controller_runtime_webhook_panics_total
histogram controller_runtime_webhook_latency_seconds webhook
gauge controller_runtime_webhook_requests_in_flight webhook
counter controller_runtime_webhook_requests_total code,webhook
gauge leader_election_master_status name
counter process_cpu_seconds_total
gauge process_max_fds
counter process_network_receive_bytes_total
counter process_network_transmit_bytes_total
gauge process_open_fds
gauge process_resident_memory_bytes
gauge process_start_time_seconds
gauge process_virtual_memory_bytes
gauge process_virtual_memory_max_bytes
counter rest_client_requests_total code,host,method
counter workqueue_adds_total controller,name
gauge workqueue_depth controller,name,priority
gauge workqueue_longest_running_processor_seconds controller,name
histogram workqueue_queue_duration_seconds controller,name
counter workqueue_retries_total controller,name
gauge workqueue_unfinished_work_seconds controller,name
histogram workqueue_work_duration_seconds controller,name
`;

interface Scraped {
  types: Map<string, string>;
  samples: { name: string; labels: Record<string, string>; value: number }[];
  value: (name: string, labels?: Record<string, string>) => number | undefined;
}

/** Reads the text format of Prometheus, and fails on what is not of it. */
function parse(text: string): Scraped {
  const types = new Map<string, string>();
  const samples: Scraped['samples'] = [];
  for (const line of text.split('\n')) {
    const type = /^# TYPE (\w+) (counter|gauge|histogram|summary)$/.exec(line);
    if (type) types.set(type[1]!, type[2]!);
    if (line === '' || line.startsWith('#')) continue;
    const sample = /^([a-zA-Z_:][\w:]*)(?:\{(.*)\})? (\S+)$/.exec(line);
    if (!sample) throw new Error(`not a sample: ${line}`);
    const labels = [...(sample[2] ?? '').matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g)];
    const value = { '+Inf': Infinity, Nan: NaN }[sample[3]!] ?? Number(sample[3]);
    samples.push({ name: sample[1]!, labels: Object.fromEntries(labels.map(([, k, v]) => [k!, v!])), value });
  }
  return {
    types,
    samples,
    value: (name, labels = {}) =>
      samples.find(
        (sample) =>
          sample.name === name &&
          Object.entries(labels).every(([label, value]) => sample.labels[label] === value),
      )?.value,
  };
}

const scrape = async (metrics: ManagerMetrics): Promise<Scraped> => parse(await metrics.registry.metrics());

function setUp() {
  const clock = new VirtualClock();
  return { clock, metrics: new ManagerMetrics({ clock }) };
}

const idle = { length: 0, unfinished: () => [] };

test('names, types and labels are those of controller-runtime', async () => {
  const { metrics } = setUp();
  const { reconcile } = metrics.controller('c', 1, () => idle);
  reconcile.started();
  reconcile.finished('success', 1);
  const webhook = metrics.webhook('/validate');
  webhook.started();
  webhook.finished(200, 1);
  metrics.election().leading('lease', true);
  metrics.transport().exchanged({ code: '200', method: 'GET', host: 'h', seconds: 1 });
  const { types, samples } = await scrape(metrics);
  const lines = [...types].map(([name, type]) => {
    const sample = samples.find((one) => one.name === name || one.name === `${name}_count`);
    return [
      type,
      name,
      Object.keys(sample?.labels ?? {})
        .toSorted()
        .join(','),
    ]
      .join(' ')
      .trim();
  });
  expect(lines).toEqual(expect.arrayContaining(controllerRuntime.trim().split('\n')));
});

test('all metrics of a controller, its queue and a webhook exist with zeros before anything happens', async () => {
  const { metrics } = setUp();
  metrics.controller('c', 3, () => idle);
  metrics.webhook('/validate');
  const { value } = await scrape(metrics);
  for (const result of ['success', 'error', 'requeue', 'requeue_after'])
    expect(value('controller_runtime_reconcile_total', { result })).toBe(0);
  for (const name of ['errors', 'panics', 'timeouts', 'conflicts'])
    expect(value(`controller_runtime_reconcile_${name}_total`, { controller: 'c' })).toBe(0);
  expect(value('controller_runtime_terminal_reconcile_errors_total')).toBe(0);
  expect(value('controller_runtime_active_workers')).toBe(0);
  expect(value('controller_runtime_max_concurrent_reconciles')).toBe(3);
  for (const name of [
    'adds_total',
    'retries_total',
    'depth',
    'queue_duration_seconds_count',
    'unfinished_work_seconds',
  ])
    expect(value(`workqueue_${name}`, { name: 'c', controller: 'c' })).toBe(0);
  expect(value('controller_runtime_webhook_requests_total', { code: '200' })).toBe(0);
  expect(value('controller_runtime_webhook_requests_total', { code: '500' })).toBe(0);
  expect(value('controller_runtime_webhook_requests_in_flight')).toBe(0);
});

test('reconciles are counted by result', async () => {
  const { metrics } = setUp();
  const { reconcile } = metrics.controller('c', 1, () => idle);
  reconcile.started();
  reconcile.failed('timeout');
  reconcile.failed('panic');
  reconcile.finished('error', 61);
  reconcile.started();
  reconcile.failed('conflict');
  reconcile.finished('requeue', 0.1);
  reconcile.started();
  const { value } = await scrape(metrics);
  expect(value('controller_runtime_reconcile_total', { result: 'error' })).toBe(1);
  expect(value('controller_runtime_reconcile_errors_total')).toBe(1);
  expect(value('controller_runtime_reconcile_panics_total')).toBe(1);
  expect(value('controller_runtime_reconcile_timeouts_total')).toBe(1);
  expect(value('controller_runtime_reconcile_conflicts_total')).toBe(1);
  expect(value('controller_runtime_terminal_reconcile_errors_total')).toBe(0);
  expect(value('controller_runtime_active_workers')).toBe(1);
  expect(value('controller_runtime_reconcile_time_seconds_bucket', { le: '60' })).toBe(1);
  expect(value('controller_runtime_reconcile_time_seconds_sum')).toBeCloseTo(61.1);
});

describe('a queue', () => {
  test('is read when metrics are collected', async () => {
    const { metrics } = setUp();
    const state = { length: 5, unfinished: () => [1000, 3500] };
    const { queue } = metrics.controller('c', 1, () => state);
    queue.added();
    queue.started(10);
    queue.finished(0.00002);
    const { value } = await scrape(metrics);
    expect(value('workqueue_depth', { priority: '0' })).toBe(5);
    expect(value('workqueue_unfinished_work_seconds')).toBe(4.5);
    expect(value('workqueue_longest_running_processor_seconds')).toBe(3.5);
    expect(value('workqueue_queue_duration_seconds_sum')).toBe(0.01);
    expect(value('workqueue_work_duration_seconds_bucket', { le: '1e-8' })).toBe(0);
    expect(value('workqueue_work_duration_seconds_bucket', { le: '1e-7' })).toBe(1);
    expect(value('workqueue_work_duration_seconds_bucket', { le: '1000' })).toBe(1);
  });

  test('has a depth for each priority, which goes back to zero, and at most 25 of them', async () => {
    const { metrics } = setUp();
    let lengths = new Map([
      [-100, 7],
      [5, 1],
    ]);
    metrics.controller('c', 1, () => ({ ...idle, lengths: () => lengths }));
    const depth = async (priority: string): Promise<number | undefined> =>
      (await scrape(metrics)).value('workqueue_depth', { priority });
    expect(await depth('-100')).toBe(7);
    lengths = new Map();
    expect(await depth('-100')).toBe(0);
    lengths = new Map(Array.from({ length: 100 }, (_, priority) => [priority + 1000, 2]));
    await depth('-100');
    const { samples, value } = await scrape(metrics);
    expect(samples.filter(({ name }) => name === 'workqueue_depth')).toHaveLength(26);
    expect(value('workqueue_depth', { priority: 'exceeded_cardinality_limit' })).toBe((100 - 22) * 2);
  });
});

test('informers are shown by kind and projection, with the time since they were last heard', async () => {
  const { metrics, clock } = setUp();
  const full = metrics.informer(Thing);
  metrics.informer(metadataOf(Thing));
  full.synced(true);
  full.objects(12);
  full.relisted();
  await clock.advance(5000);
  full.heard();
  await clock.advance(2000);
  for (let n = 0; n < 30; n += 1) full.restarted(`reason ${n}`);
  const { value, samples } = await scrape(metrics);
  const labels = { group: 'example.com', version: 'v1', kind: 'Thing', projection: 'full' };
  expect(value('informer_synced', labels)).toBe(1);
  expect(value('informer_objects', labels)).toBe(12);
  expect(value('informer_relists_total', labels)).toBe(1);
  expect(value('informer_last_event_age_seconds', labels)).toBe(2);
  expect(value('informer_last_event_age_seconds', { projection: 'metadata' })).toBe(7);
  expect(value('informer_synced', { projection: 'metadata' })).toBe(0);
  expect(samples.filter(({ name }) => name === 'informer_watch_restarts_total')).toHaveLength(26);
  expect(value('informer_watch_restarts_total', { reason: 'exceeded_cardinality_limit' })).toBe(5);
});

test('an informer without namespaces has no time since the last event, which an alert would mistake', async () => {
  const { metrics, clock } = setUp();
  const informer = metrics.informer(Thing);
  const age = async (): Promise<number | undefined> =>
    (await scrape(metrics)).value('informer_last_event_age_seconds', { kind: 'Thing' });
  expect(await age()).toBe(0);
  informer.idle();
  await clock.advance(5000);
  expect(await age()).toBeUndefined();
  informer.heard();
  await clock.advance(2000);
  expect(await age()).toBe(2);
});

test('a stopped informer is not shown, until another one starts', async () => {
  const { metrics } = setUp();
  const first = metrics.informer(Thing);
  first.objects(12);
  await scrape(metrics);
  first.closed();
  first.synced(true);
  first.objects(1);
  const gauges = /^informer_(synced|objects|last_event_age_seconds)$/;
  expect((await scrape(metrics)).samples.filter(({ name }) => gauges.test(name))).toEqual([]);
  const second = metrics.informer(Thing);
  second.objects(3);
  first.closed();
  const { samples, value } = await scrape(metrics);
  expect(value('informer_objects', { kind: 'Thing' })).toBe(3);
  expect(samples.filter(({ name }) => gauges.test(name))).toHaveLength(3);
});

test('the certificate metric shows the earliest expiry, and nothing before a certificate is served', async () => {
  const { metrics } = setUp();
  const [one, other] = [metrics.certificates(), metrics.certificates()];
  one.read();
  one.failed();
  expect((await scrape(metrics)).types.has('certificate_expiration_timestamp_seconds')).toBe(false);
  one.serving(5000);
  other.serving(3000);
  expect((await scrape(metrics)).value('certificate_expiration_timestamp_seconds')).toBe(3);
  other.serving(9000);
  const { value } = await scrape(metrics);
  expect(value('certificate_expiration_timestamp_seconds')).toBe(5);
  expect(value('certwatcher_read_certificate_total')).toBe(1);
  expect(value('certwatcher_read_certificate_errors_total')).toBe(1);
});

test('the process and the engine are measured', async () => {
  const { metrics } = setUp();
  const { value, types } = await scrape(metrics);
  for (const name of [
    'process_cpu_seconds_total',
    'process_resident_memory_bytes',
    'process_open_fds',
    'process_max_fds',
    'process_virtual_memory_bytes',
    'nodejs_heap_size_used_bytes',
    'nodejs_heap_size_total_bytes',
    'nodejs_heap_size_limit_bytes',
    'process_memory_limit_bytes',
    'nodejs_version_info',
  ])
    expect(value(name), name).toBeGreaterThan(0);
  expect(value('process_start_time_seconds')).toBeLessThan(Date.now() / 1000);
  expect(value('nodejs_heap_space_size_used_bytes', { space: 'old' })).toBeGreaterThan(0);
  expect([...types.keys()]).toEqual(
    expect.arrayContaining([
      'nodejs_gc_duration_seconds',
      'nodejs_eventloop_lag_p99_seconds',
      'nodejs_active_resources',
    ]),
  );
});

test('the monitor measures pauses and lag while it runs, and leaves nothing running', async () => {
  const { metrics, clock } = setUp();
  await expectNothingOpen();
  const stop = new AbortController();
  const running = metrics.monitor(createLogger({ level: 'silent' })).start(stop.signal);
  const collections = async (): Promise<number> => {
    for (let round = 0; round < 10; round += 1) Array.from({ length: 50_000 }, (_, n) => ({ n }));
    await settled();
    return (await scrape(metrics)).value('nodejs_gc_duration_seconds_count', { kind: 'minor' }) ?? 0;
  };
  while ((await collections()) === 0);
  expect((await scrape(metrics)).value('nodejs_eventloop_lag_max_seconds')).toBeGreaterThanOrEqual(0);
  expect(clock.delays).toEqual([10_000]);
  stop.abort();
  await running;
  expect(clock.delays).toEqual([]);
  const last = await collections();
  expect(await collections()).toBe(last);
  await expectNothingOpen();
});

test('operators can add their own metrics, and two managers do not share any', async () => {
  const { metrics } = setUp();
  const other = new ManagerMetrics();
  for (const each of [metrics, other])
    each.counter('jobs_started_total', 'Jobs', ['queue']).inc({ queue: 'a"b\\c\n' }, 2);
  metrics.registry.registerMetric(new Counter({ name: 'own_total', help: 'Own', registers: [] }));
  const { value } = await scrape(metrics);
  expect(value('jobs_started_total')).toBe(2);
  expect(value('own_total')).toBe(0);
  expect(() => metrics.counter('jobs_started_total', 'Again')).toThrow('already been registered');
});

describe('a scrape', () => {
  const closing: (() => void)[] = [];
  afterEach(() => {
    for (const close of closing.splice(0)) close();
  });

  async function serve(metrics: ManagerMetrics, clock = new VirtualClock()): Promise<string> {
    const server = createServer(serveMetrics(metrics.registry, clock, createLogger({ level: 'silent' })));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    closing.push(() => {
      server.closeAllConnections();
      server.close();
    });
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}/metrics`;
  }

  test('is compressed on request, and has no body for HEAD', async () => {
    const url = await serve(setUp().metrics);
    const plain = await fetch(url, { headers: { 'accept-encoding': 'identity' } });
    expect(plain.headers.get('content-encoding')).toBeNull();
    expect(plain.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8');
    const text = await plain.text();
    const zipped = await fetch(url, { headers: { 'accept-encoding': 'deflate, gzip;q=0.5' } });
    expect(zipped.headers.get('content-encoding')).toBe('gzip');
    expect(Number(zipped.headers.get('content-length'))).toBeLessThan(text.length / 4);
    expect(parse(await zipped.text()).types.size).toBe(parse(text).types.size);
    const refused = await fetch(url, { headers: { 'accept-encoding': 'gzip;q=0' } });
    expect(refused.headers.get('content-encoding')).toBeNull();
    await refused.text();
    const head = await fetch(url, { method: 'HEAD' });
    expect([head.status, await head.text()]).toEqual([200, '']);
    const post = await fetch(url, { method: 'POST' });
    expect([post.status, post.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
    await post.text();
  });

  test('during another one gets the same response', async () => {
    const { metrics } = setUp();
    let open!: () => void;
    const gate = new Promise<void>((resolve) => (open = resolve));
    let collected = 0;
    metrics.gauge('slow', 'Slow', [], async () => {
      collected += 1;
      await gate;
    });
    const url = await serve(metrics);
    const all = Promise.all(Array.from({ length: 20 }, async () => (await fetch(url)).text()));
    await eventually(() => collected === 1);
    open();
    await all;
    expect(collected).toBeLessThan(20);
  });

  test('that never ends is aborted after a minute, and the next one is tried', async () => {
    const { metrics, clock } = setUp();
    let collected = 0;
    metrics.gauge('lost', 'Lost', [], () => {
      collected += 1;
      return collected === 1 ? new Promise(() => {}) : undefined;
    });
    const url = await serve(metrics, clock);
    const first = fetch(url);
    await eventually(() => collected === 1);
    await clock.advance(60_000);
    expect((await first).status).toBe(500);
    expect((await fetch(url)).status).toBe(200);
    expect(clock.delays).toEqual([]);
  });

  test('that fails returns 500, and the next one is tried', async () => {
    const { metrics } = setUp();
    let isBroken = true;
    metrics.gauge('broken', 'Broken', [], () => {
      if (isBroken) throw new Error('no');
    });
    const url = await serve(metrics);
    expect((await fetch(url)).status).toBe(500);
    isBroken = false;
    expect((await fetch(url)).status).toBe(200);
  });
});
