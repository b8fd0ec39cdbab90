import { type CompilerMessage, constantCode } from './problem.ts';
import { codePointLength } from './values/code-points.ts';

/** What a description needs to know of a problem. */
interface Described {
  readonly code: string;
  readonly message: string;
  readonly start?: number;
  readonly compiler?: CompilerMessage;
}

/** A longer line is not shown. */
const maxLineLength = 16_384;

/**
 * Why the API server refuses an expression. Constants are the last thing that it looks at.
 *
 * @param text the expression
 */
export function explainProblems(problems: readonly Described[], text: string): string {
  const compiled = problems.filter(({ code }) => code !== constantCode);
  if (compiled.length > 0) return `compilation failed: ${describeProblems(compiled, text)}`;
  const [problem] = problems;
  return `program instantiation failed: ${problem?.compiler?.text ?? problem?.message}`;
}

/** Describes the problems of an expression, with their positions in its text below, like the API server's compiler. */
export function describeProblems(problems: readonly Described[], text: string): string {
  const placed = problems.map((problem) => ({ problem, ...lineAndColumn(problem, text) }));
  return placed
    .toSorted((a, b) => a.line - b.line || a.column - b.column)
    .map(({ problem, line, column }) => describe(problem, text.split('\n')[line] ?? '', line, column))
    .join('\n');
}

function lineAndColumn({ compiler, start = 0 }: Described, text: string): { line: number; column: number } {
  const lines = text.slice(0, compiler?.at ?? start).split('\n');
  return { line: lines.length - 1, column: codePointLength(lines.at(-1) ?? '') };
}

function describe({ compiler, message, code }: Described, line: string, row: number, column: number): string {
  const kind = code === 'syntax' && !compiler ? 'Syntax error: ' : '';
  const head = `ERROR: <input>:${row + 1}:${column + 1}: ${kind}${compiler?.text ?? message}`;
  if (Buffer.byteLength(line) > maxLineLength) return head;
  const shown = line.replaceAll('\t', ' ');
  const characters = Array.from(shown);
  const before = characters.slice(0, column).map((character) => (isWide(character) ? '．' : '.'));
  const mark = isWide(characters[column] ?? '') ? '＾' : '^';
  return `${head}\n | ${shown}\n | ${before.join('')}${mark}`;
}

/** Whether Go encodes a character in several bytes. */
function isWide(character: string): boolean {
  return character > '\u007f';
}
