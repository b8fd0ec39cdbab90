const largest = 2n ** 64n - 1n;

/**
 * Reads a resource version that a client sent. Beyond what a number can count exactly any answer is far in the future, which
 * is all that matters of it.
 *
 * @throws {SyntaxError} in the words of a kube-apiserver
 */
export function parseResourceVersion(text: string): number {
  const problem = versionProblem(text);
  if (problem === undefined) return Number(text);
  throw new SyntaxError(`resourceVersion: Invalid value: ${JSON.stringify(text)}: ${problem}`);
}

/** Why a text is not a resource version, in the words of Go; undefined when it is one. */
export function versionProblem(text: string): string | undefined {
  const isNumber = /^\d+$/.test(text);
  if (isNumber && BigInt(text) <= largest) return undefined;
  const problem = isNumber ? 'value out of range' : 'invalid syntax';
  return `strconv.ParseUint: parsing ${JSON.stringify(text)}: ${problem}`;
}
