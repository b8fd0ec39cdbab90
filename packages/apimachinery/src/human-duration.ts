const minute = 60;
const hour = 60 * minute;
const day = 24 * hour;
const year = 365 * day;

/**
 * A duration as in kube-apiserver's tables: two or three significant figures.
 *
 * @param milliseconds values down to -2 seconds count as zero: clocks differ
 */
export function humanDuration(milliseconds: number): string {
  const seconds = Math.trunc(milliseconds / 1000);
  if (seconds < -1) return '<invalid>';
  if (seconds < 0) return '0s';
  if (seconds < 2 * minute) return `${seconds}s`;
  if (seconds < 10 * minute) return pair(seconds, [minute, 'm'], [1, 's']);
  if (seconds < 3 * hour) return `${Math.floor(seconds / minute)}m`;
  if (seconds < 8 * hour) return pair(seconds, [hour, 'h'], [minute, 'm']);
  if (seconds < 2 * day) return `${Math.floor(seconds / hour)}h`;
  if (seconds < 8 * day) return pair(seconds, [day, 'd'], [hour, 'h']);
  if (seconds < 2 * year) return `${Math.floor(seconds / day)}d`;
  if (seconds < 8 * year) return pair(seconds, [year, 'y'], [day, 'd']);
  return `${Math.floor(seconds / year)}y`;
}

/** The larger unit, and the rest in the smaller one if it is not zero. */
function pair(seconds: number, large: [number, string], small: [number, string]): string {
  const rest = Math.floor((seconds % large[0]) / small[0]);
  return `${Math.floor(seconds / large[0])}${large[1]}${rest === 0 ? '' : `${rest}${small[1]}`}`;
}
