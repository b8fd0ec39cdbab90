import { OtsError } from '../../errors/ots-error.ts';

/** @throws {OtsError} always: `message` is one line on what is wrong, `hint` one line on what to do. */
export function refuse(code: string, message: string, hint: string): never {
  throw new OtsError(code, message, { hint });
}
