/**
 * Returns a signal that aborts with the first of two, until it is disposed of. It does not use `AbortSignal.any`, which
 * leaks memory in long-lived signals on Node 20.
 */
export function eitherSignal(
  first: AbortSignal,
  second: AbortSignal,
): { signal: AbortSignal; dispose: () => void } {
  const either = new AbortController();
  const forward = (event: Event): void => either.abort((event.target as AbortSignal).reason);
  for (const signal of [first, second]) {
    if (signal.aborted) either.abort(signal.reason);
    signal.addEventListener('abort', forward, { once: true });
  }
  return {
    signal: either.signal,
    dispose: () => {
      first.removeEventListener('abort', forward);
      second.removeEventListener('abort', forward);
    },
  };
}
