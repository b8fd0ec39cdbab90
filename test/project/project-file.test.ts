import { describe, expect, test } from 'vitest';
import { ProjectFile } from '../../src/project/project-file.ts';
import { codeOf, errorOf } from './error-of.ts';
import { resource } from './example-project.ts';

const head = 'version: "3"\nlayout: [typescript.ots/v1]\ndomain: example.com\nprojectName: fleet\n';
const entry = '- {group: crew, domain: example.com, version: v1, kind: Captain}\n';

describe('a new PROJECT', () => {
  test('records the version and the plugins of the project', () => {
    const file = ProjectFile.create({
      cliVersion: '0.1.0',
      domain: 'example.com',
      projectName: 'fleet',
      repo: 'github.com/acme/fleet',
      namespaced: true,
    });

    expect(file.project).toEqual({
      version: '3',
      layout: ['typescript.ots/v1'],
      cliVersion: '0.1.0',
      domain: 'example.com',
      projectName: 'fleet',
      repo: 'github.com/acme/fleet',
      multigroup: false,
      namespaced: true,
      plugins: {},
      resources: [],
    });
    expect(ProjectFile.parse(file.toString()).project).toEqual(file.project);
  });

  test('refuses names as the flags that gave them, without a position', () => {
    const error = errorOf(() => ProjectFile.create({ domain: 'a_b', projectName: 'fleet', repo: 'fleet' }));

    expect(error.code).toBe('INVALID_DOMAIN');
    expect(error.message).not.toContain('PROJECT:');
  });
});

