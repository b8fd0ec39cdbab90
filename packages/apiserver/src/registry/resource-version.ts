import { StatusError } from '../status/status-error.ts';

const maxUint64 = 2n ** 64n - 1n;

/**
 * Parses a resource version from a client. Beyond the safe integers any version is far in the future, so rounding
 * does not matter.
 *
 * @throws {SyntaxError} in the words of kube-apiserver
 */
export function parseResourceVersion(text: string): number {
  const problem = versionProblem(text);
  if (problem === undefined) return Number(text);
  throw new SyntaxError(`resourceVersion: Invalid value: ${JSON.stringify(text)}: ${problem}`);
}

/** Why a text is not a resource version, in Go's words; undefined when it is one. */
export function versionProblem(text: string): string | undefined {
  const isNumber = /^\d+$/.test(text);
  if (isNumber && BigInt(text) <= maxUint64) return undefined;
  const problem = isNumber ? 'value out of range' : 'invalid syntax';
  return `strconv.ParseUint: parsing ${JSON.stringify(text)}: ${problem}`;
}

/** Refuses a resource version in the future. */
export function tooLarge(asked: string, current: number): StatusError {
  const message = `Timeout: Too large resource version: ${asked}, current: ${current}`;
  return new StatusError(504, 'Timeout', message, {
    causes: [{ reason: 'ResourceVersionTooLarge', message: 'Too large resource version' }],
    retryAfterSeconds: 1,
  });
}
