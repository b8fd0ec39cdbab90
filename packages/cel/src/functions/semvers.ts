import { isError } from '../values/evaluation-error.ts';
import { parseLooseSemver, parseSemver } from '../values/parse-semver.ts';
import { readsFirst } from './costs.ts';
import { overload } from './overload.ts';
import type { FunctionTable } from './overload.ts';

const parse = (text: string, loose: boolean) => (loose ? parseLooseSemver(text) : parseSemver(text));

/** The functions on semantic versions. */
export const semvers: FunctionTable = {
  semver: [overload(['string'], parseSemver, readsFirst), overload(['string', 'bool'], parse, readsFirst)],
  isSemver: [
    overload(['string'], (text) => !isError(parseSemver(text)), readsFirst),
    overload(['string', 'bool'], (text, loose) => !isError(parse(text, loose)), readsFirst),
  ],
  isGreaterThan: [overload(['semver', 'semver'], (a, b) => a.compareTo(b) > 0)],
  isLessThan: [overload(['semver', 'semver'], (a, b) => a.compareTo(b) < 0)],
  compareTo: [overload(['semver', 'semver'], (a, b) => BigInt(a.compareTo(b)))],
  // The API server reads the 64 bits as a signed number.
  major: [overload(['semver'], ({ numbers }) => BigInt.asIntN(64, numbers[0]))],
  minor: [overload(['semver'], ({ numbers }) => BigInt.asIntN(64, numbers[1]))],
  patch: [overload(['semver'], ({ numbers }) => BigInt.asIntN(64, numbers[2]))],
};
