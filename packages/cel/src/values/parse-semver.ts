import { CelEvaluationError } from './evaluation-error.ts';
import { maxUint } from './numbers.ts';
import { Semver } from './semver.ts';

const numberPattern = '(0|[1-9]\\d*)';
const versionPattern = new RegExp(
  `^${numberPattern}\\.${numberPattern}\\.${numberPattern}(?:-([-.0-9A-Za-z]*))?(?:\\+([-.0-9A-Za-z]*))?$`,
);

/**
 * Parses a semantic version.
 *
 * @returns an error when it is invalid
 */
export function parseSemver(text: string): Semver | CelEvaluationError {
  const match = versionPattern.exec(text);
  const numbers = match?.slice(1, 4).map(BigInt) as [bigint, bigint, bigint] | undefined;
  const prerelease = (match?.[4]?.split('.') ?? []).map(parsePart);
  const build = match?.[5]?.split('.') ?? [];
  const valid =
    numbers?.every((number) => number <= maxUint) && prerelease.every((part) => part !== undefined);
  if (!numbers || !valid || build.includes(''))
    return new CelEvaluationError(`Invalid semantic version ${JSON.stringify(text)}`);
  return new Semver(numbers, prerelease);
}

/** Undefined for a part that is empty or a number with leading zeros. */
function parsePart(part: string): bigint | string | undefined {
  if (!/^\d*$/.test(part)) return part;
  if (!/^(?:0|[1-9]\d*)$/.test(part)) return undefined;
  const number = BigInt(part);
  return number <= maxUint ? number : undefined;
}

/** Parses a shortened or padded semantic version, such as `v1.02` for `1.2.0`. */
export function parseLooseSemver(text: string): Semver | CelEvaluationError {
  const [first = '', second, ...rest] = text.replace(/^v/, '').split('.');
  const parts = [
    first,
    ...(second === undefined ? [] : [second]),
    ...(rest.length > 0 ? [rest.join('.')] : []),
  ];
  const trimmed = parts.map(trimZeros);
  if (trimmed.length < 3 && /[-+]/.test(trimmed.at(-1)!))
    return new CelEvaluationError('short version cannot contain PreRelease/Build meta data');
  while (trimmed.length < 3) trimmed.push('0');
  return parseSemver(trimmed.join('.'));
}

function trimZeros(part: string): string {
  if (part.length < 2) return part;
  const trimmed = part.replace(/^0+/, '');
  return /^\d/.test(trimmed) ? trimmed : `0${trimmed}`;
}
