import { describe, expect, test } from 'vitest';
import { resources } from 'ots-kubernetes/resources';
import { generateManifests } from '../../src/manifests/generate-manifests.ts';
import { defaultWebhookPath } from '../../src/project/names/webhook-path.ts';
import { apiSource } from './api-source.ts';
import { generate } from './generate.ts';
import { virtualFiles } from './virtual-files.ts';

const manifestPath = 'config/webhook/manifests.yaml';
const api = { 'src/api/v1/foo.ts': apiSource({ group: 'a.example.com' }) };
const imports = `import type { Defaulter, Validator } from 'ots-runtime';
import { Foo } from '../api/v1/foo.ts';
`;
/** A project with the kind a.example.com/v1 Foo and this handler. */
const project = (handler: string) => ({ ...api, 'src/webhooks/foo.ts': imports + handler });
const configurationsOf = (handler: string) =>
  generate(project(handler), { domain: 'example.com' })[manifestPath]!;
const diagnosticsOf = (handler: string) => generateManifests(virtualFiles(project(handler))).diagnostics;

const long = (mutating: boolean, more = '', verbs = 'CREATE, UPDATE') =>
  `/** @webhook {mutating: ${mutating}, name: ${mutating ? 'm' : 'v'}foo-v1.a.example.com, path: /${mutating ? 'mutate' : 'validate'}-a-example-com-v1-foo, groups: [a.example.com], versions: [v1], resources: [foos], verbs: [${verbs}]${more}} */\nexport class Handler {}\n`;

describe('a tag may omit what the class below it declares', () => {
  test.each([
    ['of a defaulter', '/** @webhook */\nexport class Handler implements Defaulter<Foo> {}', long(true)],
    ['of a validator', '/** @webhook */\nexport class Handler implements Validator<Foo> {}', long(false)],
    [
      'but the verbs that differ',
      '/** @webhook verbs=create;update;delete */\nclass Handler implements Validator<Foo> {}',
      long(false, '', 'CREATE, UPDATE, DELETE'),
    ],
    [
      'but a policy',
      '/** @webhook {failurePolicy: Ignore, timeoutSeconds: 3} */\nclass Handler implements Validator<Foo> {}',
      long(false, ', failurePolicy: Ignore, timeoutSeconds: 3'),
    ],
    [
      'beside other comments and interfaces',
      '/** @webhook */\n// More.\n/** Text. */\nexport class Handler implements Disposable, Validator<Foo> {}',
      long(false),
    ],
    [
      'of a default export',
      '/** @webhook */\nexport default class implements Validator<Foo> {}',
      long(false),
    ],
    [
      "in kubebuilder's spelling",
      '// +kubebuilder:webhook\nclass Handler implements Validator<Foo> {}',
      long(false),
    ],
  ])('%s', (_, short, full) => {
    expect(configurationsOf(short)).toEqual(configurationsOf(full));
  });

  test('for two tags above one class, when each says whether it is mutating', () => {
    const handler = 'export class Handler implements Defaulter<Foo>, Validator<Foo> {}';
    const short = `/**\n * @webhook mutating=true\n * @webhook mutating=false\n */\n${handler}`;
    expect(configurationsOf(short)).toEqual(
      configurationsOf(long(true) + long(false).replace('Handler', 'B')),
    );
  });

  test('under another name of the interface and of the kind', () => {
    const handler = `import type * as ots from 'ots-runtime';\nimport { Foo as F } from '../api/v1/foo.ts';\n`;
    const short = `${handler}/** @webhook */\nexport class Handler implements ots.Validator<F> {}`;
    expect(configurationsOf(short)).toEqual(configurationsOf(long(false)));
  });

  test('but keeps an explicit address', () => {
    const [{ webhooks }] = configurationsOf(
      '/** @webhook url=https://example.com/validate */\nclass Handler implements Validator<Foo> {}',
    ) as [any];
    expect(webhooks[0].clientConfig).toEqual({ url: 'https://example.com/validate' });
  });
});

test.each(
  resources
    .filter(({ module }) => module !== '')
    .map((resource) => [`${resource.module} ${resource.kind}`, resource]),
)('the kind of a tag may be built in: %s', (_, resource) => {
  const { group, version, kind, plural, module } = resource;
  const handler = `import type { ${kind} } from 'ots-kubernetes/${module}';
import type { Validator } from 'ots-runtime';
/** @webhook */
export class Handler implements Validator<${kind}> {}`;
  const [{ webhooks }] = generate({ 'src/a.ts': handler }, { domain: 'example.com' })[manifestPath] as [any];
  expect(webhooks).toMatchObject([
    {
      name: `v${kind.toLowerCase()}-${version}.${group.split('.')[0] || 'core'}.example.com`,
      clientConfig: {
        service: { path: defaultWebhookPath('validation', { group, domain: '', version, kind }) },
      },
      rules: [{ apiGroups: [group], apiVersions: [version], resources: [plural] }],
    },
  ]);
});

