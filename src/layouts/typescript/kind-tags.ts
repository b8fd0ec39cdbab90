/** The names for kubectl that `ots create api` writes into the types of a kind, and PROJECT does not record. */
export interface KindTags {
  readonly shortNames: readonly string[];
  readonly categories: readonly string[];
}

/** Reads the tags in the form in which the template has them: a line each. */
export function readKindTags(types: string): KindTags {
  const values = (tag: string): string[] =>
    [...types.matchAll(new RegExp(`^ \\* @${tag} (\\S+)\\r?$`, 'gm'))].map(([, value = '']) => value);
  return { shortNames: values('shortName'), categories: values('category') };
}

/** The tags that `own` has in addition to those of `other`. */
export function tagsBeyond(own: KindTags, other: KindTags): KindTags {
  return {
    shortNames: own.shortNames.filter((name) => !other.shortNames.includes(name)),
    categories: own.categories.filter((name) => !other.categories.includes(name)),
  };
}
