import { OtsError } from './ots-error.ts';

/**
 * The command was called in a wrong way: an unknown flag, a missing one, two that exclude each other.
 * It ends with exit code 2, where input that is understood but refused ends with 1.
 */
export class UsageError extends OtsError {
  override readonly name = 'UsageError';
}
