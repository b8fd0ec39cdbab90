// What a process and all that it started cost, from /proc.
import { readFileSync, readdirSync } from 'node:fs';

const ticksPerSecond = 100;

function read(path) {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    // The process ended meanwhile.
    return '';
  }
}

function childrenOf(pid) {
  const threads = (() => {
    try {
      return readdirSync(`/proc/${pid}/task`);
    } catch {
      return [];
    }
  })();
  return threads.flatMap((thread) =>
    read(`/proc/${pid}/task/${thread}/children`).trim().split(' ').filter(Boolean).map(Number),
  );
}

function familyOf(pid) {
  return [pid, ...childrenOf(pid).flatMap(familyOf)];
}

function memoryOf(pid, field) {
  return Number(new RegExp(`${field}:\\s+(\\d+)`).exec(read(`/proc/${pid}/status`))?.[1] ?? 0) / 1024;
}

function processorOf(pid) {
  const [user, system] = read(`/proc/${pid}/stat`).split(') ')[1]?.split(' ').slice(11, 13) ?? [0, 0];
  return (Number(user) + Number(system)) / ticksPerSecond;
}

const sum = (numbers) => numbers.reduce((total, number) => total + number, 0);

/**
 * Resident memory now and at its highest in MB, and that without what the kernel can read again from files: the program and its
 * libraries, of which all processes on a node share one copy. Processor time so far in seconds.
 */
export function usageOf(pid) {
  const family = familyOf(pid);
  return {
    rss: sum(family.map((id) => memoryOf(id, 'VmRSS'))),
    anonymous: sum(family.map((id) => memoryOf(id, 'RssAnon'))),
    peak: sum(family.map((id) => memoryOf(id, 'VmHWM'))),
    cpu: sum(family.map(processorOf)),
  };
}
