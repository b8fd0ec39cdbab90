import { gunzipSync } from 'node:zlib';
import { ConfigMap, type Pod } from 'ots-kubernetes/core/v1';
import type { Client, DeepReadonly } from 'ots-runtime';
import { type Catalog, catalogOf } from '../../content/catalog.ts';
import { documentsIn, documentsOf } from '../../content/documents.ts';

/**
 * The catalog that a pod serves: that of its image, or of the ConfigMaps that are mounted into it. Files in `binaryData` may be gzipped, as
 * for `ots run bundle`.
 *
 * @param images the directories with the contents of images
 * @throws {ContentError} when it is not a catalog
 */
export async function servedCatalog(
  { spec, metadata }: DeepReadonly<Pod>,
  images: ReadonlyMap<string, string>,
  live: Client,
): Promise<Catalog> {
  const directory = spec?.containers.map(({ image }) => images.get(image ?? '')).find(Boolean);
  if (directory !== undefined) return catalogOf(documentsIn(directory));
  const names = (spec?.volumes ?? []).flatMap(({ configMap, projected }) => [
    configMap?.name,
    ...(projected?.sources ?? []).map((source) => source.configMap?.name),
  ]);
  const maps = await Promise.all(
    names
      .filter((name) => name !== undefined)
      .map((name) => live.get(ConfigMap, { namespace: metadata.namespace!, name })),
  );
  return catalogOf(maps.flatMap((map) => (map ? documentsOfMap(map) : [])));
}

function documentsOfMap({ data = {}, binaryData = {} }: DeepReadonly<ConfigMap>) {
  const plain = Object.entries(data);
  const binary = Object.entries(binaryData).map(([name, base64]) => [name, textOf(base64)] as const);
  return [...plain, ...binary].flatMap(([name, text]) => documentsOf(text, name));
}

function textOf(base64: string): string {
  const bytes = Buffer.from(base64, 'base64');
  const isGzipped = bytes[0] === 0x1f && bytes[1] === 0x8b;
  return (isGzipped ? gunzipSync(bytes) : bytes).toString();
}
