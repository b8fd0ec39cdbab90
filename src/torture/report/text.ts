import type { Finding, TimelineEntry } from 'ots-testing';
import { wrapText } from '../../dev/terminal/fit-line.ts';
import { type Line, type Span, span } from '../../dev/terminal/line.ts';
import type { SampleFailure, SampleResult, TortureResult } from '../torture-result.ts';
import {
  commandFor,
  countOf,
  describePrevented,
  describeSearch,
  describeSource,
  describeTime,
  doubtsOf,
  fieldsWithoutEffect,
  furtherDetails,
  hasMorePlans,
  summaryOf,
} from './describe-report.ts';

/** How a report is printed. */
export interface TextOptions {
  readonly columns: number;
  /** Whether to list what is accepted, and what is not compared. */
  readonly verbose: boolean;
}

const indent = 3;
const labelWidth = 10;
const maxDetails = 5;
/** What an object lacks may be all of it. */
const maxLinesOfConsequence = 4;
const maxLinesOfDetail = 2;
/** How many entries of a timeline are shown at its ends, and around its causes. */
const shownEntries = 4;

/** The report for people: each finding with what happened, and what to do. */
export function reportLines(result: TortureResult, options: TextOptions): Line[] {
  return [
    ...result.samples.flatMap((sample) => linesOfSample(sample, result, options)),
    ...result.failures.flatMap(linesOfFailure),
    ...result.unused.map(({ finding, line }) => [
      span('warning:', 'yellow'),
      span(` torture-baseline.yaml:${line}: no plan shows ${finding} any more. Remove the entry.`),
    ]),
    [span(summaryOf(result))],
    ...noteOnPlans(result),
  ];
}

function noteOnPlans(result: TortureResult): Line[] {
  if (result.isInterrupted) return [[span('Interrupted: there may be more findings.')]];
  if (!hasMorePlans(result)) return [];
  return [[span('Some plans were not tried. Add --full, or a larger --budget, to try more.')]];
}

function linesOfSample(sample: SampleResult, result: TortureResult, options: TextOptions): Line[] {
  return [
    [span(sample.report.object, 'bold')],
    [span(sample.sample.file, 'dim')],
    [span(describeSearch(sample), 'dim')],
    ...notesOn(sample, options).map((note) => [span(note, 'dim')]),
    [],
    ...sample.findings.flatMap((finding, index) => [
      [span(`${index + 1}.`.padEnd(indent)), span(finding.id, 'bold')],
      ...linesOfFinding(finding, sample, result, options.columns - indent).map(indented),
      [],
    ]),
  ];
}

/** What is not in the findings, and why. */
function notesOn({ accepted, report }: SampleResult, { verbose }: TextOptions): string[] {
  const { masked, prevented } = report;
  const fields = fieldsWithoutEffect(report);
  if (verbose)
    return [
      ...accepted.map(({ id, reason }) => `Accepted: ${id}: ${reason}`),
      ...Object.entries(prevented).map(([name, count]) => `Prevented: ${name}: ${describePrevented(count)}`),
      ...fields.map((field) => `No visible effect: ${field}`),
      ...masked.map((value) => `Not compared: ${value}`),
    ];
  const deletions = Object.values(prevented).reduce((sum, count) => sum + count, 0);
  const [values, changed] = [countOf(masked.length, 'value'), countOf(fields.length, 'field')];
  return [
    ...(deletions === 0 ? [] : [`Prevented: ${describePrevented(deletions)}`]),
    ...(fields.length === 0 ? [] : [`No visible effect: ${changed} of the spec (see --verbose)`]),
    ...(masked.length === 0
      ? []
      : [`Not compared: ${values} with other content in each run (see --verbose)`]),
  ];
}

/** As the CLI prints errors. */
function linesOfFailure({ sample, problem, hint }: SampleFailure): Line[] {
  return [
    [span(sample.kind, 'bold')],
    [span(sample.file, 'dim')],
    [span('error:', 'red'), span(` ${problem}`)],
    [span('hint:', 'cyan'), span(` ${hint}`)],
    [],
  ];
}

function linesOfFinding(
  finding: Finding,
  sample: SampleResult,
  result: TortureResult,
  columns: number,
): Line[] {
  const { consequence, description, plans, timeline, cure, link } = finding;
  const details = furtherDetails(finding);
  const more = details.length - maxDetails;
  return [
    ...wrapText(consequence, { columns, style: 'red', maxLines: maxLinesOfConsequence }),
    ...details
      .slice(0, maxDetails)
      .flatMap((detail) => labeled('also', detail, { columns, maxLines: maxLinesOfDetail })),
    ...labeled('also', more > 0 ? `${more} more (see --json)` : '', { columns }),
    ...labeled('plan', `${description} (shown by ${countOf(plans, 'plan')})`, { columns }),
    ...linesOfTimeline(timeline, columns),
    ...whole('source', describeSource(finding) ?? ''),
    ...doubtsOf(finding).flatMap((doubt) => labeled('note', doubt, { columns })),
    ...whole('replay', commandFor('--replay', finding, sample, result)),
    ...whole('test', commandFor('--write-test', finding, sample, result)),
    ...labeled('cure', cure, { columns }),
    ...whole('see', link),
  ];
}

function indented(line: Line): Line {
  return [span(' '.repeat(indent)), ...line];
}

function label(text: string): Span {
  return span(text.padEnd(labelWidth), 'cyan');
}

/** A text in one piece beside a label, so a reader can copy it; no line without a text. */
function whole(name: string, text: string): Line[] {
  return text === '' ? [] : [[label(name), span(text)]];
}

/** A text beside a label, in as many lines as it needs; no line without a text. */
function labeled(
  name: string,
  text: string,
  { columns, maxLines }: { readonly columns: number; readonly maxLines?: number },
): Line[] {
  if (text === '') return [];
  const options = { columns: columns - labelWidth, ...(maxLines !== undefined && { maxLines }) };
  return wrapText(text, options).map((line, index) => [label(index === 0 ? name : ''), ...line]);
}

const actorWidth = 'operator'.length;
const timeWidth = '1234.56 s'.length;

/** A line for each entry; of a long timeline only its ends and what is around its causes. */
function linesOfTimeline(timeline: readonly TimelineEntry[], columns: number): Line[] {
  const isShown = (index: number): boolean =>
    index < shownEntries ||
    index >= timeline.length - shownEntries ||
    timeline.some(({ isCause }, cause) => isCause === true && Math.abs(cause - index) <= shownEntries);
  const lines: Line[] = timeline.length === 0 ? [] : [[span('timeline', 'cyan')]];
  let hidden = 0;
  for (const [index, entry] of timeline.entries()) {
    if (!isShown(index)) {
      hidden += 1;
      continue;
    }
    if (hidden > 0) lines.push([span(`${' '.repeat(timeWidth)}  … ${hidden} more`, 'dim')]);
    hidden = 0;
    lines.push(...linesOfEntry(entry, columns));
  }
  return lines;
}

function linesOfEntry({ time, actor, what, isCause = false }: TimelineEntry, columns: number): Line[] {
  const start: Line = [
    span(describeTime(time).padStart(timeWidth), 'dim'),
    span(isCause ? ' > ' : '   ', 'red'),
    span(`${actor.padEnd(actorWidth)}  `),
  ];
  const width = timeWidth + ' > '.length + actorWidth + 2;
  const style = isCause ? ({ style: 'bold' } as const) : {};
  return wrapText(what, { columns: columns - width, ...style }).map((line, index) => [
    ...(index === 0 ? start : [span(' '.repeat(width))]),
    ...line,
  ]);
}
