import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { type TestProject, testProject } from '../support/test-project.ts';
import { snapshot } from '../support/snapshot.ts';

const api = (group: string, version: string, kind: string, ...flags: string[]): string[] => [
  'create',
  'api',
  '--group',
  group,
  '--version',
  version,
  '--kind',
  kind,
  ...flags,
];
const captain = (...flags: string[]): string[] => api('crew', 'v1', 'Captain', ...flags);
const webhook = (...flags: string[]): string[] => [
  'create',
  'webhook',
  '--group',
  'crew',
  '--version',
  'v1',
  '--kind',
  'Captain',
  ...flags,
];
const init = (...flags: string[]): string[] => [
  'init',
  'new',
  '--skip-install',
  '--domain',
  'example.com',
  ...flags,
];
const long = (length: number): string => 'a'.repeat(length);

/** What kubebuilder accepts, breaks on half-way, or refuses without a word; and the code with which ots refuses it. */
const refused: readonly (readonly [string, string[], string])[] = [
  // project
  ['a project name with capitals', init('--project-name', 'MyProject'), 'INVALID_PROJECT_NAME'],
  [
    'a project name that is too long for its namespace',
    init('--project-name', long(57)),
    'PROJECT_NAME_TOO_LONG',
  ],
  [
    'a project name that is too long for its objects',
    init('--project-name', long(31)),
    'PROJECT_NAME_TOO_LONG',
  ],
  ['a domain with an underscore', init('--domain', 'Bad_Domain!'), 'INVALID_DOMAIN'],
  ['an empty domain', init('--domain', ''), 'INVALID_DOMAIN'],
  ['a domain of Kubernetes', init('--domain', 'k8s.io'), 'PROTECTED_GROUP'],
  ['an invalid repo', init('--repo', 'not a repo!!'), 'INVALID_REPO'],
  ['an unknown license', init('--license', 'gpl'), 'UNKNOWN_LICENSE'],
  ['a missing license file', init('--license-file', 'nowhere.txt'), 'INVALID_LICENSE_FILE'],
  ['an owner that ends the comment', init('--owner', 'me */ evil()'), 'INVALID_OWNER'],
  ['an unknown plugin', init('--plugins', 'go.kubebuilder.io/v4'), 'UNKNOWN_PLUGIN'],
  [
    'init in a project',
    ['init', '.', '--skip-install', '--domain', 'example.com', '--project-name', 'x'],
    'ALREADY_A_PROJECT',
  ],
  // group, version, kind
  ['an empty group', api('', 'v1', 'Captain'), 'MISSING_GROUP'],
  ['a group with capitals', api('Crew', 'v1', 'Sailor'), 'INVALID_GROUP'],
  ['a group with a blank', api('cr ew', 'v1', 'Sailor'), 'INVALID_GROUP'],
  ['a group that is too long', api(long(64), 'v1', 'Sailor'), 'INVALID_GROUP'],
  ['a second group', api('ship', 'v1', 'Frigate'), 'MULTIPLE_GROUPS'],
  ['version V1', api('crew', 'V1', 'Sailor'), 'INVALID_VERSION'],
  ['version 1', api('crew', '1', 'Sailor'), 'INVALID_VERSION'],
  ['version v1.2', api('crew', 'v1.2', 'Sailor'), 'INVALID_VERSION'],
  ['version foo', api('crew', 'foo', 'Sailor'), 'INVALID_VERSION'],
  ['version __internal', api('crew', '__internal', 'Sailor'), 'INVALID_VERSION'],
  ['a lower-case kind', api('crew', 'v1', 'sailor'), 'INVALID_KIND'],
  ['Cap_tain', api('crew', 'v1', 'Cap_tain'), 'INVALID_KIND'],
  ['1Captain', api('crew', 'v1', '1Captain'), 'INVALID_KIND'],
  ['Capitán', api('crew', 'v1', 'Capitán'), 'INVALID_KIND'],
  ['My-Kind', api('crew', 'v1', 'My-Kind'), 'INVALID_KIND'],
  ['a kind that is too long', api('crew', 'v1', `A${long(63)}`), 'INVALID_KIND'],
  ['Type', api('crew', 'v1', 'Type'), 'RESERVED_KIND'],
  ['String', api('crew', 'v1', 'String'), 'RESERVED_KIND'],
  ['Object', api('crew', 'v1', 'Object'), 'RESERVED_KIND'],
  ['Promise', api('crew', 'v1', 'Promise'), 'RESERVED_KIND'],
  ['List', api('crew', 'v1', 'List'), 'RESERVED_KIND'],
  ['Manager, which templates import', api('crew', 'v1', 'Manager'), 'RESERVED_KIND'],
  ['Yes, which YAML reads as true', api('crew', 'v1', 'Yes'), 'RESERVED_KIND'],
  ['a kind that is there', captain(), 'RESOURCE_EXISTS'],
  ['a kind that differs in case', api('crew', 'v1', 'CAPTAIN'), 'KIND_DIFFERS_IN_CASE'],
  ['a kind whose plural is taken', api('crew', 'v1', 'Captains'), 'PLURAL_TAKEN'],
  [
    'a kind whose roles get names that are too long',
    api('crew', 'v1', `A${long(50)}`),
    'DERIVED_NAME_TOO_LONG',
  ],
  ['a plural with capitals', api('crew', 'v1', 'Sailor', '--plural', 'Sailors'), 'INVALID_PLURAL'],
  ['a plural with a dot', api('crew', 'v1', 'Sailor', '--plural', 'sai.lors'), 'INVALID_PLURAL'],
  [
    'another plural for a second version',
    api('crew', 'v2', 'Captain', '--plural', 'capitani'),
    'PLURAL_DIFFERS',
  ],
  ['another scope for a second version', api('crew', 'v2', 'Captain', '--namespaced=false'), 'SCOPE_DIFFERS'],
  ['a short name that is taken', api('crew', 'v1', 'Sailor', '--short-name', 'po'), 'SHORT_NAME_TAKEN'],
  ['a short name with capitals', api('crew', 'v1', 'Sailor', '--short-name', 'SA'), 'INVALID_SHORT_NAME'],
  ['a category with a blank', api('crew', 'v1', 'Sailor', '--categories', 'a b'), 'INVALID_CATEGORY'],
  // controllers
  [
    'a controller name with capitals',
    captain('--resource=false', '--controller-name', 'Foo_Bar'),
    'INVALID_CONTROLLER_NAME',
  ],
  [
    'a controller name that is taken',
    captain('--resource=false', '--controller-name', 'captain'),
    'CONTROLLER_NAME_TAKEN',
  ],
  [
    'a controller name that is taken but for hyphens',
    captain('--resource=false', '--controller-name', 'cap-tain'),
    'CONTROLLER_NAME_TAKEN',
  ],
  ['a second controller without a name', captain('--resource=false'), 'CONTROLLER_EXISTS'],
  [
    'a second version with a second controller',
    api('crew', 'v2', 'Captain', '--controller=true'),
    'CONTROLLER_EXISTS',
  ],
  [
    'neither resource nor controller',
    api('crew', 'v1', 'Sailor', '--resource=false', '--controller=false'),
    'NOTHING_TO_DO',
  ],
  // types of others
  [
    'a type that is both own and external',
    api('cert-manager', 'v1', 'Certificate', '--resource=true', '--external-api-domain', 'io'),
    'OWN_AND_EXTERNAL',
  ],
  [
    'an invalid external path',
    api('cert-manager', 'v1', 'Certificate', '--external-api-path', '../../x'),
    'INVALID_EXTERNAL_API_PATH',
  ],
  [
    'an external path of Go',
    api(
      'cert-manager',
      'v1',
      'Certificate',
      '--external-api-path',
      'github.com/x/y',
      '--external-api-domain',
      'io',
    ),
    'INVALID_EXTERNAL_API_PATH',
  ],
  [
    'an external package that is not installed',
    api(
      'cert-manager',
      'v1',
      'Certificate',
      '--external-api-path',
      '@acme/types',
      '--external-api-domain',
      'io',
    ),
    'MISSING_DEPENDENCY',
  ],
  ['an unknown core version', api('apps', 'v99', 'Deployment', '--resource=false'), 'UNKNOWN_CORE_VERSION'],
  ['an unknown core kind', api('apps', 'v1', 'Nothing', '--resource=false'), 'UNKNOWN_CORE_KIND'],
  ['an unknown core group', api('app', 'v1', 'Deployment', '--resource=false'), 'UNKNOWN_CORE_GROUP'],
  // webhooks
  ['a webhook of no type', webhook(), 'WEBHOOK_TYPE_MISSING'],
  [
    'a webhook of a kind that is missing',
    ['create', 'webhook', '--group', 'crew', '--version', 'v9', '--kind', 'Captain', '--defaulting'],
    'RESOURCE_MISSING',
  ],
  ['a second webhook of a type', webhook('--defaulting'), 'WEBHOOK_EXISTS'],
  ['a conversion without a spoke', webhook('--conversion'), 'SPOKE_MISSING'],
  ['a spoke that is the hub', webhook('--conversion', '--spoke', 'v1'), 'SPOKE_IS_HUB'],
  ['a spoke that is missing', webhook('--conversion', '--spoke', 'v7'), 'UNKNOWN_SPOKE'],
  [
    'a path without a slash',
    webhook('--programmatic-validation', '--validation-path', 'foo'),
    'INVALID_WEBHOOK_PATH',
  ],
  [
    'a path of a webhook that is not made',
    webhook('--programmatic-validation', '--defaulting-path', '/foo'),
    'PATH_WITHOUT_WEBHOOK',
  ],
  [
    'the path of another webhook',
    webhook('--programmatic-validation', '--validation-path', '/mutate-crew-example-com-v1-captain'),
    'WEBHOOK_PATH_TAKEN',
  ],
];

