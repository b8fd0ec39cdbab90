import { OtsError } from '../../src/errors/ots-error.ts';

/** Runs something that ots has to refuse; returns its error, which has to be one line with a hint of one line. */
export function errorOf(run: () => unknown): OtsError {
  try {
    run();
  } catch (error) {
    if (!(error instanceof OtsError)) throw error;
    for (const line of [error.message, error.hint]) {
      // oxlint-disable-next-line no-control-regex -- control characters are what must not be there
      if (line === '' || /[\0-\x1f\u2028\u2029]/.test(line))
        throw new Error(`not one line: ${JSON.stringify(line)}`, { cause: error });
    }
    return error;
  }
  throw new Error('nothing was refused');
}

/** The code with which something is refused, or undefined when it is not. */
export function codeOf(run: () => unknown): string | undefined {
  try {
    run();
  } catch (error) {
    if (error instanceof OtsError) return error.code;
    throw error;
  }
  return undefined;
}
