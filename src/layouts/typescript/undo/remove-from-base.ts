import { type Data, isData } from '../../../project/yaml/data.ts';
import type { Tree } from '../../../scaffold/tree.ts';
import { editYaml } from '../../../project/yaml/edit-yaml.ts';

/**
 * Removes a kind from the base ClusterServiceVersion, where `ots generate kustomize-manifests` describes it.
 *
 * @param definition the name of its CRD
 * @param version the version that leaves; undefined for all
 */
export function removeFromBase(tree: Tree, definition: string, version: string | undefined): void {
  for (const path of tree.list('config/manifests/bases')) {
    const text = tree.read(path) ?? '';
    if (!path.endsWith('.clusterserviceversion.yaml') || !text.includes(definition)) continue;
    const isKept = (entry: unknown): boolean =>
      !isData(entry) ||
      entry['name'] !== definition ||
      (version !== undefined && entry['version'] !== version);
    const reduced = editYaml(text, (csv) => reduceOwned(csv, isKept));
    if (reduced !== undefined) tree.edit(path, () => reduced);
  }
}

function reduceOwned(csv: Data, isKept: (entry: unknown) => boolean): Data {
  const { spec } = csv;
  if (!isData(spec)) return csv;
  const { customresourcedefinitions, ...otherFields } = spec;
  if (!isData(customresourcedefinitions)) return csv;
  const { owned, ...others } = customresourcedefinitions;
  if (!Array.isArray(owned)) return csv;
  const rest = owned.filter(isKept);
  if (rest.length > 0)
    return { ...csv, spec: { ...spec, customresourcedefinitions: { ...others, owned: rest } } };
  const isEmpty = Object.keys(others).length === 0;
  return { ...csv, spec: isEmpty ? otherFields : { ...otherFields, customresourcedefinitions: others } };
}
