import { parseArguments } from '../tag-syntax/parse-arguments.ts';
import type { Tag } from '../tag-syntax/tag.ts';
import { failTag } from './kind.ts';
import type { KindContext } from './kind.ts';

/** What tags say about one version of a kind. */
export interface VersionTags {
  unserved: boolean;
  /** The tag that makes this the storage version. */
  storage?: Tag;
  /** The warning; empty for the API server's default text. */
  deprecated?: string;
}

/** Reads @storageVersion, @unserved and @deprecated. */
export function readVersionTags(
  groups: ReadonlyMap<string, readonly Tag[]>,
  context: KindContext,
): VersionTags {
  const result: VersionTags = { unserved: false };
  for (const tag of groups.get('storageVersion') ?? []) {
    expectNoValue(tag, context);
    result.storage = tag;
  }
  for (const tag of groups.get('unserved') ?? []) {
    expectNoValue(tag, context);
    result.unserved = true;
  }
  for (const tag of groups.get('deprecated') ?? []) result.deprecated = deprecationWarning(tag, context);
  return result;
}

/** Reports a value on a tag that takes none. */
function expectNoValue(tag: Tag, context: KindContext): void {
  if (tag.value !== '') failTag(context, tag, 'takes no value', 'write prose before the first tag');
}

/** The API server accepts at most 256 bytes, all of them printable. */
function deprecationWarning(tag: Tag, context: KindContext): string {
  const args =
    tag.form === 'marker'
      ? parseArguments(tag, [{ name: 'warning', type: 'string' }], context.diagnostics)
      : undefined;
  const text = tag.form === 'marker' ? (args?.string('warning') ?? '') : tag.value;
  const warning = text.replaceAll(/\s+/g, ' ').trim();
  if (Buffer.byteLength(warning) > 256)
    failTag(context, tag, 'is longer than 256 bytes, the maximum of the API server', 'shorten it');
  if (/[^ \P{Z}]|\p{C}/u.test(warning)) failTag(context, tag, 'has unprintable characters', 'remove them');
  return warning;
}
