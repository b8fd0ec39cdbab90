/** Returns the error of a rejected call; undefined if it resolves. */
export function refusal(call: Promise<unknown>): Promise<unknown> {
  return call.then(
    () => undefined,
    (error: unknown) => error,
  );
}
