import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { generate } from '../generate.ts';
import { hasGo } from './controller-gen.ts';
import { runOnMarkers } from './run-on-markers.ts';

// Random rule sets, each in a role of its own, through controller-gen and through ots.
const setCount = 3000;

const some = (items: readonly string[], max = 3) =>
  fc.uniqueArray(fc.constantFrom(...items), { minLength: 1, maxLength: max });
const verbs = some(['get', 'list', 'watch', 'update', 'delete', '*'], 4);
const resourceRule = fc.record({
  // The core group has all of these resources, and other projects' groups may have any: ots refuses what no group has.
  groups: some(['core', '""', 'a.example.com', 'b.example.com', 'c.example.com', '*']),
  resources: some(['pods', 'pods/status', 'services', 'nodes', '*'], 4),
  resourceNames: fc.option(some(['a', 'b', 'c'], 2), { nil: [], freq: 3 }),
  verbs,
});
const urlRule = fc.record({
  urls: some(['/healthz', '/metrics', '/logs/*', '*']),
  verbs: some(['get', 'post', 'head', '*']),
});
const rule = fc.oneof({ weight: 4, arbitrary: resourceRule }, { weight: 1, arbitrary: urlRule });
const ruleSet = fc.array(rule, { minLength: 1, maxLength: 10 });

interface Role {
  readonly metadata: { readonly name: string };
  readonly rules: { readonly verbs: string[]; readonly [field: string]: string[] }[];
}

function toMarkers(rules: readonly object[], set: number): string[] {
  // A rule about urls cannot be in a namespace.
  const namespace = set % 4 === 0 && rules.every((one) => 'resources' in one) ? `,namespace=n${set % 3}` : '';
  return rules.map((one) => {
    const lists = Object.entries(one).flatMap(([name, items]: [string, string[]]) =>
      items.length > 0 ? [`${name}=${items.join(';')}`] : [],
    );
    return `// +kubebuilder:rbac:${lists.join(',')},roleName=r${set}${namespace}`;
  });
}

/**
 * Where joining groups or urls makes rules that differ in their verbs only, controller-gen keeps one of them, a different one in every run;
 * ots joins them.
 */
function losesVerbs(theirs: Role, ours: Role): boolean {
  return ours.rules.every((mine, index) => {
    const { verbs: kept = [], ...rest } = theirs.rules[index] ?? {};
    const { verbs: joined, ...mineRest } = mine;
    expect(rest).toEqual(mineRest);
    if (kept.join() === joined.join()) return true;
    const isJoined = [mine['apiGroups'], mine['nonResourceURLs']].some((list) => list && list.length > 1);
    return isJoined && (joined[0] === '*' || kept.every((verb) => joined.includes(verb)));
  });
}

describe.skipIf(!hasGo)('controller-gen', () => {
  test(`makes the same roles of ${setCount} random rule sets`, () => {
    console.log(`seed: ${fc.readConfigureGlobal().seed}; others with FAST_CHECK_SEED=<number>`);
    const sets = fc.sample(ruleSet, setCount);
    const markers = sets.flatMap(toMarkers).join('\n');
    const theirs: Role[] = runOnMarkers(markers, 'rbac:roleName=manager-role');
    const [managerRole, ...ours]: Role[] = generate({ 'src/a.ts': `${markers}\nexport {};\n` })[
      'config/rbac/role.yaml'
    ]!;
    // It is there without rules too, because its binding refers to it.
    expect(managerRole).toMatchObject({ metadata: { name: 'manager-role' }, rules: [] });
    expect(ours.map(({ metadata }) => metadata)).toEqual(theirs.map(({ metadata }) => metadata));
    expect(ours).toHaveLength(setCount);
    let different = 0;
    for (const [index, role] of ours.entries()) {
      if (JSON.stringify(role) === JSON.stringify(theirs[index])) continue;
      different++;
      if (!losesVerbs(theirs[index]!, role)) expect(role).toEqual(theirs[index]);
    }
    console.log(`roles of which controller-gen lost verbs: ${different}`);
    expect(different).toBeLessThan(setCount / 20);
  });
});
