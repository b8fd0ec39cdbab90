import { isObject } from './json-object.ts';
import { maxDepth } from './depth-limits.ts';

/** Whether a JSON value is nested too deeply. Works without recursion, so nesting cannot exhaust the stack. */
export function nestsTooDeep(value: unknown, limit = maxDepth): boolean {
  let level = [value].filter(isContainer);
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth === limit) return true;
    level = level.flatMap(itemsOf);
  }
  return false;
}

function itemsOf(container: object): object[] {
  const items: unknown[] = Array.isArray(container) ? container : Object.values(container);
  return items.filter(isContainer);
}

function isContainer(value: unknown): value is object {
  return Array.isArray(value) || isObject(value);
}
