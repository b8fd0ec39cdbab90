import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { type EditableProject, copyOf } from '../support/copy-of.ts';
import { type Turn, converse, enterKey } from '../support/converse.ts';
import { snapshot } from '../support/snapshot.ts';
import { type TestProject, testProject } from '../support/test-project.ts';

const gvk = (group: string, version: string, kind: string): string[] => [
  '--group',
  group,
  '--version',
  version,
  '--kind',
  kind,
];
const captain = gvk('crew', 'v1', 'Captain');
const certificate = gvk('cert-manager', 'v1', 'Certificate');
const deletion = ['delete', 'api', ...captain];
const typeFile = 'src/api/v1/captain.ts';
const controller = 'src/controllers/captain.controller.ts';

let bare: TestProject;
let base: TestProject;
let versions: TestProject;
let hooked: TestProject;
beforeAll(async () => {
  bare = await testProject();
  base = await testProject(['create', 'api', ...captain]);
  versions = await testProject(
    ['create', 'api', ...captain],
    ['create', 'api', ...gvk('crew', 'v2', 'Captain')],
  );
  hooked = await testProject(
    ['create', 'api', ...captain],
    ['create', 'api', ...gvk('crew', 'v2', 'Captain')],
    ['create', 'webhook', ...captain, '--defaulting', '--programmatic-validation'],
    ['create', 'webhook', ...captain, '--conversion', '--spoke', 'v2'],
  );
});

const has = (project: EditableProject, path: string): boolean => existsSync(join(project.directory, path));
const upToDate = 'Nothing to do: everything is up to date';

