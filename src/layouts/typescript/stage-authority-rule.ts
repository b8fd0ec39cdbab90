import { addToYamlList } from '../../scaffold/insertions/add-to-yaml-list.ts';
import type { Tree } from '../../scaffold/tree.ts';

/** Something of the whole cluster that names the authority of the webhooks' certificate. */
export interface AuthorityHolder {
  readonly group: string;
  readonly plural: string;
  readonly name: string;
}

/** Lets the manager write the authority of its certificate into one object. */
export function stageAuthorityRule(tree: Tree, { group, plural, name }: AuthorityHolder): void {
  const path = 'config/certificates/authority-role.yaml';
  const rule = { apiGroups: [group], resources: [plural], resourceNames: [name], verbs: ['get', 'patch'] };
  tree.edit(path, (text) => addToYamlList(text, path, 'rules', rule));
}
