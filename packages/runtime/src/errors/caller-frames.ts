/**
 * Remembers where a function was called, for an error that a timer makes much later and that would otherwise have no
 * frame of the program. Costs some microseconds; the frames become text only when the error is made.
 * @param callee the function whose callers count: its own frame, and those below it, are left out.
 * @returns a function that gives an error the remembered frames.
 */
export function rememberCaller(callee: (...args: never[]) => unknown): <E extends Error>(error: E) => E {
  const at: { stack?: string } = {};
  Error.captureStackTrace(at, callee);
  return (error) => {
    const frames = at.stack?.indexOf('\n') ?? -1;
    error.stack = `${error.name}: ${error.message}${frames < 0 ? '' : at.stack!.slice(frames)}`;
    return error;
  };
}

/**
 * Gives an error the frames of the functions that await it, in place of those of the timer or the socket that made it.
 * Call it where an asynchronous function has caught the error.
 */
export function showAwaiting(error: unknown): void {
  if (error instanceof Error) Error.captureStackTrace(error, showAwaiting);
}
