import type { ReconcileState } from '../../model/dev-state.ts';
import { formatDuration } from '../parts/format-time.ts';
import { Mark, type Tone } from '../parts/tone.tsx';

export function outcomeOf({
  result,
}: ReconcileState): NonNullable<ReconcileState['result']>['outcome'] | 'running' {
  return result?.outcome ?? 'running';
}

const tones: Readonly<Record<ReturnType<typeof outcomeOf>, Tone>> = {
  running: 'wait',
  done: 'good',
  requeue: 'good',
  error: 'bad',
  interrupted: 'wait',
};

/** What a reconcile returned. */
export function Outcome({ reconcile }: { reconcile: ReconcileState }) {
  return <Mark tone={tones[outcomeOf(reconcile)]}>{textOf(reconcile)}</Mark>;
}

function textOf({ result }: ReconcileState): string {
  if (!result) return 'running';
  if (result.outcome === 'done') return 'done';
  if (result.outcome === 'requeue') return `done, again after ${formatDuration(result.after)}`;
  if (result.outcome === 'interrupted') return 'interrupted';
  const { error, attempt, retryAfter } = result;
  const next = retryAfter === undefined ? 'not tried again' : `again after ${formatDuration(retryAfter)}`;
  return `${error} (attempt ${attempt}, ${next})`;
}
