import { resolve } from 'node:path';
import type { Context } from '../../context.ts';
import { renderLine } from '../../dev/terminal/line.ts';
import { hasColors } from '../../output/paint.ts';
import { htmlOf } from '../../torture/report/html.ts';
import { tortureDocument } from '../../torture/report/json.ts';
import { junitOf } from '../../torture/report/junit.ts';
import { reportLines } from '../../torture/report/text.ts';
import type { TortureResult } from '../../torture/torture-result.ts';
import { workingDirectory } from '../shared/report-options.ts';
import type { TortureCommandOptions } from './torture-options.ts';

/** A report is readable in these widths. Elsewhere than on a terminal it has the default. */
const columns = { min: 40, default: 80, max: 120 } as const;

/** A file that a flag names, and what it contains. */
export interface OutputFile {
  readonly flag: string;
  /** Absolute. */
  readonly path: string;
  readonly text: (result: TortureResult) => string;
}

/** The files of `--junit` and `--html`. */
export function outputFiles(options: TortureCommandOptions, context: Context): OutputFile[] {
  const { junit, html } = options;
  const cwd = workingDirectory(options, context);
  return [
    ...(junit === undefined ? [] : [{ flag: '--junit', path: resolve(cwd, junit), text: junitOf }]),
    ...(html === undefined ? [] : [{ flag: '--html', path: resolve(cwd, html), text: htmlOf }]),
  ];
}

/** Prints the result in the chosen form. */
export function printResult(
  result: TortureResult,
  { json, quiet, verbose = false }: TortureCommandOptions,
  { stdout, env }: Context,
): void {
  if (json) {
    stdout.write(`${JSON.stringify(tortureDocument(result), null, 2)}\n`);
    return;
  }
  const shown = quiet
    ? { ...result, samples: result.samples.filter(({ findings }) => findings.length > 0) }
    : result;
  if (quiet && shown.samples.length === 0 && result.failures.length === 0) return;
  const width = (stdout.isTTY && stdout.columns) || columns.default;
  const fitted = Math.max(columns.min, Math.min(width, columns.max));
  const lines = reportLines(shown, { columns: fitted, verbose });
  stdout.write(lines.map((line) => `${renderLine(line, hasColors(stdout, env))}\n`).join(''));
}
