import { OtsError } from '../../errors/ots-error.ts';

/**
 * Creates an error with a position in PROJECT.
 *
 * @param offset start of the problem in `text`, in UTF-16 code units
 * @param problem what is wrong, without a position; the message gets the prefix `PROJECT:<line>:<column>: `
 * @returns an error with `line` and `column` (both from 1) in its details
 */
export function sourceError(
  text: string,
  offset: number,
  problem: { code: string; message: string; hint: string; cause?: unknown },
): OtsError {
  const { line, column } = positionAt(text, offset);
  return new OtsError(problem.code, `PROJECT:${line}:${column}: ${problem.message}`, {
    hint: problem.hint,
    cause: problem.cause,
    details: { file: 'PROJECT', line, column },
  });
}

function positionAt(text: string, offset: number): { line: number; column: number } {
  const before = text.slice(text.startsWith('\uFEFF') ? 1 : 0, Math.max(offset, 0)).split('\n');
  return { line: before.length, column: (before.at(-1)?.length ?? 0) + 1 };
}
