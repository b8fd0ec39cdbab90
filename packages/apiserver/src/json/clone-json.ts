import { type JsonObject, setKey } from './json-object.ts';
import { maxRecursion } from './depth.ts';

type Container = unknown[] | JsonObject;

/** An empty copy, and the value that will fill it. */
interface Unfilled {
  readonly copy: Container;
  readonly source: Container;
}

/** A deep copy of a JSON value. Several times as fast as structuredClone, which can do more. */
export function cloneJson<T>(value: T): T;
export function cloneJson(value: unknown): unknown {
  const unfilled: Unfilled[] = [];
  const root = copyOf(value, 0, unfilled);
  for (const { copy, source } of unfilled) fill(copy, source, 0, unfilled);
  return root;
}

/** @param unfilled receives what is too deep for the stack */
function copyOf(value: unknown, depth: number, unfilled: Unfilled[]): unknown {
  if (typeof value !== 'object' || value === null) return value;
  const source = value as Container;
  const copy = Array.isArray(source) ? [] : {};
  if (depth < maxRecursion) fill(copy, source, depth, unfilled);
  else unfilled.push({ copy, source });
  return copy;
}

function fill(copy: Container, source: Container, depth: number, unfilled: Unfilled[]): void {
  if (Array.isArray(source)) {
    for (const item of source) (copy as unknown[]).push(copyOf(item, depth + 1, unfilled));
  } else {
    for (const key of Object.keys(source))
      setKey(copy as JsonObject, key, copyOf(source[key], depth + 1, unfilled));
  }
}
