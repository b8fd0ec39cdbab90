import { compareNames } from '../objects/session-index.ts';
import { ObjectFilter } from '../reconciles/reconciles-view.tsx';
import { hrefOf, setFilter } from '../route.ts';
import type { ViewProps } from '../view-props.ts';
import { LogTable, linesAbout } from './log-table.tsx';

/** Events and logs, joined by the reconcile that they belong to. */
export function LogView(props: ViewProps) {
  const { state, route } = props;
  const { reconcile, level = '' } = route.filters;
  const objects = Object.values(state.objects).toSorted(compareNames);
  return (
    <>
      <p class="filters">
        <ObjectFilter {...props} objects={objects} />
        <label>
          At least{' '}
          <select
            value={level}
            onChange={({ currentTarget }) => setFilter(route, 'level', currentTarget.value)}
          >
            <option value="">debug</option>
            <option value="info">info</option>
            <option value="warn">warn</option>
            <option value="error">error</option>
          </select>
        </label>
        {reconcile !== undefined && (
          <span>
            Only of the reconcile <a href={hrefOf('reconciles', reconcile)}>{reconcile}</a>{' '}
            <button type="button" onClick={() => setFilter(route, 'reconcile', '')}>
              Show all
            </button>
          </span>
        )}
      </p>
      <LogTable {...props} lines={linesAbout(props, route.filters)} />
    </>
  );
}
