/** What an error says, for a message of our own. */
export function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
