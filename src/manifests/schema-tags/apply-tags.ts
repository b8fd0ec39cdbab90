import type { Diagnostics } from '../diagnostics/diagnostics.ts';
import { groupTags } from '../tag-syntax/group-tags.ts';
import type { Placement } from '../tag-syntax/registry.ts';
import { valueSpan, writtenName } from '../tag-syntax/tag.ts';
import type { Tag } from '../tag-syntax/tag.ts';
import { addOneOfRules } from './add-one-of-rules.ts';
import { addRules } from './add-rules.ts';
import { applyListTags } from './merge-strategy-tags.ts';
import { marksKey } from '../schema/field-marks.ts';
import { makeNullable } from '../schema/schema.ts';
import type { Schema } from '../schema/schema.ts';
import { setImmutable } from './set-immutable.ts';
import { constraintEffects, otherEffects, shapeEffects } from './tag-effects.ts';
import type { Effects } from './tag-effects.ts';

/** Reports what is wrong with one tag. */
export type Fail = (message: string, hint?: string) => void;

/** What a tag may need to know beside the schema. */
export interface TagContext {
  readonly diagnostics: Diagnostics;
  /** Whether the property has a `?`. */
  readonly optional: boolean;
  /** Where the tag is. */
  readonly placement: Placement;
}

type Groups = ReadonlyMap<string, readonly Tag[]>;
/**
 * Adds the constraints from the tags of a field or a declared type to a schema.
 * @param schema is not changed, because other fields may share it
 * @param optional whether the field has a `?`
 * @returns the new schema; a tag that cannot be applied is reported and left out
 */
export function applyTags(
  schema: Schema,
  tags: readonly Tag[],
  placement: Placement,
  diagnostics: Diagnostics,
  optional = false,
): Schema {
  const groups = groupTags(tags, placement, diagnostics);
  const { [marksKey]: marks, ...rest } = schema;
  // Marks belong to one property. A type taken from it (`Spec['name']`) does not have them.
  const result: Schema = marks && placement !== 'field' ? { ...rest, [marksKey]: marks } : rest;
  return applyTagGroups(result, groups, { diagnostics, optional, placement });
}

/** Does the same for tags that are already grouped. */
export function applyTagGroups(schema: Schema, groups: Groups, context: TagContext): Schema {
  const result = { ...schema };
  const failFor =
    (tag: Tag): Fail =>
    (message, hint) =>
      context.diagnostics.error(
        tag.source,
        valueSpan(tag),
        'tag-value',
        `${writtenName(tag)} ${message}`,
        hint,
      );
  const apply = (effects: Effects) => {
    for (const [name, effect] of effects) {
      for (const tag of groups.get(name) ?? []) effect(result, tag, failFor(tag), context);
    }
  };
  apply(shapeEffects);
  applyItemTags(result, groups, failFor, context);
  apply(constraintEffects);
  applyListTags(result, groups, failFor);
  apply(otherEffects);
  addRules(result, bySource(groups.get('validation'), groups.get('cel')), failFor);
  for (const tag of groups.get('immutable') ?? []) setImmutable(result, tag, failFor(tag));
  addOneOfRules(result, groups, failFor);
  return result.nullable ? makeNullable(result) : result;
}

/** Applies the tags for the items of a list. The prefix `items.items.` reaches the items of nested lists. */
function applyItemTags(
  schema: Schema,
  groups: Groups,
  failFor: (tag: Tag) => Fail,
  context: TagContext,
): void {
  for (const [name, effect] of [...shapeEffects, ...constraintEffects]) {
    for (const tag of groups.get(`items.${name}`) ?? []) {
      const items = itemsFor(schema, tag, failFor(tag));
      if (!items) continue;
      effect(items, tag, failFor(tag), context);
      if (items.nullable) Object.assign(items, makeNullable(items));
    }
  }
  for (const tag of bySource(groups.get('items.validation'), groups.get('items.cel')).toReversed()) {
    const items = itemsFor(schema, tag, failFor(tag));
    if (items) addRules(items, [tag], failFor);
  }
}

/** Returns the schema of the items that a tag is about, after replacing the shared one with a copy. */
function itemsFor(schema: Schema, tag: Tag, fail: Fail): Schema | undefined {
  let current = schema;
  for (const _ of tag.name.matchAll(/(?:^|:)items(?=[.:])|(?<=\.)items(?=\.)/g)) {
    if (current.type !== 'array' || !current.items) {
      fail('is for the items of lists, and this is not a list', 'remove `items`, or write T[] as the type');
      return undefined;
    }
    current.items = { ...current.items };
    current = current.items;
  }
  return current;
}

function bySource(...groups: (readonly Tag[] | undefined)[]): Tag[] {
  return groups.flatMap((tags) => tags ?? []).toSorted((a, b) => a.span.start - b.span.start);
}
