import { Fragment } from 'preact';
import type { EventState, LogState, ObjectState, ReconcileState } from '../../model/dev-state.ts';
import { Clock, ReconcileLink } from '../parts/links.tsx';
import { memo } from '../parts/memo.ts';
import { Table } from '../parts/table.tsx';
import { Mark, type Tone } from '../parts/tone.tsx';
import { hrefOf } from '../route.ts';
import type { ViewProps } from '../view-props.ts';

/** An event or a line of the log. */
export type LogLine = { readonly event: EventState } | { readonly log: LogState };

/** The events and lines that a reader asked for, oldest first. */
export function linesAbout(
  { state, index }: Pick<ViewProps, 'state' | 'index'>,
  { object, reconcile, level }: { object?: string; reconcile?: string; level?: string },
): LogLine[] {
  const wanted = state.reconciles.filter(
    (each) =>
      (reconcile === undefined || each.id === reconcile) &&
      (object === undefined || index.objectOf(each)?.uid === object),
  );
  const ids = new Set(wanted.map(({ id }) => id));
  const recorded = new Set(wanted.flatMap(({ events: names }) => names));
  const isAll = reconcile === undefined && object === undefined;
  const isAbout = ({ name, regarding }: EventState) =>
    isAll || recorded.has(name) || (reconcile === undefined && regarding === object);
  const isOf = ({ reconcile: of }: LogState) => isAll || (of !== undefined && ids.has(of));
  const levels = ['debug', 'info', 'warn', 'error'];
  const isLoud = (of: string) => level === undefined || levels.indexOf(of) >= levels.indexOf(level);
  const events = state.events.filter(
    (event) => isAbout(event) && isLoud(event.type === 'Warning' ? 'warn' : 'info'),
  );
  const logs = state.logs.filter((log) => isOf(log) && isLoud(log.level));
  return [...events.map((event) => ({ event })), ...logs.map((log) => ({ log }))].toSorted((a, b) =>
    atOf(a) < atOf(b) ? -1 : Number(atOf(a) > atOf(b)),
  );
}

function atOf(line: LogLine): string {
  return 'event' in line ? line.event.at : line.log.at;
}

/** Events and lines of the log, newest first. */
export function LogTable({ state, lines }: ViewProps & { lines: readonly LogLine[] }) {
  const reconciles = new Map(state.reconciles.map((each) => [each.id, each]));
  // The last one that recorded it.
  const recorders = new Map(state.reconciles.flatMap((each) => each.events.map((name) => [name, each])));
  return (
    <Table
      class="log"
      caption="Events and log lines, newest first"
      headings={['Time', 'Kind', 'Text', 'Reconcile']}
      empty="Nothing was recorded or logged."
    >
      {lines.toReversed().map((line, position) => {
        const key = `${atOf(line)} ${lines.length - position}`;
        return 'event' in line ? (
          <EventRow
            key={key}
            event={line.event}
            object={state.objects[line.event.regarding]}
            reconcile={recorders.get(line.event.name)}
          />
        ) : (
          <LogRow key={key} log={line.log} reconcile={reconciles.get(line.log.reconcile ?? '')} />
        );
      })}
    </Table>
  );
}

const EventRow = memo(function draw(props: {
  event: EventState;
  object: ObjectState | undefined;
  reconcile: ReconcileState | undefined;
}) {
  const { event, object, reconcile } = props;
  return (
    <tr>
      <th scope="row">
        <Clock at={event.at} />
      </th>
      <td>
        <Mark tone={event.type === 'Warning' ? 'bad' : 'plain'}>{event.type} event</Mark>
      </td>
      <td>
        {object ? <a href={hrefOf('objects', object.uid)}>{event.object}</a> : event.object}{' '}
        <strong>{event.reason}</strong> {event.message}
        {event.count > 1 && <span class="muted"> ({event.count} times)</span>}
      </td>
      <td>{reconcile && <ReconcileLink reconcile={reconcile} />}</td>
    </tr>
  );
});

const tones: Readonly<Record<LogState['level'], Tone>> = {
  debug: 'plain',
  info: 'plain',
  warn: 'wait',
  error: 'bad',
};

const LogRow = memo(function draw(props: { log: LogState; reconcile: ReconcileState | undefined }) {
  const { log, reconcile } = props;
  return (
    <tr>
      <th scope="row">
        <Clock at={log.at} />
      </th>
      <td>
        <Mark tone={tones[log.level]}>{log.level}</Mark>
      </td>
      <td>
        {log.message}
        {Object.entries(log.fields).map(([name, value]) => (
          <Fragment key={name}>
            {' '}
            <span class="column">
              <span class="muted">{name}</span> {typeof value === 'string' ? value : JSON.stringify(value)}
            </span>
          </Fragment>
        ))}
      </td>
      <td>{reconcile && <ReconcileLink reconcile={reconcile} />}</td>
    </tr>
  );
});
