import type { Schema } from '../schema/schema.ts';
import type { Report } from './finding.ts';

/** Compares how lists and maps are merged, and what makes their items unique. */
export function compareLists(before: Schema, after: Schema, report: Report): void {
  if (before.type === 'array' && after.type === 'array') compareListTypes(before, after, report);
  if (before.type === 'object' && after.type === 'object') compareMapTypes(before, after, report);
}

function compareListTypes(before: Schema, after: Schema, report: Report): void {
  const old = before['x-kubernetes-list-type'] ?? 'atomic';
  const now = after['x-kubernetes-list-type'] ?? 'atomic';
  if (old !== now) {
    const effect =
      now === 'atomic'
        ? 'an apply of some items replaces the items of other field managers'
        : 'duplicate items are rejected, and an apply merges';
    report(
      'list-type-changed',
      `the list type was ${old}, and is ${now}; ${effect}`,
      `keep @listType ${old}`,
    );
    return;
  }
  const oldKeys = keysOf(before);
  if (oldKeys === keysOf(after)) return;
  report(
    'list-map-keys-changed',
    `the keys of the list were ${oldKeys}, and are ${keysOf(after)}; items match differently`,
    'keep each @listMapKey',
  );
}

function keysOf(schema: Schema): string {
  return (schema['x-kubernetes-list-map-keys'] ?? []).toSorted().join(', ') || 'none';
}

function compareMapTypes(before: Schema, after: Schema, report: Report): void {
  const old = before['x-kubernetes-map-type'] ?? 'granular';
  const now = after['x-kubernetes-map-type'] ?? 'granular';
  if (old === now) return;
  const effect =
    now === 'atomic'
      ? 'an apply of some fields replaces the fields of other field managers'
      : 'fields without a field manager stay';
  report('map-type-changed', `the map type was ${old}, and is ${now}; ${effect}`, `keep @mapType ${old}`);
}
