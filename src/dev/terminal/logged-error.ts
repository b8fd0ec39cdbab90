import { locationInStack } from '../../output/location-in-stack.ts';
import type { LogState } from '../model/dev-state.ts';

/** The error of a log line. */
export interface LoggedError {
  readonly message: string;
  readonly hint?: string;
  /** Where the author's code threw it, such as `src/controllers/a.controller.ts:12:5`. */
  readonly location?: string;
}

/** Reads the field `err`, as the runtime logs it; undefined for a line without one. */
export function loggedError({ fields: { err } }: LogState): LoggedError | undefined {
  if (typeof err === 'string') return { message: err };
  if (typeof err !== 'object' || err === null) return undefined;
  const { message, hint, stack } = err as Record<string, unknown>;
  const location = typeof stack === 'string' ? locationInStack(stack) : undefined;
  return {
    message: typeof message === 'string' ? message : JSON.stringify(err),
    ...(typeof hint === 'string' && { hint }),
    ...(location !== undefined && { location }),
  };
}
