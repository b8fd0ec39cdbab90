import { describe, expect, test } from 'vitest';
import { generateManifests } from '../../src/manifests/generate-manifests.ts';
import { generate } from './generate.ts';
import { virtualFiles } from './virtual-files.ts';

const ROLE = 'config/rbac/role.yaml';

function source(tags: readonly string[]): string {
  return `/**\n * Reconciles.\n${tags.map((tag) => ` * @rbac ${tag}`).join('\n')}\n */\nexport class Reconciler {}\n`;
}

function roles(tags: readonly string[], namespaced = false): any[] {
  return generate({ 'src/controllers/foo.ts': source(tags) }, { namespaced })[ROLE]!;
}

describe('the rules of the role', () => {
  test.each<[string, string[], object[]]>([
    [
      'one rule',
      ['groups=apps resources=deployments verbs=get;list'],
      [{ apiGroups: ['apps'], resources: ['deployments'], verbs: ['get', 'list'] }],
    ],
    [
      'as an object',
      ['{groups: [apps], resources: [deployments], verbs: [get, list]}'],
      [{ apiGroups: ['apps'], resources: ['deployments'], verbs: ['get', 'list'] }],
    ],
    [
      'with commas, in any case',
      ['GROUPS=apps,resources=deployments,verbs=get;list'],
      [{ apiGroups: ['apps'], resources: ['deployments'], verbs: ['get', 'list'] }],
    ],
    [
      'the core group by two names',
      ['groups=core resources=pods verbs=get', 'groups="" resources=pods verbs=list'],
      [{ apiGroups: [''], resources: ['pods'], verbs: ['get', 'list'] }],
    ],
    [
      'verbs of equal rules are joined',
      ['groups=a resources=x verbs=get', 'groups=a resources=x verbs=list;get'],
      [{ apiGroups: ['a'], resources: ['x'], verbs: ['get', 'list'] }],
    ],
    [
      'resources with equal verbs are joined',
      ['groups=a resources=y verbs=get', 'groups=a resources=x verbs=get'],
      [{ apiGroups: ['a'], resources: ['x', 'y'], verbs: ['get'] }],
    ],
    [
      'groups with equal resources and verbs are joined',
      ['groups=b resources=x verbs=get', 'groups=a resources=x verbs=get'],
      [{ apiGroups: ['a', 'b'], resources: ['x'], verbs: ['get'] }],
    ],
    [
      'urls are joined',
      ['urls=/healthz verbs=get', 'urls=/metrics verbs=get'],
      [{ nonResourceURLs: ['/healthz', '/metrics'], verbs: ['get'] }],
    ],
    [
      'resources of one tag are told apart',
      ['groups=a resources=x;y verbs=get', 'groups=a resources=y verbs=list'],
      [
        { apiGroups: ['a'], resources: ['x'], verbs: ['get'] },
        { apiGroups: ['a'], resources: ['y'], verbs: ['get', 'list'] },
      ],
    ],
    [
      'names keep rules apart',
      ['groups=a resources=x verbs=get resourceNames=n', 'groups=a resources=x verbs=get'],
      [
        { apiGroups: ['a'], resources: ['x'], verbs: ['get'] },
        { apiGroups: ['a'], resources: ['x'], resourceNames: ['n'], verbs: ['get'] },
      ],
    ],
    [
      'a star takes in all verbs',
      ['groups=a resources=x verbs=get;*'],
      [{ apiGroups: ['a'], resources: ['x'], verbs: ['*'] }],
    ],
    [
      'they are sorted',
      [
        'groups=b resources=x verbs=get',
        'groups=a resources=z verbs=list',
        'groups=a resources=y verbs=watch',
      ],
      [
        { apiGroups: ['a'], resources: ['y'], verbs: ['watch'] },
        { apiGroups: ['a'], resources: ['z'], verbs: ['list'] },
        { apiGroups: ['b'], resources: ['x'], verbs: ['get'] },
      ],
    ],
    ['none at all', [], []],
  ])('%s', (_, tags, rules) => {
    const expected = {
      apiVersion: 'rbac.authorization.k8s.io/v1',
      kind: 'ClusterRole',
      metadata: { name: 'manager-role' },
      rules,
    };
    expect(roles(tags)).toEqual([expected]);
    expect(roles(tags.toReversed())).toEqual([expected]);
  });

  test('are collected from all comments, in both spellings, also of functions, methods and nothing', () => {
    const files = {
      'src/a.ts': 'export class A {\n /** @rbac groups=a resources=x verbs=get */\n run() {}\n}\n',
      'src/b.ts':
        '// +kubebuilder:rbac:groups=a,resources=y,verbs=get\nexport function b() {}\n/** @rbac groups=a resources=z verbs=get */\n',
    };
    const [role] = generate(files)[ROLE]!;
    expect(role.rules).toEqual([{ apiGroups: ['a'], resources: ['x', 'y', 'z'], verbs: ['get'] }]);
  });

  test('make a Role where a tag names a namespace', () => {
    const [all, one] = roles([
      'groups=a resources=x verbs=get',
      'groups=a resources=x verbs=list namespace=infra',
    ]);
    expect(all).toMatchObject({ kind: 'ClusterRole', rules: [{ verbs: ['get'] }] });
    expect(one).toMatchObject({
      kind: 'Role',
      metadata: { name: 'manager-role', namespace: 'infra' },
      rules: [{ verbs: ['list'] }],
    });
  });

  test('make a Role in a namespaced project', () => {
    expect(roles(['groups=a resources=x verbs=get'], true)).toMatchObject([
      { kind: 'Role', metadata: { name: 'manager-role' } },
    ]);
  });
});

