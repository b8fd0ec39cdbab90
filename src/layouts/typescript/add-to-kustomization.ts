import { type YamlListItem, addToYamlList } from '../../scaffold/insertions/add-to-yaml-list.ts';
import type { Tree } from '../../scaffold/tree.ts';

/** Adds entries to a list of a kustomization. */
export function addToKustomization(
  tree: Tree,
  directory: string,
  key: string,
  items: readonly YamlListItem[],
): void {
  const path = `${directory}/kustomization.yaml`;
  tree.edit(path, (text) => addToYamlList(text, path, key, items));
}