describe('delete api', () => {
  test('leaves the project as it was before create api, and says what stays in clusters', async () => {
    const project = copyOf(base);
    const output = await project.succeed(...deletion);
    expect(snapshot(project.directory)).toEqual(snapshot(bare.directory));
    expect(output).toContain('kubectl delete crd captains.crew.example.com');
    expect(await project.succeed('manifests', '--dry-run')).toContain(upToDate);
  });

  test('shows every change with --dry-run and writes nothing', async () => {
    const project = copyOf(base);
    const before = snapshot(project.directory);
    const output = await project.succeed(...deletion, '--dry-run');
    expect(output).toContain(`delete ${typeFile}`);
    expect(output).toContain("-import { setupCaptainController } from './captain.controller.ts';");
    expect(snapshot(project.directory)).toEqual(before);
  });

  test('reports the changes as JSON', async () => {
    const report = JSON.parse(await copyOf(base).succeed(...deletion, '--json')) as {
      command: string;
      changes: object[];
    };
    expect(report.command).toBe('delete api');
    expect(report.changes).toContainEqual(expect.objectContaining({ path: typeFile, action: 'delete' }));
  });

  test('refuses as a whole if the author edited a file, and deletes it with --force', async () => {
    const project = copyOf(base);
    project.change(controller, (text) => `${text}// mine\n`);
    const error = await project.refuse(...deletion);
    expect(error).toMatchObject({
      code: 'EDITED_FILES',
      message: `A file that would be deleted has changed since ots wrote it: ${controller}`,
      details: { paths: [controller] },
    });
    expect(error.hint).toContain('--force');
    expect(await project.succeed(...deletion, '--force')).toContain(
      `Deleted with your edits: ${controller}.`,
    );
    expect(snapshot(project.directory)).toEqual(snapshot(bare.directory));
  });

  test('works with Windows line endings', async () => {
    const project = copyOf(base);
    const paths = ['PROJECT', typeFile, 'config/rbac/kustomization.yaml', 'src/controllers/index.ts'];
    for (const path of paths) project.change(path, (text) => text.replaceAll('\n', '\r\n'));
    await project.succeed(...deletion);
    for (const path of paths.filter((name) => name !== typeFile))
      expect(project.read(path)).toBe(copyOf(bare).read(path).replaceAll('\n', '\r\n'));
  });

  test('keeps the comments and keys of the author in PROJECT', async () => {
    const project = copyOf(base);
    project.change('PROJECT', (text) =>
      text
        .replace('resources:\n', '# our kinds\nresources:\n# first\n')
        .replace('version: "3"', 'x-team: fleet\nversion: "3"'),
    );
    await project.succeed(...deletion);
    expect(project.read('PROJECT')).toContain('# our kinds\n# first\nx-team: fleet\nversion: "3"\n');
    expect(project.read('PROJECT')).not.toContain('Captain');
  });

  test('completes what the author began to delete by hand', async () => {
    const project = copyOf(base);
    for (const path of [typeFile, 'config/rbac/captain-admin-role.yaml'])
      rmSync(join(project.directory, path));
    const output = await project.succeed(...deletion);
    expect(output).toContain(`Already missing: config/rbac/captain-admin-role.yaml, ${typeFile}.`);
    const files = Object.entries(snapshot(project.directory)).filter(([path]) => !path.endsWith('/'));
    expect(snapshot(bare.directory)).toMatchObject(Object.fromEntries(files));
  });

  test('deletes another version, also one that began as a copy of edited types', async () => {
    const project = copyOf(base);
    project.change(typeFile, (text) =>
      text.replace('  message: string;', '  message: string;\n  rank?: string;'),
    );
    await project.succeed('manifests');
    const before = snapshot(project.directory);
    await project.succeed('create', 'api', ...gvk('crew', 'v2', 'Captain'));
    expect(project.read('src/api/v2/captain.ts')).toContain('rank?: string');
    await project.succeed('delete', 'api', ...gvk('crew', 'v2', 'Captain'));
    expect(snapshot(project.directory)).toEqual(before);
  });

  test('gives the controller and the storage to the version that remains, with the edits of the author', async () => {
    const project = copyOf(versions);
    project.change(controller, (text) => `${text}// mine\n`);
    project.change('src/api/v2/captain.ts', (text) => text.replace('  message: string;', '  text: string;'));
    const output = await project.succeed(...deletion);
    expect(output).toContain('The controller of Captain now works with v2.');
    expect(output).toContain('ots migrate-storage');
    expect(project.read(controller)).toContain("from '../api/v2/captain.ts'");
    expect(project.read(controller)).toContain('// mine\n');
    const types = project.read('src/api/v2/captain.ts');
    expect(types).toContain('  text: string;');
    expect(types).toContain(' * @storageVersion\n');
    expect(parse(project.read('PROJECT'))).toMatchObject({
      resources: [{ version: 'v2', controller: true }],
    });
  });

  test('gives all controllers to the version that remains', async () => {
    const project = copyOf(versions);
    const another = ['--resource=false', '--controller-name', 'captain-backup'];
    await project.succeed('create', 'api', ...captain, ...another);
    await project.succeed(...deletion);
    const expected = copyOf(bare);
    const v2 = gvk('crew', 'v2', 'Captain');
    await expected.succeed('create', 'api', ...v2);
    await expected.succeed('create', 'api', ...v2, ...another);
    expect(snapshot(project.directory)).toEqual(snapshot(expected.directory));
  });

  test('keeps the storage version that the author has chosen', async () => {
    const project = copyOf(versions);
    await project.succeed('create', 'api', ...gvk('crew', 'v3', 'Captain'));
    project.change(typeFile, (text) => text.replace(' * @storageVersion\n', ''));
    project.change('src/api/v3/captain.ts', (text) =>
      text.replace(' * @subresource', ' * @storageVersion\n * @subresource'),
    );
    await project.succeed(...deletion, '--force');
    expect(project.read('src/api/v2/captain.ts')).not.toContain('@storageVersion');
  });

  test('deletes only a controller with --resource=false or its name', async () => {
    const project = copyOf(base);
    await project.succeed('create', 'api', ...captain, '--resource=false', '--controller-name', 'backup');
    expect(await project.refuse(...deletion, '--resource=false')).toMatchObject({
      code: 'SEVERAL_CONTROLLERS',
      message: 'Captain v1 has several controllers: captain, backup',
    });
    await project.succeed(...deletion, '--controller-name', 'backup');
    expect(snapshot(project.directory)).toEqual(snapshot(base.directory));
    await project.succeed(...deletion, '--resource=false');
    expect(has(project, controller)).toBe(false);
    expect(has(project, typeFile)).toBe(true);
    expect(await project.refuse(...deletion, '--resource=false')).toMatchObject({
      code: 'CONTROLLER_MISSING',
    });
  });

  test('deletes the declaration and the test CRD of a kind of another project with its last controller', async () => {
    const project = copyOf(bare);
    const create = ['create', 'api', ...certificate, '--resource=false', '--external-api-domain', 'io'];
    await project.succeed(...create);
    expect(has(project, 'test/crds/certificates.cert-manager.io.yaml')).toBe(true);
    await project.succeed('delete', 'api', ...certificate);
    expect(snapshot(project.directory)).toEqual(snapshot(bare.directory));
  });

  test('keeps entries that the author added to kustomizations, and what refers to these', async () => {
    const project = copyOf(base);
    project.write('config/samples/mine.yaml', 'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: mine\n');
    project.change('config/samples/kustomization.yaml', (text) => `${text}  - mine.yaml # ours\n`);
    project.change('config/rbac/kustomization.yaml', (text) =>
      text.replace('resources:\n', 'resources: # all\n  - mine.yaml\n'),
    );
    await project.succeed(...deletion);
    const samples = parse(project.read('config/samples/kustomization.yaml')) as { resources: string[] };
    expect(samples.resources).toEqual(['mine.yaml']);
    expect(project.read('config/samples/kustomization.yaml')).toContain('mine.yaml # ours');
    expect(project.read('config/rbac/kustomization.yaml')).toContain('resources: # all\n  - mine.yaml\n');
    expect(project.read('config/rbac/kustomization.yaml')).not.toContain('captain');
  });

  test('edits kustomizations in flow style', async () => {
    const project = copyOf(base);
    const path = 'config/rbac/kustomization.yaml';
    const { resources } = parse(project.read(path)) as { resources: string[] };
    project.write(path, `resources: [${resources.join(', ')}, mine.yaml]\n`);
    await project.succeed(...deletion);
    const kept = resources.filter((entry) => !entry.startsWith('captain'));
    expect(project.read(path)).toBe(`resources: [${kept.join(', ')}, mine.yaml]\n`);
  });

  test('finds the entries of a list that the author formats differently', async () => {
    const project = copyOf(base);
    project.change('src/controllers/index.ts', (text) =>
      text
        .replace(/= \[\n\s*setupCaptainController,\n\s*/, '= [setupCaptainController, // all\n  ')
        .replace(/from '(.*captain.*)'/, 'from "$1"'),
    );
    await project.succeed(...deletion);
    expect(project.read('src/controllers/index.ts')).not.toContain('aptain');
    expect(project.read('src/controllers/index.ts')).toContain('// all');
  });

  test('removes the kind from the description of a bundle', async () => {
    const project = copyOf(base);
    await project.succeed('edit', '--olm');
    const flags = ['--display-name', 'Ship', '--description', 'Sails.', '--provider-name', 'Acme'];
    const more = ['--keywords', 'ship', '--maintainers', 'Ada:ada@example.com'];
    await project.succeed('generate', 'kustomize-manifests', ...flags, ...more);
    const path = 'config/manifests/bases/ship.clusterserviceversion.yaml';
    expect(project.read(path)).toContain('captains.crew.example.com');
    await project.succeed(...deletion);
    expect(project.read(path)).not.toContain('captain');
    expect(project.read(path)).toContain('Sails.');
  });
});

describe('what something else uses is refused with the place of the use', () => {
  test.each([
    [
      'an import of the type',
      'src/rank.ts',
      `import type { Captain } from './api/v1/captain.ts';\nexport type C = Captain;\n`,
      `src/rank.ts:1 imports ${typeFile}`,
    ],
    [
      'a type in an expression',
      'test/rank.test.ts',
      `\nexport type C = import('../src/api/v1/captain.js').Captain;\n`,
      `test/rank.test.ts:2 imports ${typeFile}`,
    ],
    [
      'a kustomization that lists the sample',
      'config/demo/kustomization.yaml',
      'resources:\n  - ../samples/crew_v1_captain.yaml\n',
      'config/demo/kustomization.yaml:2 lists ../samples/crew_v1_captain.yaml',
    ],
    [
      'a kustomization that lists a directory',
      'config/demo/kustomization.yaml',
      'resources: [../crd]\n',
      'config/demo/kustomization.yaml:1 lists ../crd',
    ],
    [
      'a patch of the CRD',
      'config/demo/patch.yaml',
      'kind: CustomResourceDefinition\nmetadata:\n  name: captains.crew.example.com\n',
      'config/demo/patch.yaml:3 names the CRD captains.crew.example.com',
    ],
    [
      'an object of the kind',
      'config/demo/mine.yaml',
      'apiVersion: crew.example.com/v1\nkind: Captain\n',
      'config/demo/mine.yaml:1 has a Captain',
    ],
  ])('%s', async (_, path, text, use) => {
    const project = copyOf(base);
    project.write(path, text);
    const error = await project.refuse(...deletion, '--force');
    expect(error).toMatchObject({
      code: 'IN_USE',
      message: `crew.example.com/v1, Kind=Captain is in use: ${use}`,
    });
  });

  test('a list of controllers that uses a setup function elsewhere', async () => {
    const project = copyOf(base);
    project.change(
      'src/controllers/index.ts',
      (text) => `${text}export const first = setupCaptainController;\n`,
    );
    const { message } = await project.refuse(...deletion);
    expect(message).toMatch(
      /src\/controllers\/index\.ts:\d+ imports src\/controllers\/captain\.controller\.ts/,
    );
  });

  test('a version with webhooks, and a spoke', async () => {
    const project = copyOf(hooked);
    expect(await project.refuse(...deletion)).toMatchObject({
      code: 'WEBHOOKS_EXIST',
      hint: 'Delete them first: ots delete webhook --group crew --version v1 --kind Captain --defaulting --programmatic-validation --conversion.',
    });
    expect(await project.refuse('delete', 'api', ...gvk('crew', 'v2', 'Captain'))).toMatchObject({
      code: 'VERSION_IS_SPOKE',
      hint: 'Delete the conversion first: ots delete webhook --group crew --version v1 --kind Captain --conversion --spoke v2.',
    });
  });

  test('a webhook that PROJECT does not know', async () => {
    const project = copyOf(base);
    await project.succeed('create', 'webhook', ...captain, '--defaulting');
    const text = project.read('src/webhooks/v1/captain.defaulter.ts');
    project.write('src/webhooks/mine.ts', text.replaceAll('../../', '../'));
    const error = await project.refuse('delete', 'webhook', ...captain, '--defaulting');
    expect(error.message).toMatch(/src\/webhooks\/mine\.ts:\d+ has a webhook, which needs config\/webhook/);
  });

  test('lines that the author changed are shown', async () => {
    const project = copyOf(versions);
    project.change(controller, (text) =>
      text.replace(/import .*api\/v1\/captain\.ts';/, (line) => line.replace("'", "'./")),
    );
    const error = await project.refuse(...deletion);
    expect(error.code).toBe('LINES_CHANGED');
    expect(error.hint).toContain("+import { Captain } from '../api/v2/captain.ts';");
  });
});

describe('delete webhook', () => {
  test('removes only the webhooks that are named, and in the end all that came with them', async () => {
    const project = copyOf(hooked);
    await project.succeed('delete', 'webhook', ...captain, '--programmatic-validation');
    expect(has(project, 'src/webhooks/v1/captain.validator.ts')).toBe(false);
    expect(has(project, 'src/webhooks/v1/captain.defaulter.ts')).toBe(true);
    expect(project.read('config/webhook/manifests.yaml')).not.toContain('Validating');
    await project.succeed('delete', 'webhook', ...captain, '--conversion', '--spoke', 'v2');
    await project.succeed('delete', 'webhook', ...captain, '--defaulting');
    expect(snapshot(project.directory)).toEqual(snapshot(versions.directory));
  });

  test('removes the certificate that the author chose instead', async () => {
    const project = copyOf(base);
    await project.succeed('create', 'webhook', ...captain, '--defaulting');
    project.change(
      'config/default/kustomization.yaml',
      (text) =>
        `${text.replace('- ../certificates', '- ../certmanager')}transformers:\n  - ../certmanager/names\n`,
    );
    await project.succeed('delete', 'webhook', ...captain, '--defaulting');
    expect(snapshot(project.directory)).toEqual(snapshot(base.directory));
  });
});

describe('bad input is refused without a change', () => {
  test.each([
    [
      'an unknown kind',
      ['delete', 'api', ...gvk('crew', 'v1', 'Captian')],
      'RESOURCE_MISSING',
      'Did you mean --group crew --version v1 --kind Captain? The project has Captain (crew/v1).',
    ],
    [
      'another case',
      ['delete', 'api', ...gvk('crew', 'v1', 'captain')],
      'RESOURCE_MISSING',
      'Did you mean --group crew --version v1 --kind Captain?',
    ],
    [
      'no name at all',
      ['delete', 'api', ...gvk('', 'v1', 'a\nb')],
      'RESOURCE_MISSING',
      'The project has Captain',
    ],
    [
      'an unknown controller',
      [...deletion, '--controller-name', 'captian'],
      'CONTROLLER_MISSING',
      'Did you mean "captain"? Its controllers are captain.',
    ],
    [
      'webhooks of an unknown kind',
      ['delete', 'webhook', ...gvk('crew', 'v2', 'Captain'), '--defaulting'],
      'RESOURCE_MISSING',
      'Did you mean',
    ],
    [
      'no type of webhook',
      ['delete', 'webhook', ...captain],
      'WEBHOOK_TYPE_MISSING',
      'Captain v1 has no webhooks.',
    ],
    [
      'a webhook that does not exist',
      ['delete', 'webhook', ...captain, '--defaulting'],
      'WEBHOOK_MISSING',
      'It has no webhooks.',
    ],
    [
      'a spoke without the conversion',
      ['delete', 'webhook', ...captain, '--spoke', 'v2'],
      'SPOKE_WITHOUT_CONVERSION',
      'Add --conversion.',
    ],
  ])('%s', async (_, args, code, hint) => {
    const error = await copyOf(base).refuse(...args);
    expect(error.code).toBe(code);
    expect(error.hint).toContain(hint);
    expect(error.message).not.toContain('\n');
  });

  test('a spoke that is none', async () => {
    const args = ['delete', 'webhook', ...captain, '--conversion', '--spoke', 'v9'];
    expect(await copyOf(hooked).refuse(...args)).toMatchObject({
      code: 'UNKNOWN_SPOKE',
      hint: 'Its spokes are v2.',
    });
  });

  test('a project without APIs', async () => {
    expect(await copyOf(bare).refuse(...deletion)).toMatchObject({
      code: 'RESOURCE_MISSING',
      hint: 'It has no APIs yet: ots create api adds one.',
    });
  });

  test('a missing flag, without a terminal', async () => {
    const { code, stderr } = await base.run('delete', 'api', '--group', 'crew');
    expect([code, stderr]).toEqual([
      2,
      'error: --version is missing\nhint: Add it, for example --version v1.\n',
    ]);
  });
});

describe('at a terminal', () => {
  const yes = `y${enterKey}`;

  test('the user chooses among what exists, sees the changes, and confirms', async () => {
    const project = copyOf(hooked);
    const turns: Turn[] = [
      ['Which one', enterKey],
      ['Which webhooks', ` ${enterKey}`],
      ['Make these changes', yes],
    ];
    const { code, asked, left } = await converse(
      project.directory,
      ['delete', 'webhook', '--version', 'v1'],
      turns,
    );
    expect([code, left]).toEqual([0, 0]);
    expect(asked).toContain('Captain (crew/v1)');
    expect(asked).toContain('delete src/webhooks/v1/captain.defaulter.ts');
    expect(has(project, 'src/webhooks/v1/captain.defaulter.ts')).toBe(false);
    expect(has(project, 'src/webhooks/v1/captain.validator.ts')).toBe(true);
  });

  test('nothing happens unless the user confirms', async () => {
    const project = copyOf(base);
    const { code } = await converse(project.directory, deletion, [['Make these changes', enterKey]]);
    expect(code).not.toBe(0);
    expect(snapshot(project.directory)).toEqual(snapshot(base.directory));
  });

  test('--yes asks nothing', async () => {
    const { code, asked } = await converse(copyOf(base).directory, [...deletion, '--yes'], []);
    expect([code, asked]).toEqual([0, '']);
  });
});

describe('edit', () => {
  test.each([
    ['--multigroup', '--multigroup=false'],
    ['--namespaced', '--namespaced=false'],
    ['--olm', '--olm=false'],
  ])('%s can be undone to the byte with %s', async (flag, back) => {
    const project = copyOf(hooked);
    await project.succeed('edit', flag);
    expect(snapshot(project.directory)).not.toEqual(snapshot(hooked.directory));
    await project.succeed('edit', back);
    expect(snapshot(project.directory)).toEqual(snapshot(hooked.directory));
  });

  test('--olm=false keeps scripts and targets of the author, and refuses when files were edited', async () => {
    const project = copyOf(base);
    await project.succeed('edit', '--olm');
    project.change('package.json', (text) =>
      text.replace('"scripts": {', '"scripts": {\n    "mine": "true",'),
    );
    project.change('Makefile', (text) => `# mine\n${text}`);
    project.change('scripts/bundle.mjs', (text) => `${text}// mine\n`);
    expect(await project.refuse('edit', '--olm=false')).toMatchObject({ code: 'EDITED_FILES' });
    await project.succeed('edit', '--olm=false', '--force');
    expect(project.read('package.json')).toContain('"mine": "true"');
    expect(project.read('package.json')).not.toContain('bundle');
    expect(project.read('Makefile')).toBe(`# mine\n${copyOf(base).read('Makefile')}`);
  });
});
