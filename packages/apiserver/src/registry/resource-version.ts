const largest = 2n ** 64n - 1n;

/**
 * Reads a resource version that a client sent. Beyond what a number can count exactly any answer is far in the future, which
 * is all that matters of it.
 *
 * @throws {SyntaxError} in the words of a kube-apiserver
 */
export function parseResourceVersion(text: string): number {
  const isNumber = /^\d+$/.test(text);
  if (isNumber && BigInt(text) <= largest) return Number(text);
  const value = JSON.stringify(text);
  const problem = isNumber ? 'value out of range' : 'invalid syntax';
  throw new SyntaxError(
    `resourceVersion: Invalid value: ${value}: strconv.ParseUint: parsing ${value}: ${problem}`,
  );
}
