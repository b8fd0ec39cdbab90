import { type JsonObject, getKey, isObject } from '../json/json-object.ts';
import { humanDuration } from './human-duration.ts';

/** The value at a path, whatever it is. Stored objects may lack anything. */
export function at(value: unknown, ...path: string[]): unknown {
  return path.reduce<unknown>((inner, key) => (isObject(inner) ? getKey(inner, key) : undefined), value);
}

export function objectAt(value: unknown, ...path: string[]): JsonObject {
  const found = at(value, ...path);
  return isObject(found) ? found : {};
}

export function listAt(value: unknown, ...path: string[]): unknown[] {
  const found = at(value, ...path);
  return Array.isArray(found) ? found : [];
}

/** A text, or a number as one; empty when there is none. */
export function textAt(value: unknown, ...path: string[]): string {
  const found = at(value, ...path);
  return typeof found === 'string' || typeof found === 'number' ? `${found}` : '';
}

export function numberAt(value: unknown, ...path: string[]): number {
  const found = at(value, ...path);
  return typeof found === 'number' ? found : 0;
}

/** How long ago the time at a path is. */
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
