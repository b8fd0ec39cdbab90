import { readFile, readdir } from 'node:fs/promises';
import type { MetricSet } from './metric-set.ts';

/**
 * Adds the standard metrics of a process that dashboards expect. prom-client's own set is not used, because it starts
 * observers that cannot be stopped.
 */
export function addProcessMetrics(metrics: MetricSet): void {
  const startTime = Date.now() / 1000 - process.uptime();
  metrics
    .gauge('process_start_time_seconds', 'Start time of the process, in seconds since 1970')
    .set(startTime);
  addCpuTime(metrics, 'process_cpu_seconds_total', 'CPU time', ({ user, system }) => user + system);
  addCpuTime(metrics, 'process_cpu_user_seconds_total', 'User CPU time', ({ user }) => user);
  addCpuTime(metrics, 'process_cpu_system_seconds_total', 'System CPU time', ({ system }) => system);
  metrics.gauge('process_resident_memory_bytes', 'Resident memory', [], (gauge) =>
    gauge.set(process.memoryUsage.rss()),
  );
  if (process.platform === 'linux') addKernelMetrics(metrics);
}

function addCpuTime(
  metrics: MetricSet,
  name: string,
  help: string,
  part: (usage: NodeJS.CpuUsage) => number,
): void {
  metrics.counter(name, `${help} of the process`, [], (counter) => {
    counter.reset();
    counter.inc(part(process.cpuUsage()) / 1e6);
  });
}

/** Adds the metrics that only the kernel provides, from `/proc`. */
function addKernelMetrics(metrics: MetricSet): void {
  const gauge = (name: string, help: string, read: () => Promise<number | undefined>): void => {
    metrics.gauge(name, help, [], async (made) => {
      // A sandbox may hide /proc: the other metrics are still served.
      const value = await read().catch(() => undefined);
      if (value !== undefined) made.set(value);
    });
  };
  gauge(
    'process_open_fds',
    'Number of open file descriptors',
    async () => (await readdir('/proc/self/fd')).length,
  );
  gauge('process_max_fds', 'Maximum number of open file descriptors', () =>
    numberIn('limits', /^Max open files +(\w+)/m),
  );
  gauge('process_virtual_memory_bytes', 'Virtual memory', () =>
    numberIn('status', /^VmSize:\s*(\d+) kB/m, 1024),
  );
  gauge('process_virtual_memory_max_bytes', 'Maximum virtual memory', () =>
    numberIn('limits', /^Max address space +(\w+)/m),
  );
  for (const [name, verb, field] of [
    ['receive', 'received', 'InOctets'],
    ['transmit', 'sent', 'OutOctets'],
  ] as const) {
    const help = `Total number of bytes ${verb} over the network`;
    metrics.counter(`process_network_${name}_bytes_total`, help, [], async (counter) => {
      const value = await networkOctets(field).catch(() => 0);
      counter.reset();
      counter.inc(value);
    });
  }
}

/** The value that Prometheus clients report without a limit: the largest 64-bit number. */
const unlimited = 2 ** 64;

async function numberIn(file: string, pattern: RegExp, unit = 1): Promise<number | undefined> {
  const found = pattern.exec(await readFile(`/proc/self/${file}`, 'utf8'))?.[1];
  if (found === 'unlimited') return unlimited;
  return found === undefined ? undefined : Number(found) * unit;
}

/** The file has a line of names and a line of numbers below it for each group. */
async function networkOctets(field: string): Promise<number> {
  const lines = (await readFile('/proc/self/net/netstat', 'utf8')).split('\n');
  const [names, values] = lines.filter((line) => line.startsWith('IpExt:')).map((line) => line.split(' '));
  return Number(values?.[names?.indexOf(field) ?? -1] ?? 0);
}
