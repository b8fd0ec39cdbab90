import { addToYamlList } from '../../scaffold/insertions/add-to-yaml-list.ts';
import type { Tree } from '../../scaffold/tree.ts';

/** A cluster-scoped object that contains the CA bundle of the webhooks' certificate. */
export interface AuthorityTarget {
  readonly group: string;
  readonly plural: string;
  readonly name: string;
}

/** Lets the manager write the CA bundle of its certificate into some objects. */
export function stageAuthorityRules(tree: Tree, targets: readonly AuthorityTarget[]): void {
  const path = 'config/certificates/authority-role.yaml';
  const rules = targets.map(({ group, plural, name }) => ({
    apiGroups: [group],
    resources: [plural],
    resourceNames: [name],
    verbs: ['get', 'patch'],
  }));
  tree.edit(path, (text) => addToYamlList(text, path, 'rules', rules));
}
