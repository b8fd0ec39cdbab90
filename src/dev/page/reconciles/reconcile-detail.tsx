import type { ReconcileState } from '../../model/dev-state.ts';
import { nameOf } from '../objects/session-index.ts';
import { formatDuration } from '../parts/format-time.ts';
import { Clock, RequestName } from '../parts/links.tsx';
import { CodeMark, SourceText } from '../parts/request-parts.tsx';
import { Table } from '../parts/table.tsx';
import { hrefOf } from '../route.ts';
import type { ViewProps } from '../view-props.ts';
import { LogTable, linesAbout } from '../views/log-table.tsx';
import { Outcome } from './outcome.tsx';

/** Everything about one reconcile. */
export function ReconcileDetail(props: ViewProps & { reconcile: ReconcileState }) {
  const { index, reconcile, route } = props;
  const { id, startedAt, waited, duration, reasons, requests } = reconcile;
  return (
    <>
      <p>
        <a href={hrefOf('reconciles', undefined, route.filters)}>All reconciles</a>
      </p>
      <h2>
        Reconcile of <RequestName of={reconcile} object={index.objectOf(reconcile)} />
      </h2>
      <p>
        <Outcome reconcile={reconcile} />
      </p>
      <p>
        Started at <Clock at={startedAt} />, waited {formatDuration(waited)}
        {duration !== undefined && `, took ${formatDuration(duration)}`}.{' '}
        <span class="muted">
          Controller {reconcile.controller}, ID <code>{id}</code>
        </span>
      </p>
      <h3>Why it ran</h3>
      <ul>
        {reasons.map((reason) => (
          <li key={reason}>{reason}</li>
        ))}
      </ul>
      <h3>Requests</h3>
      <Table
        caption="Requests of the reconcile, in order"
        headings={['Verb', 'Resource', 'Object', 'From', 'Status', 'Took']}
        empty="It read and wrote nothing."
      >
        {requests.map((request, position) => (
          <tr key={position}>
            <th scope="row">{request.verb}</th>
            <td>{request.resource}</td>
            <td>
              {request.name === undefined ? request.namespace : nameOf({ ...request, name: request.name })}
            </td>
            <td>
              <SourceText from={request.from} />
            </td>
            <td>
              <CodeMark code={request.code} />
            </td>
            <td class="number">{formatDuration(request.duration)}</td>
          </tr>
        ))}
      </Table>
      <h3>Events and logs</h3>
      <LogTable {...props} lines={linesAbout(props, { reconcile: id })} />
    </>
  );
}
