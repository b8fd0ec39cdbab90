import type { Snapshot } from 'ots-apiserver';

/** The images of containers that a JSON text names. */
export function imagesIn(json: string): string[] {
  return [...json.matchAll(/"image":("(?:[^"\\]|\\.)+")/g)].map(([, image]) => JSON.parse(image!) as string);
}

/** The images that the objects of a cluster name. */
export function imagesOf({ tables }: Snapshot): Set<string> {
  const objects = [...tables.values()].flat().map(({ object }) => object);
  return new Set(objects.flatMap((object) => imagesIn(JSON.stringify(object))));
}

/** The images of the pods of a cluster. */
export function podImagesOf({ tables }: Snapshot): Set<string> {
  const pods = (tables.get('/pods') ?? []).map(({ object }) => object);
  return new Set(pods.flatMap((pod) => imagesIn(JSON.stringify(pod['spec']))));
}
