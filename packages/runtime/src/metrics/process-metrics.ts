import { Counter, Gauge, type Registry } from 'prom-client';

/** What dashboards ask of every process. prom-client's own set keeps observers running that nothing can stop. */
export function addProcessMetrics(registry: Registry): void {
  const registers = [registry];
  const startTime = Date.now() / 1000 - process.uptime();
  new Gauge({ name: 'process_start_time_seconds', help: 'Start of the process', registers }).set(startTime);
  const cpu: Counter = new Counter({
    name: 'process_cpu_seconds_total',
    help: 'Processor time of the process',
    registers,
    collect: () => {
      const { user, system } = process.cpuUsage();
      cpu.reset();
      cpu.inc((user + system) / 1e6);
    },
  });
  const resident: Gauge = new Gauge({
    name: 'process_resident_memory_bytes',
    help: 'Resident memory of the process',
    registers,
    collect: () => resident.set(process.memoryUsage.rss()),
  });
  const heap: Gauge = new Gauge({
    name: 'nodejs_heap_size_used_bytes',
    help: 'Used memory of the JavaScript heap',
    registers,
    collect: () => heap.set(process.memoryUsage().heapUsed),
  });
}
