/** Whole seconds since 1970. */
export function secondsOf(time: Date): number {
  return Math.trunc(time.getTime() / 1000);
}

/** A moment as a `Time`: RFC 3339 in whole seconds. */
export function timestampOf(seconds: number): string {
  return new Date(seconds * 1000).toISOString().replace('.000Z', 'Z');
}
