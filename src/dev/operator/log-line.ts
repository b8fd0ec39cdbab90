import type { LogState } from '../model/dev-state.ts';

const levels = new Map<unknown, LogState['level']>([
  ['trace', 'debug'],
  ['debug', 'debug'],
  ['info', 'info'],
  ['warn', 'warn'],
  ['error', 'error'],
  ['fatal', 'error'],
]);

/** How long a text of a line may be: a thousand lines are kept, and each is sent to every reader. */
const maxLength = 10_000;

/** Reads a line of the operator's output: a document of its logger, or any text. @param now for lines without a time */
export function logLine(line: string, now: Date): LogState {
  const document = parsed(line);
  if (!document) return { at: now.toISOString(), level: 'info', message: bounded(line), fields: {} };
  const { time, level, msg, reconcileId, ...fields } = document;
  return {
    at: timeOf(time) ?? now.toISOString(),
    level: levels.get(level) ?? 'info',
    message: typeof msg === 'string' ? bounded(msg) : '',
    fields: Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, boundedValue(value)])),
    ...(typeof reconcileId === 'string' && { reconcile: reconcileId }),
  };
}

function timeOf(time: unknown): string | undefined {
  const milliseconds = typeof time === 'string' ? Date.parse(time) : Number.NaN;
  return Number.isNaN(milliseconds) ? undefined : new Date(milliseconds).toISOString();
}

function boundedValue(value: unknown): unknown {
  if (typeof value === 'string') return bounded(value);
  const text = JSON.stringify(value);
  return text.length > maxLength ? bounded(text) : value;
}

function bounded(text: string): string {
  return text.length > maxLength ? `${text.slice(0, maxLength)}…` : text;
}

function parsed(line: string): Record<string, unknown> | undefined {
  if (!line.startsWith('{')) return undefined;
  try {
    return JSON.parse(line) as Record<string, unknown>;
  } catch {
    return undefined;
  }
}
