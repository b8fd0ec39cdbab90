import { type JsonObject, isObject, textOf, valueOf } from '../bundle/json.ts';
import { schemas } from './catalog.ts';
import { readBlob } from './read-blob.ts';
import { type RenderedImage, generateChannels, readSemverTemplate } from './semver-template.ts';
import { readDocuments } from './split-documents.ts';
import { TemplateError } from './template-error.ts';

/** Renders the bundle of an image. */
type RenderImage = (image: string) => Promise<RenderedImage>;

const basicFields = new Set(['schema', 'image', 'name']);

/**
 * Renders a template, basic or semver, to the objects of a catalog.
 *
 * @throws {TemplateError} and the errors of `renderImage`
 */
export async function renderTemplate(text: string, renderImage: RenderImage): Promise<JsonObject[]> {
  const [document, second] = readDocuments(text);
  if (!document) throw new TemplateError('the template is empty');
  if ('problem' in document) throw new TemplateError(`the template cannot be read: ${document.problem}`);
  if (second || !isObject(document.value)) throw new TemplateError('a template is one object with a schema');
  const schema = textOf(document.value, 'schema');
  if (schema === 'olm.template.basic') return renderBasic(document.value, renderImage);
  if (schema === 'olm.semver') return renderSemver(document.value, renderImage);
  throw new TemplateError(`the schema of the template is "${schema}"; use olm.template.basic or olm.semver`);
}

/** Bundles are only images: everything else of a basic template is kept. */
async function renderBasic(template: JsonObject, renderImage: RenderImage): Promise<JsonObject[]> {
  const entries = valueOf(template, 'entries') ?? [];
  if (!Array.isArray(entries)) throw new TemplateError('entries is not a list');
  const objects: JsonObject[] = [];
  for (const [index, entry] of entries.entries()) {
    const read = readBlob(entry, { file: '', line: 1 });
    if (read.kind === 'problem' || !isObject(entry))
      throw new TemplateError(
        `entries[${index}]: ${read.kind === 'problem' ? read.value.detail : 'is not an object'}`,
      );
    if (read.kind !== 'bundle') objects.push(entry);
    else if (read.value.image === '' || Object.keys(entry).some((name) => !basicFields.has(name)))
      throw new TemplateError(`entries[${index}] is a bundle; it needs an image, and nothing else`);
    else objects.push({ ...(await renderImage(read.value.image)).bundle });
  }
  return sorted(objects);
}

async function renderSemver(template: JsonObject, renderImage: RenderImage): Promise<JsonObject[]> {
  const read = readSemverTemplate(template);
  const bundles = new Map<string, RenderedImage>();
  for (const image of new Set(Object.values(read.images).flat()))
    bundles.set(image, await renderImage(image));
  const objects = generateChannels(read, bundles);
  return sorted([...objects, ...[...bundles.values()].map(({ bundle }) => ({ ...bundle }))]);
}

const schemaOrder: readonly string[] = [schemas.package, schemas.channel, schemas.bundle];

/** By package; in it the package, its channels, its bundles, others and deprecations. Objects without a package come last. */
export function sorted(objects: readonly JsonObject[]): JsonObject[] {
  return objects
    .map((object) => ({ object, key: sortKeyOf(object) }))
    .toSorted((left, right) => compareKeys(left.key, right.key))
    .map(({ object }) => object);
}

function sortKeyOf(object: JsonObject): string[] {
  const schema = textOf(object, 'schema');
  const owner = textOf(object, schema === schemas.package ? 'name' : 'package');
  const known = schemaOrder.indexOf(schema);
  const rank = schema === schemas.deprecations ? 4 : known === -1 ? 3 : known;
  const within = rank === 1 || rank === 2 ? textOf(object, 'name') : rank === 3 ? schema : '';
  return [owner === '' ? '\u{ffff}' : owner, String(rank), within];
}

function compareKeys(left: readonly string[], right: readonly string[]): number {
  const at = left.findIndex((part, index) => part !== right[index]);
  return at === -1 ? 0 : left[at]! < right[at]! ? -1 : 1;
}