describe('rules that are refused', () => {
  test.each<[string, string, string, RegExp, boolean?]>([
    ['no verbs', 'groups=a resources=x', '@rbac', /verbs is missing/],
    ['no resources', 'groups=a verbs=get', 'groups', /neither resources nor urls/],
    ['no groups', 'resources=x verbs=get', 'resources', /API groups/],
    ['a misspelt argument', 'group=a resources=x verbs=get', 'group=', /no argument group/],
    ['a misspelt verb', 'groups=a resources=x verbs=get;lsit', 'verbs', /no verb lsit/],
    ['a verb in upper case', 'groups=a resources=x verbs=GET', 'verbs', /no verb GET/],
    ['an empty verb', 'groups=a resources=x verbs=', 'verbs', /an empty item/],
    ['verbs with blanks between', 'groups=a resources=x verbs=get list', 'verbs', /the item 'get list'/],
    ['urls and resources', 'groups=a resources=x urls=/x verbs=get', 'urls', /not both/],
    ['urls that are no paths', 'urls=healthz verbs=get', 'urls', /'healthz' is no path/],
    ['urls in a namespace', 'urls=/healthz verbs=get namespace=infra', 'urls', /no namespace/],
    ['urls in a namespaced project', 'urls=/healthz verbs=get', 'urls', /no namespace/, true],
    [
      'a namespace that is none',
      'groups=a resources=x verbs=get namespace=In_fra',
      'namespace',
      /no name of a namespace/,
    ],
    ['open quotes', 'groups="a resources=x verbs=get', '"a', /quotes are not closed/],
  ])('%s', (_, tag, at, message, namespaced = false) => {
    const files = virtualFiles({ 'src/controllers/foo.ts': source([tag]) });
    const { diagnostics } = generateManifests(files, { namespaced });
    const found = diagnostics.find((diagnostic) => message.test(`${diagnostic.message}${diagnostic.hint}`));
    expect(diagnostics.map(({ message: text }) => text)).toHaveLength(1);
    expect(found?.sourceLine.slice(found.column - 1, found.column - 1 + at.length)).toBe(at);
  });

  test.each([
    [
      'a misspelt tag',
      '/** @rbca groups=a resources=x verbs=get */ export class A {}',
      /did you mean @rbac\?/,
    ],
    [
      'a misspelt marker',
      '// +kubebuilder:rbca:groups=a\nexport class A {}',
      /no tag \+kubebuilder:rbca:groups/,
    ],
    ['a tag of a kind', '/** @subresource status */ export class A {}', /interface of a kind/],
  ])('%s', (_, text, message) => {
    const { diagnostics } = generateManifests(virtualFiles({ 'src/a.ts': text }));
    expect(diagnostics.map(({ message: text2, hint }) => `${text2} ${hint}`)).toEqual([
      expect.stringMatching(message),
    ]);
  });

  test('tags of documentation and of other tools are nobody’s mistake', () => {
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
