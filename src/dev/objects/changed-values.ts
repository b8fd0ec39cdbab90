import type { ChangeState } from '../model/dev-state.ts';

/** How many fields of a change are listed, and how long the text of a value may be. */
const maxFields = 50;
const maxLength = 2000;

/** What every write changes. */
const noise = new Set(['metadata.resourceVersion', 'metadata.generation', 'metadata.managedFields']);

/** The fields in which two states of an object differ. */
export function changedValues(before: unknown, after: unknown): Pick<ChangeState, 'fields' | 'more'> {
  const all: ChangeState['fields'][number][] = [];
  collect('', before, after, all);
  return { fields: all.slice(0, maxFields), more: Math.max(0, all.length - maxFields) };
}

function collect(
  path: string,
  before: unknown,
  after: unknown,
  found: ChangeState['fields'][number][],
): void {
  if (before === after || noise.has(path)) return;
  if (isRecord(before) && isRecord(after)) {
    for (const key of new Set([...Object.keys(before), ...Object.keys(after)]))
      collect(`${path}${segment(key, path)}`, before[key], after[key], found);
  } else if (Array.isArray(before) && Array.isArray(after)) {
    for (let index = 0; index < Math.max(before.length, after.length); index += 1)
      collect(`${path}[${index}]`, before[index], after[index], found);
  } else {
    found.push({
      path,
      ...(before !== undefined && { before: bounded(before) }),
      ...(after !== undefined && { after: bounded(after) }),
    });
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function segment(key: string, path: string): string {
  if (!/^[\w-]+$/.test(key)) return `[${JSON.stringify(key)}]`;
  return path === '' ? key : `.${key}`;
}

/** Long values become the beginning of their JSON. */
function bounded(value: unknown): unknown {
  const text = JSON.stringify(value);
  return text.length > maxLength ? `${text.slice(0, maxLength)}…` : value;
}
