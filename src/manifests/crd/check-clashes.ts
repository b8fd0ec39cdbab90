import type { Diagnostics } from '../diagnostics/diagnostics.ts';
import { groupBy } from 'ots-apimachinery/group-by';
import type { CustomResourceDefinition } from './custom-resource-definition.ts';
import type { Kind } from './kind.ts';

/**
 * Reports names that two kinds of a group share. The API server would accept the second CRD and never serve
 * it.
 */
export function checkClashes(
  crds: readonly CustomResourceDefinition[],
  kinds: readonly Kind[],
  diagnostics: Diagnostics,
): void {
  for (const [group, members] of groupBy(crds, (crd) => crd.spec.group)) {
    const owners = new Map<string, string>();
    for (const { spec } of members) {
      const { kind, listKind, plural, singular, shortNames = [] } = spec.names;
      // Resource names and kinds are separate namespaces.
      const names = [...new Set([plural, singular, ...shortNames])].map((name) => `resource ${name}`);
      for (const name of [...names, `kind ${kind}`, `kind ${listKind}`]) {
        const owner = owners.get(name);
        if (owner !== undefined && owner !== kind) {
          const { declaration } = kinds.find(
            (candidate) => candidate.group === group && candidate.kind === kind,
          )!;
          const message = `${kind} and ${owner} of group ${group} share the name ${name.split(' ')[1]}`;
          diagnostics.error(
            declaration.module.source,
            declaration.nameSpan,
            'name-clash',
            message,
            'rename one of them',
          );
        }
        owners.set(name, owner ?? kind);
      }
    }
  }
}