describe('a tag that omits too much is refused', () => {
  const all = 'mutating, name, groups, versions, resources, and verbs';
  const write = 'write mutating=…, name=…, groups=…, versions=…, resources=…, verbs=…, path=… in the tag';
  const writeKind = 'write name=…, groups=…, versions=…, resources=…, path=… in the tag';

  test.each([
    [
      'above a class without an interface',
      '/** @webhook */\nexport class Handler {}',
      [
        3,
        5,
        `@webhook: ${all} are missing`,
        `let Handler implement Defaulter<Kind> or Validator<Kind>, or ${write}`,
      ],
    ],
    [
      'above a class with interfaces of others',
      `import type { Validator as V } from 'others';\n/** @webhook */\nexport class Handler implements V<Foo> {}`,
      [
        4,
        5,
        `@webhook: ${all} are missing`,
        `let Handler implement Defaulter<Kind> or Validator<Kind>, or ${write}`,
      ],
    ],
    [
      'above something else',
      '/** @webhook */\nexport const handler = 1;',
      [
        3,
        5,
        `@webhook: ${all} are missing`,
        `put the tag above a class that implements Defaulter<Kind> or Validator<Kind>, or ${write}`,
      ],
    ],
    [
      'for the other interface',
      '/** @webhook mutating=true */\nexport class Handler implements Validator<Foo> {}',
      [
        3,
        5,
        '@webhook: name, groups, versions, resources, and verbs are missing',
        `let Handler implement Defaulter<Kind>, or ${write.replace('mutating=…, ', '')}`,
      ],
    ],
    [
      'above a class that implements both',
      '/** @webhook */\nexport class Handler implements Validator<Foo>, Defaulter<Foo> {}',
      [3, 5, 'Handler implements both Defaulter and Validator', 'add mutating=true or mutating=false'],
    ],
    [
      'for a kind that is misspelled',
      '/** @webhook */\nexport class Handler implements Validator<Fooo> {}',
      [4, 43, 'Fooo is not declared or imported here', `did you mean Foo? Correct it, or ${writeKind}`],
    ],
    [
      'for a kind of a file that is not there',
      `import type { Bar } from './bar.ts';\n/** @webhook */\nexport class Handler implements Validator<Bar> {}`,
      [5, 43, "Bar is not a kind: './bar.ts' does not exist", writeKind],
    ],
    [
      'for a type that is not a kind',
      'interface Bar { a: string }\n/** @webhook */\nexport class Handler implements Validator<Bar> {}',
      [5, 43, 'Bar is not a kind', `define it with defineKind, or ${writeKind}`],
    ],
    [
      'for a kind of a package',
      `import type { Bar } from 'bars';\n/** @webhook */\nexport class Handler implements Validator<Bar> {}`,
      [5, 43, 'Bar comes from bars, which ots does not read', writeKind],
    ],
    [
      'for two kinds',
      '/** @webhook */\nexport class Handler implements Validator<Foo | Bar> {}',
      [4, 43, 'Foo | Bar is more than one kind', `give each kind a class, or ${writeKind}`],
    ],
    [
      'for no kind',
      '/** @webhook */\nexport class Handler implements Validator {}',
      [
        4,
        33,
        'the kind of this webhook is not named',
        `name it, as in Validator<JobWatcher>, or ${writeKind}`,
      ],
    ],
    [
      'for a built-in kind outside of a project',
      `import type { Pod } from 'ots-kubernetes/core/v1';\n/** @webhook */\nexport class Handler implements Validator<Pod> {}`,
      [4, 5, '@webhook: name is missing', 'add name=…, such as name=vpod-v1.core.example.com'],
    ],
  ])('%s', (_, handler, [line, column, message, hint]) => {
    expect(diagnosticsOf(handler)).toMatchObject([
      { file: 'src/webhooks/foo.ts', line, column, message, hint },
    ]);
  });

  test('unless it is complete', () => {
    expect(diagnosticsOf(long(true).replace('Handler {}', 'Handler implements Validator<Fooo> {}'))).toEqual(
      [],
    );
  });

  test('by the name when two webhooks are for one kind', () => {
    const handler =
      '/** @webhook */\nclass A implements Validator<Foo> {}\n/** @webhook */\nclass B implements Validator<Foo> {}';
    expect(diagnosticsOf(handler)).toMatchObject([
      { line: 5, message: 'another webhook is called vfoo-v1.a.example.com' },
    ]);
  });
});
