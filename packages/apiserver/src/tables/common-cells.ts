import type { JsonObject } from '../json/json-object.ts';
import { listAt, textAt } from '../json/value-at.ts';
import { humanDuration } from 'ots-apimachinery/human-duration';

/** The age of a time at a path. */
export function ageAt(now: number, value: unknown, ...path: string[]): string {
  const time = Date.parse(textAt(value, ...path));
  return Number.isNaN(time) ? '<unknown>' : humanDuration(now - time);
}

export function nameOf(object: JsonObject): string {
  return textAt(object, 'metadata', 'name');
}

export function ageOf(object: JsonObject, now: number): string {
  return ageAt(now, object, 'metadata', 'creationTimestamp');
}

/** The status of a condition, or empty. */
export function conditionOf(object: JsonObject, type: string): string {
  return textAt(
    listAt(object, 'status', 'conditions').find((condition) => textAt(condition, 'type') === type),
    'status',
  );
}