describe('reading PROJECT', () => {
  test('reads every key of a resource', () => {
    const file = ProjectFile.parse(`${head}multigroup: true
plugins: {x.y/v1: {a: [1]}}
resources:
- api: {crdVersion: v1, namespaced: true}
  controllers: [{name: captain}, {name: captain-backup}]
  domain: example.com
  group: crew
  kind: Captain
  path: src/api/crew/v1
  plural: admirales
  version: v1
  webhooks: {conversion: true, defaulting: true, defaultingPath: /x, spoke: [v2], validation: true, webhookVersion: v1}
- {core: true, controller: true, group: core, kind: Pod, version: v1}
`);

    expect(file.project.plugins).toEqual({ 'x.y/v1': { a: [1] } });
    expect(file.project.resources).toEqual([
      {
        api: { crdVersion: 'v1', namespaced: true },
        controller: false,
        controllers: [{ name: 'captain' }, { name: 'captain-backup' }],
        core: false,
        external: false,
        domain: 'example.com',
        group: 'crew',
        kind: 'Captain',
        path: 'src/api/crew/v1',
        plural: 'admirales',
        version: 'v1',
        webhooks: {
          webhookVersion: 'v1',
          defaulting: true,
          defaultingPath: '/x',
          validation: true,
          validationPath: undefined,
          conversion: true,
          spoke: ['v2'],
        },
      },
      expect.objectContaining({
        core: true,
        controller: true,
        group: 'core',
        domain: '',
        kind: 'Pod',
        plural: 'pods',
      }),
    ]);
  });

  test('accepts a layout that is one string, other plugins beside ours, and keys without a value', () => {
    expect(
      ProjectFile.parse(head.replace('[typescript.ots/v1]', 'typescript.ots/v1')).project.layout,
    ).toHaveLength(1);
    expect(ProjectFile.parse(head.replace('v1]', 'v1, helm.ots/v1]')).project.layout).toHaveLength(2);
    expect(ProjectFile.parse(`${head}resources:\nplugins:\nmultigroup: ~\n`).project.resources).toEqual([]);
  });

  test('is a model that cannot be changed', () => {
    const { project } = ProjectFile.parse(`${head}plugins: {a: {b: [1]}}\nresources:\n${entry}`);

    expect(() => Object.assign(project.resources[0]!, { kind: 'X' })).toThrow(TypeError);
    expect(() => Object.assign(Object(project.plugins['a']), { b: 2 })).toThrow(TypeError);
  });

  const webhooks = (text: string) => `${head}resources:\n${entry.replace('}\n', `, webhooks: {${text}}}\n`)}`;
  const one = (from: string | RegExp, to: string) => `${head}resources:\n${entry.replace(from, to)}`;

  test.each([
    // not a PROJECT at all
    ['nothing', '', 'INVALID_PROJECT', 1, 1],
    ['only a comment', '# hello\n', 'INVALID_PROJECT', 1, 1],
    ['a string', 'hello', 'INVALID_PROJECT', 1, 1],
    ['a list', '- a\n- b\n', 'INVALID_PROJECT', 1, 1],
    ['a YAML error', 'version: "3"\nlayout: [a\n', 'INVALID_PROJECT', 3, 1],
    ['a key that is given twice', 'version: "3"\ndomain: a\ndomain: b\n', 'INVALID_PROJECT', 3, 1],
    ['two documents', `${head}---\na: 1\n`, 'INVALID_PROJECT', 5, 1],
    ['an anchor', `${head}x: &a {}\n`, 'INVALID_PROJECT', 5, 7],
    ['an alias of nothing', `${head}x: *a\n`, 'INVALID_PROJECT', 5, 4],
    ['a NUL byte', `${head}x: \0\n`, 'INVALID_PROJECT', 5, 4],
    ['bytes that are not UTF-8', `${head}# \uFFFD\n`, 'INVALID_PROJECT', 5, 3],
    ['10 MB', `${head}${'x'.repeat(10_000_000)}`, 'INVALID_PROJECT', 1, 1],
    ['flow lists nested without end', '['.repeat(100_000), 'INVALID_PROJECT', 1, 65],
    ['lists nested without end', '- '.repeat(100_000), 'INVALID_PROJECT', 1, undefined],
    ['maps nested without end', 'a: {'.repeat(20_000), 'INVALID_PROJECT', 1, undefined],
    ['a prototype', '__proto__: {version: "3"}\n', 'INVALID_PROJECT', 1, 1],
    ['a key that is not a string', '? [a]\n: b\n', 'INVALID_PROJECT', 1, 3],
    // not one of ours
    ['no version', head.replace('version: "3"\n', ''), 'INVALID_PROJECT', 1, 1],
    ['a version that is a number', head.replace('"3"', '3'), 'INVALID_PROJECT', 1, 10],
    ['an older version', head.replace('"3"', '"2"'), 'PROJECT_VERSION', 1, 10],
    ['a version of letters', head.replace('"3"', 'three'), 'PROJECT_VERSION', 1, 10],
    ['a newer version', head.replace('"3"', '"4"'), 'PROJECT_TOO_NEW', 1, 10],
    ['a newer alpha version', head.replace('"3"', '"4-alpha"'), 'PROJECT_TOO_NEW', 1, 10],
    ['a newer layout', head.replace('ots/v1', 'ots/v2'), 'PROJECT_TOO_NEW', 2, 9],
    ['no layout', head.replace(/layout.*\n/, ''), 'PROJECT_LAYOUT', 1, 1],
    ['an empty layout', head.replace(/\[.*\]/, '[]'), 'PROJECT_LAYOUT', 1, 1],
    ['a project of kubebuilder', head.replace(/\[.*\]/, '\n- go.kubebuilder.io/v4'), 'PROJECT_LAYOUT', 3, 1],
    [
      'a project of operator-sdk',
      head.replace(/\[.*\]/, 'helm.sdk.operatorframework.io/v1'),
      'PROJECT_LAYOUT',
      2,
      9,
    ],
    // wrong types
    ['a layout that is a number', head.replace(/\[.*\]/, '1'), 'INVALID_PROJECT', 2, 9],
    ['a domain that is a list', head.replace('example.com', '[a]'), 'INVALID_PROJECT', 3, 9],
    ['no domain', head.replace('example.com', ''), 'INVALID_PROJECT', 1, 1],
    ['a multigroup in quotes', `${head}multigroup: "true"\n`, 'INVALID_PROJECT', 5, 13],
    ['resources that are a map', `${head}resources: {}\n`, 'INVALID_PROJECT', 5, 12],
    ['a resource that is a string', `${head}resources:\n- Captain\n`, 'INVALID_PROJECT', 6, 3],
    ['plugins that are a list', `${head}plugins: []\n`, 'INVALID_PROJECT', 5, 10],
    ['an api that is true', one('v1,', 'v1, api: true,'), 'INVALID_PROJECT', 6, undefined],
    ['controllers that are strings', one('v1,', 'v1, controllers: [a],'), 'INVALID_PROJECT', 6, undefined],
    ['a resource without a kind', one(', kind: Captain', ''), 'INVALID_PROJECT', 6, 3],
    ['a resource without a domain', one('domain: example.com, ', ''), 'INVALID_PROJECT', 6, 3],
    // bad names
    ['a bad domain', head.replace('example.com', 'Bad_Domain'), 'INVALID_DOMAIN', 3, 9],
    ['a bad project name', head.replace('fleet', 'Fleet'), 'INVALID_PROJECT_NAME', 4, 14],
    ['a bad repo', `${head}repo: not a repo\n`, 'INVALID_REPO', 5, 7],
    ['a bad group', one('crew', 'Crew'), 'INVALID_GROUP', 6, 11],
    ['a bad version', one('v1', 'one'), 'INVALID_VERSION', 6, undefined],
    ['a bad kind', one('Captain', 'captain'), 'INVALID_KIND', 6, undefined],
    ['a reserved kind', one('Captain', 'Promise'), 'RESERVED_KIND', 6, undefined],
    ['a bad plural', one('v1,', 'v1, plural: A,'), 'INVALID_PLURAL', 6, undefined],
    [
      'a bad controller name',
      one('v1,', 'v1, controllers: [{name: A_B}],'),
      'INVALID_CONTROLLER_NAME',
      6,
      undefined,
    ],
    ['a CRD version', one('v1,', 'v1, api: {crdVersion: v1beta1},'), 'INVALID_PROJECT', 6, undefined],
    ['a path that leads out', one('v1,', 'v1, path: ../../etc,'), 'INVALID_PROJECT', 6, undefined],
    ['an absolute path', one('v1,', 'v1, path: /etc,'), 'INVALID_PROJECT', 6, undefined],
    [
      'an external path that leads out',
      one('v1,', 'v1, external: true, path: ../x,'),
      'INVALID_EXTERNAL_API_PATH',
      6,
      undefined,
    ],
    ['a bad webhook path', webhooks('defaultingPath: foo'), 'INVALID_WEBHOOK_PATH', 6, undefined],
    ['a bad spoke', webhooks('spoke: [two]'), 'INVALID_VERSION', 6, undefined],
    ['a spoke that is the hub', webhooks('spoke: [v1]'), 'SPOKE_IS_HUB', 6, undefined],
    [
      'a resource that is listed twice',
      `${head}resources:\n${entry}${entry}`,
      'DUPLICATE_RESOURCE',
      7,
      undefined,
    ],
    [
      'two kinds of one plural',
      `${head}resources:\n${entry}${entry.replace('Captain', 'Captains')}`,
      'PLURAL_TAKEN',
      7,
      undefined,
    ],
  ])('refuses %s', (_title, text, code, line, column) => {
    const error = errorOf(() => ProjectFile.parse(text));

    expect(error.code).toBe(code);
    expect(error.details).toMatchObject({ file: 'PROJECT', line, ...(column && { column }) });
    expect(error.message).toMatch(new RegExp(`^PROJECT:${line}:${column ?? String.raw`\d+`}: `));
  });

  test('names the owner of a foreign project', () => {
    const foreign = errorOf(() =>
      ProjectFile.parse(head.replace('typescript.ots/v1', 'go.kubebuilder.io/v4')),
    );
    const newer = errorOf(() => ProjectFile.parse(head.replace('"3"', '"4"')));

    expect(foreign.message).toContain('This is a go.kubebuilder.io/v4 project of kubebuilder, not of ots');
    expect(newer.message).toContain('this version of ots is older than the project');
  });

  test('counts columns behind a byte order mark', () => {
    expect(errorOf(() => ProjectFile.parse('\uFEFFversion: 3\n')).details).toMatchObject({
      line: 1,
      column: 10,
    });
  });
});

