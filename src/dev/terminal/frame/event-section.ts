import type { DevState, EventState, LogState } from '../../model/dev-state.ts';
import { describeTime } from '../describe.ts';
import { fitLine, wrapText } from '../fit-line.ts';
import { type Line, span } from '../line.ts';
import { loggedError } from '../logged-error.ts';
import { type Section } from './section.ts';

const maxEntries = 20;
/** Pods have many. */
const maxNormalEvents = 3;
const maxErrorRows = 3;
const indent = ' '.repeat('21:34:20 ! '.length);

/** Warnings, the last other events, and errors in the log that are not those of a reconcile; newest first. */
export function eventSection(state: DevState, columns: number): Section | undefined {
  const failed = new Set(
    state.reconciles.filter(({ result }) => result?.outcome === 'error').map(({ id }) => id),
  );
  const errors = state.logs.filter(
    ({ level, reconcile }) => level === 'error' && (reconcile === undefined || !failed.has(reconcile)),
  );
  const warnings = state.events.filter(({ type }) => type === 'Warning');
  const others = state.events.filter(({ type }) => type !== 'Warning');
  const entries = [
    ...[...warnings, ...others.slice(-maxNormalEvents)].map((event) => ({
      at: Date.parse(event.at),
      draw: () => drawEvent(event, columns),
    })),
    ...errors.map((log) => ({ at: Date.parse(log.at), draw: () => drawLog(log, columns) })),
  ];
  if (entries.length === 0) return undefined;
  const lines = entries
    .toSorted((a, b) => b.at - a.at)
    .slice(0, maxEntries)
    .flatMap(({ draw }) => draw());
  return {
    title: [span('EVENTS AND ERRORS', 'bold')],
    wanted: lines.length,
    least: 2,
    draw: (rows) => lines.slice(0, rows),
  };
}

function drawEvent({ at, type, object, reason, message, count }: EventState, columns: number): Line[] {
  const isWarning = type === 'Warning';
  const line = [
    span(`${describeTime(new Date(at))} `, 'dim'),
    span(isWarning ? '! ' : '  ', 'yellow'),
    span(reason, isWarning ? 'yellow' : 'dim'),
    ...(count > 1 ? [span(` ×${count}`, 'yellow')] : []),
    span(`  ${object}: ${message}`, isWarning ? undefined : 'dim'),
  ];
  return [fitLine(line, columns)];
}

function drawLog(log: LogState, columns: number): Line[] {
  const error = loggedError(log);
  const text = error === undefined ? log.message : `${log.message}: ${error.message}`;
  const [first = [], ...others] = wrapText(text, { columns, indent, style: 'red', maxLines: maxErrorRows });
  return [
    [span(`${describeTime(new Date(log.at))} `, 'dim'), span('✗ ', 'red'), ...first.slice(1)],
    ...others,
    ...(error?.location === undefined
      ? []
      : [fitLine([span(indent), span(`at ${error.location}`, 'bold')], columns)]),
  ];
}
