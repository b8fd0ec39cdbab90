import type { ObjectState } from '../model/dev-state.ts';
import { columnsBeside, describeCondition, healthOf, healthStyles, nameOf } from './describe.ts';
import { type Span, span } from './line.ts';

/**
 * Whether a reader sees a difference between two states of an object.
 *
 * @param before undefined when the object is new
 */
export function hasChanged(object: ObjectState, before: ObjectState | undefined): boolean {
  if (before === undefined || before.isGone !== object.isGone) return true;
  if (object.isGone) return false;
  return (
    isDeletionNew(object, before) ||
    textOfColumns(object) !== textOfColumns(before) ||
    newConditions(object, before).length > 0
  );
}

/** An object with its printer columns, and the conditions that changed. */
export function describeChange(object: ObjectState, before: ObjectState | undefined): Span[] {
  const title = `${object.kind} ${nameOf(object)}`;
  if (object.isGone) return [span(`${title} is gone`)];
  const finalizers = object.finalizers.length === 0 ? '' : `, waits for ${object.finalizers.join(', ')}`;
  const conditions = newConditions(object, before);
  return [
    span(isDeletionNew(object, before) ? `${title} is being deleted${finalizers}` : title),
    ...columnsBeside(object).map(({ name, value }) => span(`${name} ${value}`)),
    ...conditions.map((condition) => span(describeCondition(condition), healthStyles[healthOf(condition)])),
  ];
}

function isDeletionNew(object: ObjectState, before: ObjectState | undefined): boolean {
  return object.deletedAt !== undefined && before?.deletedAt === undefined;
}

function textOfColumns(object: ObjectState): string {
  return JSON.stringify(columnsBeside(object));
}

function newConditions(object: ObjectState, before: ObjectState | undefined): ObjectState['conditions'] {
  const old = new Set(before?.conditions.map((condition) => describeCondition(condition)));
  return object.conditions.filter((condition) => !old.has(describeCondition(condition)));
}
