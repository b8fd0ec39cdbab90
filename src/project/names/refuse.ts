import { OtsError } from '../../errors/ots-error.ts';

/** @throws {OtsError} always: `message` says what is wrong, `hint` what to do, each in one line */
export function refuse(code: string, message: string, hint: string): never {
  throw new OtsError(code, message, { hint });
}
