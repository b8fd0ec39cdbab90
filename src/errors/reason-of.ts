/** The message of an error, as part of our own message. */
export function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
