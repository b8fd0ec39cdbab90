import { parseArguments } from '../tag-syntax/parse-arguments.ts';
import type { ArgumentSpec } from '../tag-syntax/parse-arguments.ts';
import type { Tag } from '../tag-syntax/tag.ts';
import type { Fail, TagContext } from './apply-tags.ts';
import type { Schema } from '../schema/schema.ts';
import { readText } from './read-value.ts';

const argumentSpecs: readonly ArgumentSpec[] = [
  { name: 'url', type: 'string', required: true },
  { name: 'description', type: 'string' },
];

/** Applies @externalDocs: `url text`, or the arguments of the marker. */
export function setExternalDocs(schema: Schema, tag: Tag, fail: Fail, { diagnostics }: TagContext): void {
  const docs = tag.form === 'tag' && !tag.value.startsWith('{') ? readPlain(tag) : readArguments();
  if (!docs) return;
  if (!URL.canParse(docs.url))
    return fail(docs.url === '' ? 'needs a URL' : `has an invalid URL: ${docs.url}`, 'write https://…');
  schema.externalDocs = { url: docs.url, ...(docs.description ? { description: docs.description } : {}) };

  function readArguments() {
    const args = parseArguments(tag, argumentSpecs, diagnostics);
    return args && { url: args.string('url')!, description: args.string('description') ?? '' };
  }
}

function readPlain(tag: Tag): { url: string; description: string } {
  const [url = '', ...words] = tag.value.split(/\s+/);
  return { url, description: words.join(' ') };
}

/** Applies @title. */
export function setTitle(schema: Schema, tag: Tag, fail: Fail): void {
  const title = readText(tag, fail)?.replaceAll(/\s+/g, ' ').trim();
  if (title === undefined) return;
  if (title === '') return fail('needs a text');
  schema.title = title;
}
