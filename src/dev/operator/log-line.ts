import type { LogState } from '../model/dev-state.ts';

const levels = {
  trace: 'debug',
  debug: 'debug',
  info: 'info',
  warn: 'warn',
  error: 'error',
  fatal: 'error',
} as const;

/** Reads a line of the operator's output: a document of its logger, or any text. @param now for lines without a time */
export function logLine(line: string, now: Date): LogState {
  const document = parsed(line);
  if (!document) return { at: now.toISOString(), level: 'info', message: line, fields: {} };
  const { time, level, msg, reconcileId, ...fields } = document;
  return {
    at: typeof time === 'string' ? time : now.toISOString(),
    level: (typeof level === 'string' && levels[level as keyof typeof levels]) || 'info',
    message: typeof msg === 'string' ? msg : '',
    fields,
    ...(typeof reconcileId === 'string' && { reconcile: reconcileId }),
  };
}

function parsed(line: string): Record<string, unknown> | undefined {
  if (!line.startsWith('{')) return undefined;
  try {
    return JSON.parse(line) as Record<string, unknown>;
  } catch {
    return undefined;
  }
}
