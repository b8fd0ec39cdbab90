import type { Kind } from '../../manifests/crd/kind.ts';
import { definitionOf } from '../../manifests/tag-syntax/registry.ts';
import { type Tag, valueSpan } from '../../manifests/tag-syntax/tag.ts';
import type { TextEdit } from './text-edit.ts';

/** Tags that apply to one version and not to the next. */
const singleVersionTags = new Set(['storageVersion', 'deprecated', 'unserved', 'skipVersion']);

/**
 * Returns the edits that turn a version of a kind into another version.
 *
 * @param at where the statement of its interface begins, after its comment
 * @param apiVersion group and version of the new version
 * @param tags further tags for its comment, such as `@shortName jw`
 */
export function versionEdits(
  text: string,
  { declaration, definition, apiVersionSpan }: Kind,
  at: number,
  apiVersion: string,
  tags: readonly string[],
): TextEdit[] {
  const places = [apiVersionSpan, definition.properties.get('apiVersion')!.span];
  const versionTags = declaration.doc.tags.filter((tag) =>
    singleVersionTags.has(definitionOf(tag)?.name ?? ''),
  );
  const removed = versionTags.map((tag) => withoutTag(text, tag));
  return [
    ...places.map(({ start, end }) => ({ start: start + 1, end: end - 1, text: apiVersion })),
    ...removed,
    ...(tags.length > 0 ? [withTags(text, at, tags, removed)] : []),
  ];
}

/**
 * Adds tags at the end of the comment above a statement, or in a separate comment if the last line holds more
 * than its closing delimiter.
 */
function withTags(text: string, at: number, tags: readonly string[], removed: readonly TextEdit[]): TextEdit {
  const eol = text.includes('\r\n') ? '\r\n' : '\n';
  const end = /(?<=\n)(?<gutter>[ \t]*)\*\/\s*$/.exec(text.slice(0, at));
  const isLeft = end !== null && removed.every((edit) => edit.end <= end.index);
  if (!isLeft) return { start: at, end: at, text: `/** ${tags.join(' ')} */${eol}` };
  const lines = tags.map((tag) => `${end.groups?.['gutter']}* ${tag}${eol}`).join('');
  return { start: end.index, end: end.index, text: lines };
}

/**
 * Removes a tag, including its line if that is otherwise empty, and its comment if that says nothing else.
 */
function withoutTag(text: string, tag: Tag): TextEdit {
  const { value } = tag;
  let { start } = tag.span;
  let end = value === '' ? tag.span.end : valueSpan(tag, value.length - 1).end;
  const before = /(?:^|\n)(?<gutter>[ \t]*(?:\*|\/\/)?[ \t]*)$/.exec(text.slice(0, start))?.groups?.[
    'gutter'
  ];
  const after = /^[ \t]*\r?\n/.exec(text.slice(end))?.[0];
  if (before !== undefined && after !== undefined) [start, end] = [start - before.length, end + after.length];
  else start -= /[ \t]*$/.exec(text.slice(0, start))![0].length;
  const opened = /\/\*\*\s*$/.exec(text.slice(0, start))?.[0];
  const closed = /^\s*\*\/[ \t]*\r?\n?/.exec(text.slice(end))?.[0];
  if (opened === undefined || closed === undefined) return { start, end, text: '' };
  return { start: start - opened.length, end: end + closed.length, text: '' };
}
