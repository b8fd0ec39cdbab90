import { posix } from 'node:path';
import type { CustomResourceDefinition } from '../../manifests/crd/custom-resource-definition.ts';
import { docsHeader, renderDocs } from '../../manifests/docs/render-docs.ts';
import type { Tree } from '../../scaffold/tree.ts';
import { docsDirectory } from './docs-directory.ts';

/**
 * Stages the reference of the API, and removes pages of versions that no longer exist. The author's own files conflict if
 * they have the name of a page, and stay otherwise.
 *
 * @param directory the directory as the author typed it
 * @throws OtsError `INVALID_DOCS_DIRECTORY`, `PATH_OUTSIDE_PROJECT`
 */
export function stageDocs(tree: Tree, directory: string, crds: readonly CustomResourceDefinition[]): void {
  const place = docsDirectory(directory);
  const pages = new Map(Array.from(renderDocs(crds), ([name, text]) => [`${place}/${name}`, text]));
  for (const [path, text] of pages) {
    const current = tree.read(path);
    if (current === undefined || isGenerated(current)) tree.generate(path, text);
    else tree.create(path, text);
  }
  for (const path of tree.list(place)) {
    if (posix.dirname(path) !== place || !path.endsWith('.md') || pages.has(path)) continue;
    if (isGenerated(tree.read(path) ?? '')) tree.remove(path);
  }
}

function isGenerated(text: string): boolean {
  return text.startsWith(docsHeader);
}
