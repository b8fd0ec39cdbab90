/** The message of anything that was thrown. Never throws: it is called where errors are dealt with. */
export function errorMessage(error: unknown): string {
  if (error instanceof Error) return error.message;
  try {
    return String(error);
  } catch {
    return 'something without a text';
  }
}
