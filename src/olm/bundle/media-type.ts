import type { BundleFiles } from './bundle-files.ts';
import { textOf } from './json.ts';

/** What kind of bundle a folder with manifests makes. */
export type MediaType = 'registry+v1' | 'helm' | 'plain';

/**
 * The kind of a bundle, by its files: a chart, or manifests with a ClusterServiceVersion or without one.
 *
 * @param directory the folder with the manifests, relative to the bundle
 * @returns undefined for a folder without files
 */
export function mediaTypeOf({ files }: BundleFiles, directory: string): MediaType | undefined {
  const here = files.filter((file) => file.directory === directory);
  if (here.length === 0) return undefined;
  const documents = here.map((file) => ({ name: file.name, document: file.document }));
  const has = (test: (name: string, value: unknown) => boolean) =>
    documents.some(({ name, document }) => 'value' in document && test(name, document.value));
  if (has((name, value) => name === 'Chart.yaml' && textOf(value, 'name') !== '')) return 'helm';
  return has((_, value) => textOf(value, 'kind') === 'ClusterServiceVersion') ? 'registry+v1' : 'plain';
}
