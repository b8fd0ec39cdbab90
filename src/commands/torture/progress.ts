import type { Context } from '../../context.ts';
import { fitLine } from '../../dev/terminal/fit-line.ts';
import { renderLine, span } from '../../dev/terminal/line.ts';
import { hasColors } from '../../output/paint.ts';
import { countOf } from '../../torture/report/describe-report.ts';
import type { Sample } from '../../torture/torture-result.ts';
import type { TotalProgress } from './search.ts';

/** The time between two looks of a terminal, and between two lines elsewhere, in milliseconds. */
const intervals = { live: 100, lines: 10_000 } as const;
/** Goes to the start of the line and clears it (https://invisible-island.net/xterm/ctlseqs/ctlseqs.html). */
const clearedLine = '\r\u001B[2K';
const defaultColumns = 80;

/** Says on standard error how far a search is: in one line of a terminal that changes, or in a line from time to time. */
export class Progress {
  readonly #context: Context;
  readonly #isQuiet: boolean;
  readonly #isLive: boolean;
  #next = -Infinity;

  constructor(context: Context, { quiet = false }: { quiet?: boolean }) {
    const { stderr, env } = context;
    this.#context = context;
    this.#isQuiet = quiet;
    this.#isLive = stderr.isTTY && env['TERM'] !== 'dumb' && !env['CI'];
  }

  /** @param progress undefined while the operator runs undisturbed */
  update({ file }: Sample, progress?: TotalProgress): void {
    const { now, stderr } = this.#context;
    const time = now().getTime();
    if (this.#isQuiet || (progress && time < this.#next)) return;
    this.#next = time + intervals[this.#isLive ? 'live' : 'lines'];
    const done = progress
      ? `${progress.tried} of ${countOf(progress.plans, 'plan')}, ${countOf(progress.findings, 'finding')}`
      : 'what the operator does undisturbed';
    stderr.write(this.#isLive ? `${clearedLine}${this.#fitted(file, done)}` : `${file}: ${done}\n`);
  }

  /** Clears the line. */
  end(): void {
    if (this.#isLive && !this.#isQuiet) this.#context.stderr.write(clearedLine);
  }

  #fitted(file: string, done: string): string {
    const { stderr, env } = this.#context;
    const line = fitLine([span(file, 'bold'), span(`  ${done}`)], (stderr.columns || defaultColumns) - 1);
    return renderLine(line, hasColors(stderr, env));
  }
}
