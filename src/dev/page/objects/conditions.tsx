import type { ConditionState, ObjectState } from '../../model/dev-state.ts';
import { Mark, type Tone } from '../parts/tone.tsx';

/** Conditions that are bad news when they are True. */
const negative =
  /^(?:.*Failure|Failed|Degraded|Stalled|.*Pressure|.*Unavailable|.*NotReady|DisruptionTarget)$/;
/** Conditions that are bad news when they are False. */
const positive =
  /^(?:Ready|Available|Complete|Succeeded|Established|Initialized|Healthy|Synced|.*Ready|PodScheduled|NamesAccepted)$/;

function toneOf({ type, status }: ConditionState): Tone {
  if (status === 'Unknown') return 'wait';
  if (negative.test(type)) return status === 'True' ? 'bad' : 'good';
  if (positive.test(type)) return status === 'True' ? 'good' : 'bad';
  return 'plain';
}

/** A condition in a few words: its type, its status unless the type says all, and why. */
export function ConditionMark({ condition }: { condition: ConditionState }) {
  const { type, status, reason } = condition;
  const isGood = toneOf(condition) === 'good' && status === 'True';
  return (
    <Mark tone={toneOf(condition)}>
      {isGood ? type : `${type}=${status}`}
      {!isGood && reason ? `: ${reason}` : ''}
    </Mark>
  );
}

const rank: Readonly<Record<Tone, number>> = { bad: 0, wait: 1, good: 2, plain: 3 };

const maxShown = 2;

/** What matters most of an object: its end, or its worst conditions. */
export function ObjectStatus({ object }: { object: ObjectState }) {
  if (object.isGone) return <Mark tone="plain">Gone</Mark>;
  const conditions = object.conditions.toSorted((a, b) => rank[toneOf(a)] - rank[toneOf(b)]);
  const telling = conditions.filter((condition, position) => position === 0 || toneOf(condition) !== 'plain');
  const shown = telling.slice(0, maxShown);
  return (
    <>
      {object.deletedAt !== undefined && <Mark tone="wait">Terminating</Mark>}
      {shown.map((condition) => (
        <ConditionMark key={condition.type} condition={condition} />
      ))}
      {conditions.length > shown.length && (
        <span class="muted" title={conditions.map(({ type, status }) => `${type}=${status}`).join(', ')}>
          +{conditions.length - shown.length}
        </span>
      )}
    </>
  );
}
