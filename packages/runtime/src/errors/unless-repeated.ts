import { errorMessage } from './error-message.ts';

/** The error as a field of a log line: whole, or in brief when the one before said the same, and so has its stack. */
export function unlessRepeated(error: unknown, previous: unknown): unknown {
  return errorMessage(error) === errorMessage(previous) ? briefError(error) : error;
}

/** Without stack, causes and contents. */
function briefError(error: unknown): Record<string, unknown> {
  const { name, code, hint } = (error ?? {}) as Partial<Record<'name' | 'code' | 'hint', unknown>>;
  return { type: name, message: errorMessage(error), code, hint };
}
