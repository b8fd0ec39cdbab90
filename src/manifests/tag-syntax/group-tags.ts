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
    const yieldsToOthers = (other: Tag) => other.form === 'marker' && other.name === definition.yields;
    const same = groups.get(definition.name) ?? [];
    const duplicates = same.filter((other) => yieldsToOthers(other) === yieldsToOthers(tag));
    if (duplicates.length > 0 && !definition.repeatable) {
      diagnostics.error(
        tag.source,
        tag.span,
        'repeated-tag',
        `duplicate ${writtenName(tag)}`,
        'keep one of them',
      );
    }
    const preferred = [...same, tag].filter((other) => !yieldsToOthers(other));
    groups.set(definition.name, preferred.length > 0 ? preferred : [tag]);
  }
  return groups;
}
