import { type JsonObject, isObject, objectAt, textOf, valueOf } from '../bundle/json.ts';
import type { RelatedImage } from './related-images.ts';
import { objectsAt } from './objects-at.ts';

/** Annotations that are generated again each time. */
export const generatedAnnotations: ReadonlySet<string> = new Set([
  'alm-examples',
  'createdAt',
  'operators.operatorframework.io/builder',
  'operators.operatorframework.io/project_layout',
]);

/** A ClusterServiceVersion with what was kept, and what is said about it. */
export interface Kept {
  readonly csv: JsonObject;
  readonly notes: readonly string[];
}

/**
 * Keeps what the author wrote into the ClusterServiceVersion of the bundle by hand: annotations, related images, `replaces` and `skips`.
 * What the base or the input says wins. `replaces` and `skips` belong to one version, so another version does not get them.
 *
 * @param former the ClusterServiceVersion that is in the bundle
 * @param file its path
 */
export function keepHandmade(csv: JsonObject, former: JsonObject | undefined, file: string): Kept {
  if (!former) return { csv, notes: [] };
  const annotations = annotationsKept(csv, former);
  const images = imagesKept(csv, former);
  const isSameVersion = nameIn(csv) === nameIn(former);
  const spec = specOf(csv);
  const edges = (['replaces', 'skips'] as const).filter(
    (field) => spec[field] === undefined && !isNothing(valueOf(specOf(former), field)),
  );
  const keptEdges = isSameVersion ? edges : [];
  const kept = [
    ...Object.keys(annotations).map((key) => `annotation ${key}`),
    ...images.map(({ name, image }) => `related image ${name || image}`),
    ...keptEdges,
  ];
  const lost = isSameVersion ? [] : edges;
  return {
    csv: merge(
      csv,
      annotations,
      images,
      Object.fromEntries(keptEdges.map((key) => [key, specOf(former)[key]])),
    ),
    notes: [
      ...(kept.length === 0 ? [] : [`kept from ${file}, as the base has none: ${kept.join(', ')}`]),
      ...lost.map(
        (field) => `${field} of ${nameIn(former)} does not apply to ${nameIn(csv)}: set it in the base`,
      ),
    ],
  };
}

function merge(
  csv: JsonObject,
  annotations: JsonObject,
  images: readonly RelatedImage[],
  edges: JsonObject,
): JsonObject {
  const metadata = valueOf(csv, 'metadata');
  const of = valueOf(metadata, 'annotations');
  const spec = specOf(csv);
  return {
    ...csv,
    metadata: {
      ...(isObject(metadata) && metadata),
      annotations: { ...annotations, ...(isObject(of) && of) },
    },
    spec: {
      ...spec,
      ...edges,
      ...(images.length > 0 && { relatedImages: [...objectsAt(spec, 'relatedImages'), ...images] }),
    },
  };
}

function annotationsKept(csv: JsonObject, former: JsonObject): JsonObject {
  const known = valueOf(valueOf(csv, 'metadata'), 'annotations');
  const before = valueOf(valueOf(former, 'metadata'), 'annotations');
  return Object.fromEntries(
    Object.entries(isObject(before) ? before : {}).filter(
      ([key, value]) =>
        typeof value === 'string' && !generatedAnnotations.has(key) && valueOf(known, key) === undefined,
    ),
  );
}

function imagesKept(csv: JsonObject, former: JsonObject): RelatedImage[] {
  return missingImages(imagesIn(csv), imagesIn(former));
}

/** The images whose name and whose image are not there yet. */
export function missingImages(
  known: readonly RelatedImage[],
  further: readonly RelatedImage[],
): RelatedImage[] {
  return further.filter(
    ({ name, image }) => !known.some((each) => each.image === image || (name !== '' && each.name === name)),
  );
}

/** The related images of a ClusterServiceVersion. */
export function imagesIn(csv: JsonObject): RelatedImage[] {
  return objectsAt(specOf(csv), 'relatedImages').map((image) => ({
    name: textOf(image, 'name'),
    image: textOf(image, 'image'),
  }));
}

function specOf(csv: JsonObject): JsonObject {
  return objectAt(csv, 'spec');
}

function nameIn(csv: JsonObject): string {
  return textOf(valueOf(csv, 'metadata'), 'name');
}

function isNothing(value: unknown): boolean {
  return (
    value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0)
  );
}