describe('recording a resource', () => {
  test('writes only true and irregular values in alphabetical order', () => {
    expect(merged(resource({ controller: true, plural: 'admirales' })).toString()).toBe(`${head}resources:
- api:
    crdVersion: v1
    namespaced: true
  controller: true
  domain: example.com
  group: crew
  kind: Captain
  path: src/api/v1
  plural: admirales
  version: v1
`);
  });

  test('merges what several commands record about one resource', () => {
    const file = merged(
      resource({ controller: true }),
      resource({ api: undefined, path: undefined, webhooks: { defaulting: true, defaultingPath: '/a' } }),
      resource({ path: 'src/api/crew/v1', webhooks: { validation: true, defaultingPath: '/b' } }),
      resource({ path: undefined, webhooks: { conversion: true, spoke: ['v2'] } }),
      resource({ path: undefined, webhooks: { conversion: true, spoke: ['v3', 'v2'] } }),
    );

    expect(file.project.resources).toHaveLength(1);
    expect(file.project.resources[0]).toMatchObject({
      api: { namespaced: true },
      controller: true,
      path: 'src/api/crew/v1',
      webhooks: {
        defaulting: true,
        defaultingPath: '/b',
        validation: true,
        conversion: true,
        spoke: ['v2', 'v3'],
      },
    });
  });

  test('lists the unnamed controller by name as soon as there is a named one', () => {
    const file = merged(
      resource({ controller: true }),
      resource({ controllers: [{ name: 'captain-backup' }] }),
    );

    expect(file.project.resources[0]?.controllers).toEqual([{ name: 'captain' }, { name: 'captain-backup' }]);
    expect(file.toString()).toContain(
      '  controllers:\n  - name: captain\n  - name: captain-backup\n  domain:',
    );
    expect(file.toString()).not.toContain('controller:');
  });

  test('distinguishes kinds by group, domain and version', () => {
    const file = merged(resource(), resource({ version: 'v2' }), resource({ domain: 'other.org' }));

    expect(file.project.resources).toHaveLength(3);
  });

  test('changes nothing when everything is recorded', () => {
    const file = merged(resource({ webhooks: { defaulting: true } }));
    const before = file.toString();
    file.addOrMergeResource(resource());

    expect(file.toString()).toBe(before);
  });

  test('keeps the file and the model when it is refused', () => {
    const file = merged(resource());
    const before = file.toString();

    expect(codeOf(() => file.addOrMergeResource(resource({ plural: 'admirales' })))).toBe('PLURAL_DIFFERS');
    expect(codeOf(() => file.addOrMergeResource(resource({ kind: 'Captains' })))).toBe('PLURAL_TAKEN');
    expect(codeOf(() => file.addOrMergeResource(resource({ kind: 'captain' })))).toBe('INVALID_KIND');
    expect(codeOf(() => file.set('domain', 'a_b'))).toBe('INVALID_DOMAIN');
    expect(file.toString()).toBe(before);
    expect(file.project.resources).toHaveLength(1);
  });
});

function merged(...inputs: Parameters<ProjectFile['addOrMergeResource']>[0][]): ProjectFile {
  const file = ProjectFile.parse(head);
  for (const input of inputs) file.addOrMergeResource(input);
  return file;
}
