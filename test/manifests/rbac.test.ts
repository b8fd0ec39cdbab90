import { describe, expect, test } from 'vitest';
import { generateManifests } from '../../src/manifests/generate-manifests.ts';
import { acceptedRoles } from './cases/accepted-roles.ts';
import { refusedRoles } from './cases/refused-roles.ts';
import { generate } from './generate.ts';
import { roleSource } from './role-source.ts';
import { virtualFiles } from './virtual-files.ts';

const rolePath = 'config/rbac/role.yaml';

describe('roles of', () => {
  test.each(acceptedRoles)('$name', ({ tags, roles, namespaced = false }) => {
    for (const ordered of [tags, tags.toReversed()]) {
      const made = generate({ 'src/a.ts': roleSource(ordered) }, { namespaced })[rolePath]!;
      expect(made).toEqual(
        roles.map(({ kind, name, rules }) => {
          const [role, namespace] = name.split('/').toReversed();
          return {
            apiVersion: 'rbac.authorization.k8s.io/v1',
            kind,
            metadata: { name: role, ...(namespace ? { namespace } : {}) },
            rules,
          };
        }),
      );
    }
  });

  test('all comments in both spellings, also on functions, methods, parameters and alone', () => {
    const files = {
      'src/a.ts': 'export class A {\n /** @rbac groups=a resources=x verbs=get */\n run() {}\n}\n',
      'src/b.ts': `// +kubebuilder:rbac:groups=a,resources=y,verbs=get
export function b(/** @rbac groups=a resources=v verbs=get */ a: string) {
  // +kubebuilder:rbac:groups=a,resources=w,verbs=get
  return a;
}
/** @rbac groups=a resources=z verbs=get */
`,
    };
    const [role] = generate(files)[rolePath]!;
    expect(role.rules).toEqual([{ apiGroups: ['a'], resources: ['v', 'w', 'x', 'y', 'z'], verbs: ['get'] }]);
  });
});

describe('names that may be in other versions of Kubernetes are accepted:', () => {
  test.each([
    'groups=example.com resources=pod verbs=get',
    'groups=core;example.com resources=pod verbs=get',
    'groups=metrics.k8s.io resources=pods verbs=get',
    'groups=k8s.example.com resources=deployment verbs=get',
    'groups=* resources=pod verbs=get',
    'groups=apps resources=* verbs=get',
    'groups=apps resources=*\\/scale verbs=get;update',
    'groups=core resources=pods/log;pods/exec;nodes/stats;nodes/proxy verbs=get',
    'groups=apps resources=deployments/finalizers verbs=update',
    'groups=apps;batch resources=deployments;jobs verbs=get',
    'groups=policy resources=podsecuritypolicies verbs=use',
    'groups=core resources=users;groups;serviceaccounts verbs=impersonate',
    'groups=certificates.k8s.io resources=signers verbs=approve',
    'groups=certificates.k8s.io resources=clustertrustbundles verbs=get',
    'urls=/metrics;/healthz/* verbs=get',
  ])('%s', (tag) => {
    expect(generateManifests(virtualFiles({ 'src/a.ts': roleSource([tag]) })).diagnostics).toEqual([]);
  });
});

describe('roles are refused for', () => {
  test.each(refusedRoles)('$name', ({ tag, at, message, hint, namespaced = false }) => {
    const files = virtualFiles({ 'src/a.ts': roleSource([tag]) });
    const { diagnostics } = generateManifests(files, { namespaced });
    expect(diagnostics.map((diagnostic) => diagnostic.message)).toEqual([message]);
    const [{ sourceLine, column, hint: said }] = diagnostics as [(typeof diagnostics)[0]];
    expect(sourceLine.slice(column - 1, column - 1 + at.length)).toBe(at);
    if (hint) expect(said).toMatch(hint);
  });

  test.each([
    [
      'a misspelled tag',
      '/** @rbca groups=a resources=x verbs=get */ export class A {}',
      /did you mean @rbac\?/,
    ],
    [
      'a misspelled marker',
      '// +kubebuilder:rbca:groups=a\nexport class A {}',
      /unknown tag \+kubebuilder:rbca:groups/,
    ],
    ['a tag of a kind', '/** @subresource status */ export class A {}', /interface of a kind/],
  ])('%s', (_, text, message) => {
    const { diagnostics } = generateManifests(virtualFiles({ 'src/a.ts': text }));
    expect(diagnostics.map(({ message: text2, hint }) => `${text2} ${hint}`)).toEqual([
      expect.stringMatching(message),
    ]);
  });

  test('tags of documentation and of other tools are ignored', () => {
    const text = `/**
 * Adds. Mail to ops@example.com or @ops.
 * @param a one @default 1
 * @returns the sum
 * @example add(1)
 * @category Maths
 * @minimum 3
 * @rebase
 */
export function add(a: number): number { return a; }
/** @deprecated */ export interface Config { /** @default 3 @minimum 1 */ port: number }
`;
    expect(generateManifests(virtualFiles({ 'src/a.ts': text })).diagnostics).toEqual([]);
  });
});
