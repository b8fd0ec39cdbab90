import type { DevChange } from './dev-change.ts';
import type { DevState } from './dev-state.ts';

/** How many of each are kept: older ones make room. */
export const limits = { reconciles: 500, requests: 500, events: 200, logs: 1000 } as const;

/**
 * The state after a change. Used by the session, and by the page for the changes that it receives.
 *
 * @returns a new state that shares what did not change
 */
export function applyChange(state: DevState, change: DevChange): DevState {
  switch (change.type) {
    case 'object':
      return { ...state, objects: { ...state.objects, [change.value.uid]: change.value } };
    case 'forget': {
      const { [change.value]: _, ...objects } = state.objects;
      return { ...state, objects };
    }
    case 'reconcile':
      return { ...state, reconciles: withReconcile(state.reconciles, change.value) };
    case 'request':
      return { ...state, requests: last([...state.requests, change.value], limits.requests) };
    case 'event':
      return { ...state, events: withEvent(state.events, change.value) };
    case 'log':
      return { ...state, logs: last([...state.logs, change.value], limits.logs) };
    default:
      return { ...state, [change.type]: change.value };
  }
}

function withReconcile(
  reconciles: DevState['reconciles'],
  value: DevState['reconciles'][number],
): DevState['reconciles'] {
  const index = reconciles.findLastIndex(({ id }) => id === value.id);
  return index === -1 ? last([...reconciles, value], limits.reconciles) : reconciles.with(index, value);
}

/** An event that repeats is the last one again. */
function withEvent(events: DevState['events'], value: DevState['events'][number]): DevState['events'] {
  return last([...events.filter(({ name }) => name !== value.name), value], limits.events);
}

function last<Item>(items: readonly Item[], limit: number): readonly Item[] {
  return items.length > limit ? items.slice(-limit) : items;
}
