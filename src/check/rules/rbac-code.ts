import { groupBy } from 'ots-apimachinery/group-by';
import type { PolicyRule } from 'ots-apimachinery/rbac/policy-rule';
import { rbacTag } from 'ots-apimachinery/rbac/rbac-tag';
import { ruleAllows } from 'ots-apimachinery/rbac/rule-matching';
import { boundRules } from '../bound-rules.ts';
import type { Problem } from '../finding.ts';
import type { ProjectView } from '../project-view.ts';
import { placeIn } from '../source/sources.ts';
import { type UsedRight, usedRights } from '../source/used-rights.ts';

/**
 * Checks that the roles of the operator allow what its code calls: the role of the @rbac tags, and roles that config/default binds to its
 * ServiceAccount. Kinds that are only known at run time are left out, so a missing finding proves nothing.
 */
export async function checkRbacOfCode(view: ProjectView): Promise<Problem[]> {
  const { manifests, sources } = view;
  if (!manifests || manifests.diagnostics.length > 0) return [];
  const bound = (await boundRules(view))
    // Its rights are for the lease and its events in the operator's namespace only.
    .filter(({ role }) => !role.endsWith('leader-election-role'))
    .flatMap((role) => role.rules);
  const rules = [...manifests.rules.map(({ rule }) => rule), ...bound];
  const used = sources.running.flatMap((parsed) => usedRights(parsed, sources));
  const reconciled = new Set(used.filter(({ call }) => call.startsWith('for(')).map(keyOf));
  const missing = used.flatMap((right) => {
    const verbs = missingVerbs(right, rules, reconciled.has(keyOf(right)));
    return verbs.length === 0 ? [] : [{ right, verbs }];
  });
  const grouped = groupBy(missing, ({ right }) => `${right.parsed.module.source.path}\0${keyOf(right)}`);
  return [...grouped.values()].map((same) => problemOf(same));
}

function keyOf({ group, resource }: UsedRight): string {
  return `${group}/${resource}`;
}

/** @param isReconciled the operator reconciles the kind, so an apply changes an object that exists */
function missingVerbs(
  { group, resource: full, verbs, instead, call }: UsedRight,
  rules: readonly PolicyRule[],
  isReconciled: boolean,
): readonly string[] {
  const [resource = '', subresource = ''] = full.split('/');
  const isAllowed = (verb: string): boolean =>
    rules.some((rule) => {
      // Which names the code uses is not known.
      const { resourceNames: _, ...unnamed } = rule;
      return ruleAllows(unnamed, { verb, group, resource, subresource, name: '' });
    });
  if (instead?.every(isAllowed)) return [];
  const isChange = isReconciled && call.startsWith('apply(');
  const needed = isChange ? verbs.filter((verb) => verb !== 'create') : verbs;
  return needed.filter((verb) => !isAllowed(verb));
}

/** The calls of a module that lack rights to one resource, as one problem at the first of them. */
function problemOf(same: readonly { right: UsedRight; verbs: readonly string[] }[]): Problem {
  const { right } = same[0]!;
  const { parsed, offset, group, resource, className } = right;
  const verbs = [...new Set(same.flatMap((each) => each.verbs))];
  const needsRead = verbs.includes('list') || verbs.includes('watch');
  const order = ['get', 'list', 'watch', 'create', 'update', 'patch', 'delete', 'deletecollection'];
  const asked = order.filter((verb) => verbs.includes(verb) || (needsRead && verb === 'get'));
  const tag = rbacTag({ apiGroups: [group], resources: [resource], verbs: asked });
  const calls = [...new Set(same.map(({ right: { call } }) => call))].join(', ');
  const full = group === '' ? resource : resource.replace(/^([^/]*)/, `$1.${group}`);
  return {
    ...placeIn(parsed.module, offset),
    severity: 'error',
    message: `No @rbac tag allows ${list(verbs)} on ${full}, which ${calls} ${same.length === 1 ? 'needs' : 'need'}`,
    hint: `Add "${tag}" to ${className ?? 'the class that needs it'} and run ots manifests.`,
  };
}

function list(words: readonly string[]): string {
  return words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`;
}
