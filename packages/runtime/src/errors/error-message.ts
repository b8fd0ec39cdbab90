/** The message of anything that was thrown. Never throws: it is called where errors are dealt with. */
export function errorMessage(error: unknown): string {
  // Of a host with several addresses, Node tells only in the parts what is wrong with each.
  if (error instanceof AggregateError && error.message === '') {
    return error.errors.map(errorMessage).join(', ');
  }
  if (error instanceof Error) return error.message;
  try {
    return String(error);
  } catch {
    return 'an error without a message';
  }
}

/** The error as a field of a log line: whole, or in brief when the one before said the same, and so has its stack. */
export function unlessRepeated(error: unknown, previous: unknown): unknown {
  return errorMessage(error) === errorMessage(previous) ? briefError(error) : error;
}

/** Without stack, causes and contents. */
function briefError(error: unknown): Record<string, unknown> {
  const { name, code, hint } = (error ?? {}) as Partial<Record<'name' | 'code' | 'hint', unknown>>;
  return { type: name, message: errorMessage(error), code, hint };
}
