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
    return 'something without a text';
  }
}
