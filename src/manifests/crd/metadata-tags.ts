import { isLabelValue, isQualifiedName } from 'ots-apimachinery/names';
import { parseArguments } from '../tag-syntax/parse-arguments.ts';
import type { ArgumentSpec } from '../tag-syntax/parse-arguments.ts';
import type { Tag } from '../tag-syntax/tag.ts';
import { failTag } from './kind.ts';
import type { KindContext } from './kind.ts';

const argumentSpecs: readonly ArgumentSpec[] = [
  { name: 'labels', type: 'list', verbatim: true },
  { name: 'annotations', type: 'list', verbatim: true },
];
/** The API server's limit for all annotations of an object together. */
const maxAnnotationBytes = 256 * 1024;

/** What the API server accepts, by the rules of metav1.ObjectMeta. */
const rules = {
  labels: { isName: isQualifiedName, isValue: isLabelValue },
  annotations: {
    isName: (name: string) => isQualifiedName(name.toLowerCase()),
    isValue: (value: string) => Buffer.byteLength(value) <= maxAnnotationBytes,
  },
};

type Field = keyof typeof rules;

/** The labels and annotations of a CRD. */
export type CrdMetadata = Readonly<Record<Field, Map<string, string>>>;

/** Reads @label, @annotation and @metadata. */
export function readMetadata(groups: ReadonlyMap<string, readonly Tag[]>, context: KindContext): CrdMetadata {
  const metadata: CrdMetadata = { labels: new Map(), annotations: new Map() };
  const add = (field: Field, tag: Tag, text: string) => addEntry(metadata[field], field, tag, text, context);
  for (const tag of groups.get('label') ?? []) add('labels', tag, tag.value);
  for (const tag of groups.get('annotation') ?? []) add('annotations', tag, tag.value);
  for (const tag of groups.get('metadata') ?? []) {
    const args = parseArguments(tag, argumentSpecs, context.diagnostics);
    for (const field of ['labels', 'annotations'] as const)
      for (const text of args?.list(field) ?? []) add(field, tag, text);
  }
  return metadata;
}

function addEntry(
  entries: Map<string, string>,
  field: Field,
  tag: Tag,
  text: string,
  context: KindContext,
): void {
  const at = text.indexOf('=');
  if (at === -1) return failTag(context, tag, `cannot be '${text}'`, 'write name=value');
  const name = text.slice(0, at).trim();
  const value = text.slice(at + 1).trim();
  const { isName, isValue } = rules[field];
  const characters = 'at most 63 letters, digits, dashes, dots and underscores';
  if (!isName(name))
    failTag(
      context,
      tag,
      `has an invalid name: '${name}'`,
      `it has ${characters}, after a domain and a slash`,
    );
  else if (!isValue(value)) failTag(context, tag, `has an invalid value: '${value}'`, `it has ${characters}`);
  else if (entries.has(name)) failTag(context, tag, `sets ${name} again`, 'keep one of them');
  else entries.set(name, value);
}
