import type { ObjectState, ReconcileState } from '../../model/dev-state.ts';
import { formatDuration } from '../parts/format-time.ts';
import { ReconcileLink, RequestName } from '../parts/links.tsx';
import { memo } from '../parts/memo.ts';
import { isRead } from '../parts/request-parts.tsx';
import { Table } from '../parts/table.tsx';
import type { ViewProps } from '../view-props.ts';
import { Outcome } from './outcome.tsx';

/** Reconciles, newest first. */
export function ReconcileTable({ index, reconciles }: ViewProps & { reconciles: readonly ReconcileState[] }) {
  return (
    <Table
      caption="Reconciles, newest first"
      headings={['Started', 'Object', 'Trigger', 'Waited', 'Took', 'Requests', 'Result']}
      empty="No reconciles."
    >
      {reconciles.toReversed().map((reconcile) => (
        <ReconcileRow key={reconcile.id} reconcile={reconcile} object={index.objectOf(reconcile)} />
      ))}
    </Table>
  );
}

const ReconcileRow = memo(function draw(props: {
  reconcile: ReconcileState;
  object: ObjectState | undefined;
}) {
  const { reconcile, object } = props;
  const { reasons, waited, duration } = reconcile;
  return (
    <tr>
      <th scope="row">
        <ReconcileLink reconcile={reconcile} />
      </th>
      <td class="wide">
        <RequestName of={reconcile} object={object} />
      </td>
      <td class="wide">
        <div class="clamp">{reasons[0]}</div>
        {reasons.length > 1 && <span class="muted"> and {reasons.length - 1} more</span>}
      </td>
      <td class="number">{formatDuration(waited)}</td>
      <td class="number">{duration === undefined ? '' : formatDuration(duration)}</td>
      <td>{summaryOf(reconcile)}</td>
      <td class="wide">
        <div class="clamp">
          <Outcome reconcile={reconcile} />
        </div>
      </td>
    </tr>
  );
});

/** Such as `2 reads, 1 write, 1 conflict`. */
function summaryOf({ requests }: ReconcileState): string {
  const reads = requests.filter(({ verb }) => isRead(verb)).length;
  const conflicts = requests.filter(({ code }) => code === 409).length;
  const counts = [
    [reads, 'read'],
    [requests.length - reads, 'write'],
    [conflicts, 'conflict'],
  ] as const;
  return counts
    .filter(([count]) => count > 0)
    .map(([count, noun]) => `${count} ${noun}${count === 1 ? '' : 's'}`)
    .join(', ');
}
