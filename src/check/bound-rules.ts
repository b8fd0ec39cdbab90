import type { PolicyRule } from 'ots-apimachinery/rbac/policy-rule';
import type { KubernetesObject } from 'ots-kubernetes';
import type { ProjectView } from './project-view.ts';

interface Bound {
  readonly roleRef: { readonly kind: string; readonly name: string };
  readonly rules: readonly PolicyRule[];
}

/** The rules of the roles in config/default that a binding there grants, by the names of the roles. Empty if it cannot be built. */
export async function boundRules(
  view: ProjectView,
): Promise<{ role: string; rules: readonly PolicyRule[] }[]> {
  const build = await view.build('config/default');
  if (!('objects' in build)) return [];
  const objects = build.objects.map(({ object }) => object as KubernetesObject & Partial<Bound>);
  const bound = new Set(
    objects.flatMap(({ kind, roleRef }) =>
      /^(?:Cluster)?RoleBinding$/.test(kind) && roleRef ? [`${roleRef.kind} ${roleRef.name}`] : [],
    ),
  );
  return objects.flatMap(({ kind, metadata: { name = '' }, rules }) =>
    bound.has(`${kind} ${name}`) && Array.isArray(rules) ? [{ role: name, rules }] : [],
  );
}
