import type { Diagnostics } from '../diagnostics/diagnostics.ts';
import type { Module } from '../source/module.ts';
import { definitionOf, hintFor, isDistinctive, isDocumentationTag } from './registry.ts';
import type { Placement } from './registry.ts';
import { writtenName } from './tag.ts';
import type { Tag } from './tag.ts';

const placeNames: readonly (readonly [places: readonly Placement[], text: string])[] = [
  [['type', 'field'], 'the comment of a type that a kind uses, or of one of its properties'],
  [['type'], 'the comment of a type that a kind uses'],
  [['field'], 'the comment of a property of a type that a kind uses'],
  [['kind'], 'the comment of the interface of a kind'],
  [['file'], 'a comment of a file that declares kinds'],
  [['anywhere'], 'a comment'],
];

/**
 * Reports the tags that had no effect: misspelled tags, and known tags in the wrong place. Skips
 * documentation tags and, outside API types, names that other tools also use.
 * @param isApi whether types of this file became part of a schema
 * @param isComplete whether every type that a kind names was found. If not, a tag in the right place may be
 * unused only because of that, and is not reported.
 */
export function reportLeftovers(
  module: Module,
  { isApi, isComplete }: { isApi: boolean; isComplete: boolean },
  diagnostics: Diagnostics,
): void {
  for (const tag of module.tags) {
    if (tag.consumed) continue;
    const inApiType =
      isApi && module.typeSpans.some(({ start, end }) => start <= tag.span.start && tag.span.start < end);
    if (inApiType ? isDocumentation(tag) : !isDistinctive(tag)) continue;
    const definition = definitionOf(tag);
    if (definition) {
      if (!isComplete && placesOf(tag, module).some((place) => definition.on.includes(place))) continue;
      diagnostics.error(
        tag.source,
        tag.span,
        'misplaced-tag',
        `${writtenName(tag)} has no effect here`,
        definition.elsewhere ?? `it belongs in ${describePlaces(definition.on)}`,
      );
    } else {
      diagnostics.error(
        tag.source,
        tag.span,
        'unknown-tag',
        `unknown tag ${writtenName(tag)}`,
        hintFor(tag) ?? 'if it is prose, put it in backticks',
      );
    }
  }
}

/** Returns where a tag would be in effect if a kind used the type that it is about. */
function placesOf(tag: Tag, module: Module): Placement[] {
  if ([...module.types.values()].some(({ doc }) => doc.tags.includes(tag))) return ['kind', 'type'];
  const { start } = tag.span;
  return module.typeSpans.some((span) => span.start <= start && start < span.end) ? ['field'] : [];
}

function describePlaces(places: readonly Placement[]): string {
  const texts: string[] = [];
  let left = places;
  for (const [described, text] of placeNames) {
    if (!described.every((place) => left.includes(place))) continue;
    texts.push(text);
    left = left.filter((place) => !described.includes(place));
  }
  return texts.join(', or in ');
}

/**
 * Within API types, a tag that ots defines counts even if documentation tools also have it, except for the
 * ones that are valid in any comment.
 */
function isDocumentation(tag: Tag): boolean {
  if (tag.form === 'marker' || !isDocumentationTag(tag.name)) return false;
  return !definitionOf(tag) || tag.name === 'deprecated' || tag.name === 'example';
}
