const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;

/** As kubectl prints ages: `5s`, `3m12s`, `2h`, `9d`. A time that lies ahead is `0s`. */
export function formatAge(at: string, now: number): string {
  const age = Math.max(0, now - Date.parse(at));
  if (age < 2 * minute) return `${Math.floor(age / second)}s`;
  if (age < 10 * minute) return parts(age, minute, 'm', second, 's');
  if (age < 3 * hour) return `${Math.floor(age / minute)}m`;
  if (age < 8 * hour) return parts(age, hour, 'h', minute, 'm');
  if (age < 2 * day) return `${Math.floor(age / hour)}h`;
  if (age < 8 * day) return parts(age, day, 'd', hour, 'h');
  return `${Math.floor(age / day)}d`;
}

function parts(age: number, large: number, largeUnit: string, small: number, smallUnit: string): string {
  const rest = Math.floor((age % large) / small);
  return `${Math.floor(age / large)}${largeUnit}${rest === 0 ? '' : `${rest}${smallUnit}`}`;
}

/** Three digits and a unit: `0.4 ms`, `12 ms`, `1.25 s`, `2 min 5 s`. */
export function formatDuration(seconds: number): string {
  const ms = seconds * 1000;
  if (ms < 0.05) return '0 ms';
  if (ms < 10) return `${Number(ms.toFixed(1))} ms`;
  if (ms < 1000) return `${Math.round(ms)} ms`;
  if (seconds < 10) return `${Number(seconds.toFixed(2))} s`;
  if (seconds < 60) return `${Number(seconds.toFixed(1))} s`;
  const units = [
    [86_400, 'd'],
    [3600, 'h'],
    [60, 'min'],
    [1, 's'],
  ] as const;
  const first = units.findIndex(([size]) => seconds >= size);
  const [[size, unit], next] = [units[first]!, units[first + 1]];
  const rest = next ? Math.floor((seconds % size) / next[0]) : 0;
  return `${Math.floor(seconds / size)} ${unit}${rest === 0 ? '' : ` ${rest} ${next![1]}`}`;
}

/** The time of day here, to the millisecond. */
export function formatClock(at: string): string {
  const time = new Date(at);
  return `${digits(time.getHours())}:${digits(time.getMinutes())}:${digits(time.getSeconds())}.${digits(time.getMilliseconds(), 3)}`;
}

function digits(value: number, length = 2): string {
  return String(value).padStart(length, '0');
}
