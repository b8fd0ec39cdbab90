import { OtsError } from './ots-error.ts';

/**
 * The command line is wrong: an unknown flag, a missing one, or two that exclude each other. The exit code is 2, where
 * valid flags with unacceptable values lead to 1.
 */
export class UsageError extends OtsError {
  override readonly name = 'UsageError';
}
