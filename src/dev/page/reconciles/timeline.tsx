import type { ReconcileState } from '../../model/dev-state.ts';
import { nameOf } from '../objects/session-index.ts';
import { formatDuration } from '../parts/format-time.ts';
import { hrefOf } from '../route.ts';
import { outcomeOf } from './outcome.tsx';

/** Objects with a lane: those that were reconciled last. */
const maxLanes = 12;

/**
 * A lane per object with a bar per reconcile: hatched while it waited, filled while it ran. The table below it says the same, so screen
 * readers and the keyboard skip it.
 *
 * @param from where the time axis starts, in milliseconds
 * @param to where it ends
 */
export function Timeline(props: { reconciles: readonly ReconcileState[]; from: number; to: number }) {
  const { reconciles, from, to } = props;
  const lanes = lanesOf(reconciles.filter((reconcile) => endOf(reconcile, to) >= from));
  const percent = (time: number) => `${Math.max(0, Math.min(100, ((time - from) / (to - from)) * 100))}%`;
  return (
    <div class="timeline" aria-hidden="true">
      {lanes.map(([name, ofLane]) => (
        <div key={name} class="lane">
          <span class="name">{name}</span>
          <span class="track">
            {ofLane.map((reconcile) => {
              const start = Date.parse(reconcile.startedAt);
              const queued = start - reconcile.waited * 1000;
              const width = (first: number, last: number) => `calc(${percent(last)} - ${percent(first)})`;
              return (
                <a
                  key={reconcile.id}
                  tabIndex={-1}
                  href={hrefOf('reconciles', reconcile.id)}
                  title={`${outcomeOf(reconcile)}, ${reconcile.reasons[0] ?? ''}`}
                >
                  <i class="waited" style={{ left: percent(queued), width: width(queued, start) }} />
                  <i
                    class={`ran ${outcomeOf(reconcile)}`}
                    style={{ left: percent(start), width: width(start, endOf(reconcile, to)) }}
                  />
                </a>
              );
            })}
          </span>
        </div>
      ))}
      <div class="lane axis">
        <span class="name" />
        <span class="track">
          <span>{formatDuration((to - from) / 1000)} ago</span>
          <span>{formatDuration((to - from) / 2000)} ago</span>
          <span>now</span>
        </span>
      </div>
    </div>
  );
}

/** A reconcile without a duration still runs. */
function endOf({ startedAt, duration }: ReconcileState, to: number): number {
  return duration === undefined ? to : Date.parse(startedAt) + duration * 1000;
}

function lanesOf(reconciles: readonly ReconcileState[]): [string, ReconcileState[]][] {
  const lanes = new Map<string, ReconcileState[]>();
  for (const reconcile of reconciles.toReversed()) {
    const name = `${reconcile.controller} ${nameOf(reconcile)}`;
    const lane = lanes.get(name);
    if (lane) lane.push(reconcile);
    else if (lanes.size < maxLanes) lanes.set(name, [reconcile]);
  }
  return [...lanes].toSorted(([a], [b]) => a.localeCompare(b, undefined, { numeric: true }));
}
