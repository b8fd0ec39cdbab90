import { OtsError } from '../../errors/ots-error.ts';

/**
 * Makes an error that points into PROJECT.
 *
 * @param offset where in `text` the trouble starts, in UTF-16 code units
 * @param problem what is wrong, without a position; it is put behind `PROJECT:<line>:<column>: `
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
