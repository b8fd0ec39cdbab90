import { limits } from '../../model/apply-change.ts';
import type { DevState, ObjectState, ReconcileState } from '../../model/dev-state.ts';
import { compareNames, nameOf } from '../objects/session-index.ts';
import { setFilter } from '../route.ts';
import type { ViewProps } from '../view-props.ts';
import { outcomeOf } from './outcome.tsx';
import { ReconcileDetail } from './reconcile-detail.tsx';
import { ReconcileTable } from './reconcile-table.tsx';
import { Timeline } from './timeline.tsx';

const spans = { '60': 'the last minute', '600': 'the last 10 minutes', '': 'all that is kept' } as const;

export function ReconcilesView(props: ViewProps) {
  const { state, index, route, now } = props;
  if (route.id !== undefined) {
    const reconcile = state.reconciles.find(({ id }) => id === route.id);
    return reconcile ? (
      <ReconcileDetail {...props} reconcile={reconcile} />
    ) : (
      <p>The session does not know this reconcile any longer. It keeps the last {limits.reconciles}.</p>
    );
  }
  const { object = '', outcome = '', span = '' } = route.filters;
  const reconciles = state.reconciles.filter(
    (reconcile) =>
      (object === '' || index.objectOf(reconcile)?.uid === object) &&
      (outcome === '' || outcomeOf(reconcile) === outcome),
  );
  const from = span === '' ? startOf(reconciles, now) : now - Number(span) * 1000;
  return (
    <>
      <p class="filters">
        <ObjectFilter {...props} objects={reconciledObjects(props)} />
        <label>
          Result{' '}
          <select
            value={outcome}
            onChange={({ currentTarget }) => setFilter(route, 'outcome', currentTarget.value)}
          >
            <option value="">all</option>
            <option value="error">errors</option>
            <option value="requeue">again later</option>
            <option value="done">done</option>
            <option value="running">running</option>
          </select>
        </label>
        <label>
          Timeline of{' '}
          <select
            value={span}
            onChange={({ currentTarget }) => setFilter(route, 'span', currentTarget.value)}
          >
            {Object.entries(spans).map(([value, text]) => (
              <option key={value} value={value}>
                {text}
              </option>
            ))}
          </select>
        </label>
      </p>
      {reconciles.length > 0 && (
        <Timeline reconciles={reconciles} from={from} to={Math.max(now, from + 1000)} />
      )}
      <ReconcileTable {...props} reconciles={reconciles} />
    </>
  );
}

/** Shows one object only. */
export function ObjectFilter({ route, objects }: ViewProps & { objects: readonly ObjectState[] }) {
  return (
    <label>
      Object{' '}
      <select
        value={route.filters.object ?? ''}
        onChange={({ currentTarget }) => setFilter(route, 'object', currentTarget.value)}
      >
        <option value="">all</option>
        {objects.map((object) => (
          <option key={object.uid} value={object.uid}>
            {object.kind} {nameOf(object)}
          </option>
        ))}
      </select>
    </label>
  );
}

function reconciledObjects({ state, index }: { state: DevState; index: ViewProps['index'] }): ObjectState[] {
  return [...new Set(state.reconciles.flatMap((reconcile) => index.objectOf(reconcile) ?? []))].toSorted(
    compareNames,
  );
}

function startOf(reconciles: readonly ReconcileState[], now: number): number {
  const starts = reconciles.map(({ startedAt, waited }) => Date.parse(startedAt) - waited * 1000);
  return starts.reduce((least, start) => Math.min(least, start), now - 10_000);
}
