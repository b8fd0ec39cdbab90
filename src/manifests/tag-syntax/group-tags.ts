import type { Diagnostics } from '../diagnostics/diagnostics.ts';
import { definitionOf } from './registry.ts';
import type { Placement } from './registry.ts';
import { writtenName } from './tag.ts';
import type { Tag } from './tag.ts';

/**
 * Groups the tags of one place by definition and marks them as consumed. Reports a repeated tag that is
 * allowed only once.
 * @returns the tags by the names of their definitions, in source order; tags that have no effect in this
 * place are left out
 */
export function groupTags(
  tags: readonly Tag[],
  placement: Placement,
  diagnostics: Diagnostics,
): ReadonlyMap<string, readonly Tag[]> {
  const groups = new Map<string, readonly Tag[]>();
  for (const tag of tags) {
    const definition = definitionOf(tag);
    if (!definition?.on.includes(placement)) continue;
    tag.consumed = true;
    const isWeak = (other: Tag) => other.form === 'marker' && other.name === definition.yields;
    const same = groups.get(definition.name) ?? [];
    const rivals = same.filter((other) => isWeak(other) === isWeak(tag));
    if (rivals.length > 0 && !definition.repeatable) {
      diagnostics.error(
        tag.source,
        tag.span,
        'repeated-tag',
        `duplicate ${writtenName(tag)}`,
        'keep one of them',
      );
    }
    const stronger = [...same, tag].filter((other) => !isWeak(other));
    groups.set(definition.name, stronger.length > 0 ? stronger : [tag]);
  }
  return groups;
}
