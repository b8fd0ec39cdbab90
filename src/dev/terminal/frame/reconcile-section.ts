import type { DevState, LogState, ReconcileState } from '../../model/dev-state.ts';
import {
  describeDuration,
  describeReasons,
  describeTime,
  describeWrites,
  isWrite,
  nameOf,
} from '../describe.ts';
import { fitLine, widthOfLine, wrapText } from '../fit-line.ts';
import { type Line, type Span, type Style, span } from '../line.ts';
import { loggedError } from '../logged-error.ts';
import { type Section } from './section.ts';

const maxReconciles = 20;
const maxErrorRows = 3;
const indent = ' '.repeat('21:34:20 ✓ '.length);

/** The last reconciles, newest first: result, writes and why each ran. Equal ones in a row are one with a count. */
export function reconcileSection(state: DevState, columns: number, now: Date): Section {
  const hasSeveral = new Set(state.reconciles.map(({ controller }) => controller)).size > 1;
  const lines = grouped(state.reconciles.toReversed())
    .slice(0, maxReconciles)
    .flatMap(({ reconcile, count }) => {
      const name = nameOf(reconcile);
      const title = hasSeveral ? `${reconcile.controller} ${name}` : name;
      return drawReconcile(reconcile, { title, count, columns, now, logs: state.logs });
    });
  return {
    title: [span('RECONCILES', 'bold'), ...describeQueues(state)],
    wanted: Math.max(1, lines.length),
    least: 3,
    draw: (rows) => (lines.length === 0 ? [[span('none yet', 'dim')]] : lines.slice(0, rows)),
  };
}

interface Drawn {
  readonly title: string;
  readonly count: number;
  readonly columns: number;
  readonly now: Date;
  readonly logs: readonly LogState[];
}

function drawReconcile(reconcile: ReconcileState, { title, count, columns, now, logs }: Drawn): Line[] {
  const { symbol, style, text } = outcomeOf(reconcile, now);
  const head: Span[] = [
    span(`${describeTime(new Date(reconcile.startedAt))} `, 'dim'),
    span(`${symbol} `, style),
    span(title, 'bold'),
    ...(count > 1 ? [span(` ×${count}`, 'yellow')] : []),
    span(`  ${text}`, reconcile.result?.outcome === 'error' ? 'red' : undefined),
  ];
  if (reconcile.result !== undefined) head.push(span(`  ${describeWrites(reconcile.requests)}`));
  const reasons = `← ${describeReasons(reconcile)}`;
  const withReasons = [...head, span(`  ${reasons}`, 'dim')];
  const error = errorLines(reconcile, columns, logs);
  // One that changed nothing is not worth a second row.
  const isShort = !reconcile.requests.some(isWrite) || widthOfLine(withReasons) <= columns;
  if (error.length === 0 && isShort) return [fitLine(withReasons, columns)];
  return [fitLine(head, columns), ...error, fitLine([span(indent), span(reasons, 'dim')], columns)];
}

function outcomeOf(
  { result, startedAt, duration = 0 }: ReconcileState,
  now: Date,
): { symbol: string; style: Style; text: string } {
  if (result === undefined) {
    const seconds = Math.max(0, (now.getTime() - Date.parse(startedAt)) / 1000);
    return { symbol: '…', style: 'yellow', text: `runs for ${Math.floor(seconds)} s` };
  }
  const time = describeDuration(duration);
  if (result.outcome === 'done') return { symbol: '✓', style: 'green', text: time };
  if (result.outcome === 'requeue') {
    return { symbol: '↻', style: 'cyan', text: `${time}, again in ${describeDuration(result.after)}` };
  }
  if (result.outcome === 'interrupted') {
    return { symbol: '–', style: 'dim', text: `${time}, interrupted` };
  }
  const { attempt, retryAfter } = result;
  const next = retryAfter === undefined ? 'not tried again' : `next in ${describeDuration(retryAfter)}`;
  return { symbol: '✗', style: 'red', text: `${time}, attempt ${attempt}, ${next}` };
}

function errorLines({ id, result }: ReconcileState, columns: number, logs: readonly LogState[]): Line[] {
  if (result?.outcome !== 'error') return [];
  const location = locationOf(result.error, id, logs);
  return [
    ...wrapText(result.error, { columns, indent, style: 'red', maxLines: maxErrorRows }),
    ...(location === undefined ? [] : [fitLine([span(indent), span(`at ${location}`, 'bold')], columns)]),
  ];
}

/** Where the author's code threw an error. The log has that only when it is not the error of the attempt before. */
function locationOf(error: string, id: string, logs: readonly LogState[]): string | undefined {
  const index = logs.findLastIndex(({ level, reconcile }) => level === 'error' && reconcile === id);
  const same = logs.slice(0, index + 1).findLast(({ level, fields: { err } }) => {
    return level === 'error' && typeof err === 'object' && (err as Error | null)?.message === error;
  });
  return same && loggedError(same)?.location;
}

/** Adjacent reconciles that a reader cannot tell apart: attempts that fail in the same way are. */
function grouped(reconciles: readonly ReconcileState[]): { reconcile: ReconcileState; count: number }[] {
  const groups: { reconcile: ReconcileState; count: number; key: string }[] = [];
  for (const reconcile of reconciles) {
    const { controller, reasons, requests, result } = reconcile;
    const error = result?.outcome === 'error' ? result.error : '';
    const writes = describeWrites(requests);
    const causes = reasons.map((reason) => reason.replace(/^attempt \d+ /, 'attempt '));
    const key = JSON.stringify([controller, nameOf(reconcile), causes, result?.outcome, error, writes]);
    const last = groups.at(-1);
    if (last?.key === key && result !== undefined) last.count++;
    else groups.push({ reconcile, count: 1, key });
  }
  return groups;
}

/** Such as `2 waiting, 1 held`. */
function describeQueues({ queues }: DevState): Span[] {
  const entries = queues.flatMap((queue) => queue.entries);
  const count = (...states: readonly string[]): number =>
    entries.filter(({ state }) => states.includes(state)).length;
  const texts = (
    [
      [count('ready'), 'waiting', 'dim'],
      [count('held'), 'held', 'yellow'],
      [count('backoff'), 'in backoff', 'red'],
      [count('requeue'), 'due later', 'dim'],
    ] as const
  ).filter(([number]) => number > 0);
  return texts.flatMap(([number, name, style], index) => [
    span(index === 0 ? '  ' : ', '),
    span(`${number} ${name}`, style),
  ]);
}