const wrongUsage: readonly (readonly [string, string[]])[] = [
  ['an unknown command', ['crate']],
  ['no command', []],
  ['half a command', ['create']],
  ['an unknown flag', ['init', '--project-version', '9']],
  ['an argument too many', ['init', 'a', 'b']],
  ['an unexpected argument', captain('extra')],
  ['a flag without its value', ['create', 'api', '--group']],
  ['a missing flag without a terminal', ['create', 'api', '--group', 'crew']],
  ['neither true nor false', api('crew', 'v1', 'Sailor', '--resource=maybe')],
  ['nothing to edit', ['edit']],
  ['a shell that has no completion', ['completion', 'tcsh']],
];

describe('bad input', () => {
  let project: TestProject;
  beforeAll(async () => {
    project = await testProject(captain(), webhook('--defaulting'));
  });

  test.each(refused)('refuses %s, and changes nothing', async (_, args, code) => {
    const before = snapshot(project.directory);
    const { code: exit, stderr, stdout } = await project.run(...args);
    expect([exit, stdout]).toEqual([1, '']);
    expect(stderr).toMatch(/^error: [^\n]+\nhint: [^\n]+\n$/);
    expect(JSON.parse((await project.run(...args, '--json')).stdout)).toMatchObject({ error: { code } });
    expect(snapshot(project.directory)).toEqual(before);
  });

  test.each(wrongUsage)('explains %s', async (_, args) => {
    const before = snapshot(project.directory);
    const { code, stderr, stdout } = await project.run(...args);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toMatch(/^error: [^\n]+\nhint: [^\n]+\n$/);
    expect(snapshot(project.directory)).toEqual(before);
  });

  test.each([
    ['no YAML', 'a: [', /PROJECT:\d+:\d+: /],
    [
      'another layout',
      'layout: [go.kubebuilder.io/v4]\nversion: "3"\ndomain: x.io\nprojectName: x\n',
      /PROJECT:1:\d+: /,
    ],
    [
      'a newer version',
      'layout: [typescript.ots/v1]\nversion: "9"\ndomain: x.io\nprojectName: x\n',
      /PROJECT:2:\d+: /,
    ],
    ['nothing', '', /PROJECT/],
    ['junk', '\u0000\u0001\uFFFD', /PROJECT/],
  ])('refuses a PROJECT with %s, and keeps it', async (_, text, message) => {
    const path = join(project.directory, 'PROJECT');
    const good = readFileSync(path);
    writeFileSync(path, text);
    const before = snapshot(project.directory);
    const { code, stderr } = await project.run(...api('crew', 'v1', 'Sailor'));
    expect(code).toBe(1);
    expect(stderr).toMatch(message);
    expect(snapshot(project.directory)).toEqual(before);
    writeFileSync(path, good);
  });

  test('refuses to work without a project', async () => {
    const { code, stderr } = await project.run(...captain(), '--cwd', '/');
    expect(code).toBe(1);
    expect(stderr).toContain('no PROJECT file');
    expect((await project.run('manifests', '--cwd', 'nowhere')).stderr).toContain('does not exist');
  });
});
