import { existsSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { recordFile } from '../../src/scaffold/scaffold-record.ts';
import { copyOf } from '../support/copy-of.ts';
import { run } from '../support/run.ts';
import { snapshot } from '../support/snapshot.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';
import { type TestProject, testProject } from '../support/test-project.ts';

const gvk = (group: string, version: string, kind: string): string[] => [
  '--group',
  group,
  '--version',
  version,
  '--kind',
  kind,
];
const api = (group: string, version: string, kind: string, ...flags: string[]): string[] => [
  'create',
  'api',
  ...gvk(group, version, kind),
  ...flags,
];
const webhook = (...flags: string[]): string[] => [
  'create',
  'webhook',
  ...gvk('crew', 'v1', 'Captain'),
  ...flags,
];
const captain = api('crew', 'v1', 'Captain');
const sailor = api('crew', 'v1', 'Sailor');
const nothingToDo = 'Nothing to do: everything is up to date';

let bare: TestProject;
let base: TestProject;
beforeAll(async () => {
  bare = await testProject();
  base = await testProject(captain);
});

interface Resource {
  kind: string;
  version: string;
  [key: string]: unknown;
}

function resourcesOf(project: { read(path: string): string }): Resource[] {
  return (parse(project.read('PROJECT')) as { resources?: Resource[] }).resources ?? [];
}

describe('a second webhook of a kind', () => {
  test('is added to the edited files of the first', async () => {
    const project = copyOf(base);
    await project.succeed(...webhook('--defaulting'));
    project.change('src/webhooks/v1/captain.defaulter.ts', (text) => `${text}// mine\n`);
    project.change('src/webhooks/index.ts', (text) =>
      text.replace('const webhooks', '// all of them\nconst webhooks'),
    );
    const before = snapshot(project.directory);

    await project.succeed(...webhook('--programmatic-validation'));

    const after = snapshot(project.directory);
    for (const role of ['defaulter', 'defaulter.test']) {
      const path = `src/webhooks/v1/captain.${role}.ts`;
      expect(after[path]).toBe(before[path]);
    }
    expect(project.read('src/webhooks/index.ts')).toMatch(
      /\/\/ all of them\nconst webhooks.*\n {2}setupCaptainV1Defaulter,\n {2}setupCaptainV1Validator,\n/,
    );
    expect(resourcesOf(project)[0]).toMatchObject({ webhooks: { defaulting: true, validation: true } });
    const manifests = project.read('config/webhook/manifests.yaml');
    expect(manifests).toContain('kind: MutatingWebhookConfiguration');
    expect(manifests).toContain('kind: ValidatingWebhookConfiguration');
    expect(await project.succeed('manifests', '--dry-run')).toContain(nothingToDo);
  });

  test('gives the same result in either order as both at once', async () => {
    const projects = [copyOf(base), copyOf(base)];
    await projects[0]?.succeed(...webhook('--defaulting', '--programmatic-validation'));
    await projects[1]?.succeed(...webhook('--defaulting'));
    await projects[1]?.succeed(...webhook('--programmatic-validation'));
    const [once, twice] = projects.map((project) => snapshot(project.directory));
    expect(twice).toEqual(once);
  });
});

describe('the certificate of webhooks', () => {
  const listed = (project: { read(path: string): string }): string[] =>
    (parse(project.read('config/default/kustomization.yaml')) as { components: string[] }).components;
  const rules = (project: { read(path: string): string }): object[] =>
    (parse(project.read('config/certificates/authority-role.yaml')) as { rules: object[] }).rules;

  test('is created by the manager, which has rights for exactly the callers', async () => {
    const project = copyOf(base);
    await project.succeed(...webhook('--programmatic-validation'));
    expect(listed(project)).toEqual(['../webhook', '../certificates']);
    const validating = {
      apiGroups: ['admissionregistration.k8s.io'],
      resources: ['validatingwebhookconfigurations'],
      resourceNames: ['validating-webhook-configuration'],
      verbs: ['get', 'patch'],
    };
    expect(rules(project)).toEqual([validating]);
    const certificates = project.read('config/certificates/kustomization.yaml');
    expect(certificates).toContain('--webhook-validating-configuration');
    expect(certificates).not.toContain('--webhook-mutating-configuration');
  });

  test('is added with patch files in a project of ots 0.1.0, which had one file per patch', async () => {
    const project = copyOf(base);
    await project.succeed(...webhook('--defaulting'));
    const patches = (name: string): { path?: string; patch?: string }[] =>
      (parse(project.read(`config/${name}/kustomization.yaml`)) as { patches: object[] }).patches;
    for (const file of ['certificates/validating-args-patch', 'certmanager/ca-injection-patch'])
      writeFileSync(join(project.directory, `config/${file}.yaml`), '# As ots 0.1.0 wrote it.\n');
    rmSync(join(project.directory, 'config/webhook/mounted-certificate'), { recursive: true });
    await project.succeed(...api('crew', 'v2', 'Captain'));
    await project.succeed(...webhook('--programmatic-validation', '--conversion', '--spoke', 'v2'));
    expect(patches('certificates').at(-1)?.path).toBe('validating-args-patch.yaml');
    expect(patches('certmanager').at(-1)?.path).toBe('ca-injection-patch.yaml');
    expect(rules(project)).toHaveLength(3);
    expect(existsSync(join(project.directory, 'config/webhook/mounted-certificate'))).toBe(false);
  });

  test('needs only the parts that the author keeps', async () => {
    const project = copyOf(base);
    await project.succeed(...webhook('--defaulting'));
    for (const name of ['certificates', 'certmanager'])
      rmSync(join(project.directory, 'config', name), { recursive: true });
    await project.succeed(...api('crew', 'v2', 'Captain'));
    await project.succeed(...webhook('--programmatic-validation', '--conversion', '--spoke', 'v2'));
    expect(existsSync(join(project.directory, 'config/certificates'))).toBe(false);
    expect(existsSync(join(project.directory, 'config/certmanager'))).toBe(false);
  });

  test('keeps the source that the author chose when webhooks are added', async () => {
    const project = copyOf(base);
    await project.succeed(...webhook('--defaulting'));
    project.change('config/default/kustomization.yaml', (text) =>
      text.replace('  - ../certificates\n', '  - ../certmanager\ntransformers:\n  - ../certmanager/names\n'),
    );
    await project.succeed(...webhook('--programmatic-validation'));
    expect(listed(project)).toEqual(['../webhook', '../certmanager']);
    // The other way stays complete, for those who change their mind.
    expect(rules(project)).toHaveLength(2);
  });
});

describe('a second version of a kind', () => {
  test('is served beside the first, which stays the storage version', async () => {
    const project = copyOf(base);
    const before = snapshot(project.directory);
    const stdout = await project.succeed(...api('crew', 'v2', 'Captain'));

    expect(stdout).toMatch(/note: The controller of Captain also serves this version/);
    const crd = parse(project.read('config/crd/bases/crew.example.com_captains.yaml')) as {
      spec: { versions: { name: string; served: boolean; storage: boolean }[] };
    };
    expect(crd.spec.versions.map(({ name, served, storage }) => ({ name, served, storage }))).toEqual([
      { name: 'v1', served: true, storage: true },
      { name: 'v2', served: true, storage: false },
    ]);
    expect(resourcesOf(project).map(({ version, controller }) => [version, controller])).toEqual([
      ['v1', true],
      ['v2', undefined],
    ]);
    const after = snapshot(project.directory);
    for (const path of Object.keys(before).filter((name) => name.startsWith('src/'))) {
      expect(after[path], path).toBe(before[path]);
    }
    expect(Object.keys(after).filter((path) => path.includes('controllers/'))).toEqual(
      Object.keys(before).filter((path) => path.includes('controllers/')),
    );
  });

  test('does not mention the controller when the author decided about it', async () => {
    const project = copyOf(base);
    const stdout = await project.succeed(...api('crew', 'v2', 'Captain', '--controller=false'));
    expect(stdout).not.toContain('note: The controller');
  });

  test('is converted, like a third one later', async () => {
    const project = copyOf(base);
    for (const version of ['v2', 'v3']) await project.succeed(...api('crew', version, 'Captain'));
    await project.succeed(...webhook('--conversion', '--spoke', 'v2'));
    project.change('src/webhooks/v2/captain.conversion.ts', (text) => `${text}// mine\n`);
    await project.succeed(...webhook('--conversion', '--spoke', 'v3'));
    expect(project.read('src/webhooks/v2/captain.conversion.ts')).toMatch(/\/\/ mine\n$/);
    expect(resourcesOf(project)[0]).toMatchObject({ webhooks: { conversion: true, spoke: ['v2', 'v3'] } });
    expect(parse(project.read('config/crd/bases/crew.example.com_captains.yaml'))).toMatchObject({
      spec: {
        conversion: { strategy: 'Webhook', webhook: { clientConfig: { service: { path: '/convert' } } } },
      },
    });
    expect(project.read('config/certmanager/kustomization.yaml').match(/kind: CustomResource/g)).toHaveLength(
      1,
    );
    const role = project.read('config/certificates/authority-role.yaml');
    expect(role.match(/captains\.crew\.example\.com/g)).toHaveLength(1);
    expect(await project.refuse(...webhook('--conversion', '--spoke', 'v3'))).toMatchObject({
      code: 'WEBHOOK_EXISTS',
    });
  });
});

describe('controllers of a kind', () => {
  test('can be several with a name each', async () => {
    const project = copyOf(base);
    const named = (name: string): string[] =>
      api('crew', 'v1', 'Captain', '--resource=false', '--controller-name', name);
    project.change('src/controllers/captain.controller.ts', (text) => `${text}// mine\n`);
    await project.succeed(...named('captain-backup'));
    await project.succeed(...named('captain-audit'));
    expect(resourcesOf(project)[0]).toMatchObject({
      controllers: [{ name: 'captain' }, { name: 'captain-backup' }, { name: 'captain-audit' }],
    });
    expect(project.read('src/controllers/index.ts')).toMatch(
      /setupCaptainController,\n {2}setupCaptainBackupController,\n {2}setupCaptainAuditController,\n/,
    );
    expect(project.read('src/controllers/captain.controller.ts')).toMatch(/\/\/ mine\n$/);
    expect(await project.refuse(...named('captain-audit'))).toMatchObject({ code: 'CONTROLLER_NAME_TAKEN' });
  });
});

describe('kinds of Kubernetes', () => {
  test.each([
    ['apps', 'v1', 'Deployment', 'apps/v1', undefined],
    ['core', 'v1', 'Pod', 'core/v1', undefined],
    ['networking', 'v1', 'Ingress', 'networking/v1', 'k8s.io'],
    ['networking.k8s.io', 'v1', 'Ingress', 'networking/v1', 'k8s.io'],
    ['rbac.authorization', 'v1', 'ClusterRole', 'rbac/v1', 'authorization.k8s.io'],
    ['rbac.authorization.k8s.io', 'v1', 'ClusterRole', 'rbac/v1', 'authorization.k8s.io'],
  ])('are found under %s', async (group, version, kind, module, domain) => {
    const project = copyOf(bare);
    await project.succeed(...api(group, version, kind, '--resource=false'));
    expect(resourcesOf(project)).toEqual([
      {
        controller: true,
        core: true,
        ...(domain && { domain }),
        group: group.split('.')[0],
        kind,
        path: `ots-kubernetes/${module}`,
        version,
      },
    ]);
    const file = `src/controllers/${kind === 'ClusterRole' ? 'cluster-role' : kind.toLowerCase()}.controller.ts`;
    expect(project.read(file)).toContain(`from 'ots-kubernetes/${module}'`);
    // A webhook for it is added to the same entry, whatever the spelling.
    await project.succeed(
      'create',
      'webhook',
      ...gvk(group.split('.')[0] ?? '', version, kind),
      '--defaulting',
    );
    expect(resourcesOf(project)).toHaveLength(1);
    expect(await project.refuse(...api(group, version, kind, '--resource=false'))).toMatchObject({
      code: 'CONTROLLER_EXISTS',
    });
  });
});

describe('kinds of other projects', () => {
  const external = (...flags: string[]): string[] =>
    api('cert-manager', 'v1', 'Certificate', '--resource=false', '--external-api-domain', 'io', ...flags);
  const controller = 'src/controllers/certificate.controller.ts';

  test('are declared in the project, with a CRD for its tests', async () => {
    const project = copyOf(bare);
    await project.succeed(...external());
    expect(project.read('src/external/cert-manager/v1/certificate.ts')).toContain("'cert-manager.io/v1'");
    expect(parse(project.read('test/crds/certificates.cert-manager.io.yaml'))).toMatchObject({
      kind: 'CustomResourceDefinition',
      metadata: { name: 'certificates.cert-manager.io' },
    });
    expect(project.read(controller)).toContain("from '../external/cert-manager/v1/certificate.ts'");
    expect(existsSync(join(project.directory, 'config/crd/bases/cert-manager.io_certificates.yaml'))).toBe(
      false,
    );

    // PROJECT knows it from now on.
    project.change('src/external/cert-manager/v1/certificate.ts', (text) => `${text}// mine\n`);
    await project.succeed('create', 'webhook', ...gvk('cert-manager', 'v1', 'Certificate'), '--defaulting');
    expect(resourcesOf(project)).toHaveLength(1);
    expect(project.read('src/external/cert-manager/v1/certificate.ts')).toMatch(/\/\/ mine\n$/);
  });

  /** Makes a controller for a kind that is declared in a file of the project. @returns CRDs made for it */
  async function takeFrom(path: string): Promise<string[]> {
    const source = copyOf(bare);
    await source.succeed(...external());
    const text = source.read('src/external/cert-manager/v1/certificate.ts');
    const project = copyOf(bare);
    project.write(path, text);
    await project.succeed(...external('--external-api-path', `./${path}`));
    expect(project.read(path)).toBe(text);
    expect(project.read(controller)).toContain(`from '../${path.slice('src/'.length)}'`);
    expect(existsSync(join(project.directory, 'src/external/cert-manager'))).toBe(false);
    return Object.keys(snapshot(project.directory)).filter((name) => name.includes('crd/bases/'));
  }

  test('are taken from a file of the project', async () => {
    expect(await takeFrom('src/external/certificate.ts')).toEqual([]);
  });

  test('are not taken from elsewhere in the project, where kinds are its own', async () => {
    const project = copyOf(bare);
    const refused = await project.refuse(...external('--external-api-path', './src/types/certificate.ts'));
    expect(refused).toMatchObject({ code: 'INVALID_EXTERNAL_API_PATH' });
  });

  test('are taken from a package that the project depends on', async () => {
    const project = copyOf(bare);
    const flags = ['--external-api-path', '@acme/certificates/v1'];
    expect(await project.refuse(...external(...flags))).toMatchObject({ code: 'MISSING_DEPENDENCY' });
    project.change('package.json', (text) =>
      text.replace('"dependencies": {', '"dependencies": {\n    "@acme/certificates": "^1.0.0",'),
    );
    await project.succeed(...external(...flags));
    expect(project.read(controller)).toContain("from '@acme/certificates/v1'");
    expect(existsSync(join(project.directory, 'src/external'))).toBe(false);
  });

  test.each(['constructor', '__proto__', 'to-string'])(
    'are not taken from an unknown package %s',
    async (name) => {
      const project = copyOf(bare);
      expect(await project.refuse(...external('--external-api-path', name))).toMatchObject({
        code: /^[a-z-]+$/.test(name) ? 'MISSING_DEPENDENCY' : 'INVALID_EXTERNAL_API_PATH',
      });
    },
  );

  test.each(['{', 'null', '[]', '{"dependencies": 1}', ''])(
    'need a package.json that can be read: %j',
    async (text) => {
      const project = copyOf(bare);
      project.write('package.json', text);
      const code = ['{', ''].includes(text) ? 'INVALID_PACKAGE_JSON' : 'MISSING_DEPENDENCY';
      expect(await project.refuse(...external('--external-api-path', '@acme/certificates'))).toMatchObject({
        code: code,
      });
    },
  );
});

describe('--force', () => {
  test('writes edited files again and shows what is lost, and leaves the others', async () => {
    const project = copyOf(base);
    const before = snapshot(project.directory);
    expect(await project.refuse(...captain)).toMatchObject({ code: 'RESOURCE_EXISTS' });
    project.change('src/api/v1/captain.ts', (text) => text.replace('@minimum 0', '@minimum 1'));
    const report = JSON.parse(await project.succeed(...captain, '--force', '--json')) as {
      changes: { path: string; forced: boolean; diff?: string }[];
      unchanged: string[];
    };
    expect(report.changes.map(({ path, forced }) => [path, forced])).toEqual([
      ['src/api/v1/captain.ts', true],
    ]);
    expect(report.changes[0]?.diff).toMatch(/\n- .*@minimum 1\n\+ .*@minimum 0\n/);
    expect(report.unchanged).toContain('src/controllers/captain.controller.ts');
    expect(snapshot(project.directory)).toEqual(before);
  });

  test('changes nothing when no file was edited', async () => {
    const project = copyOf(base);
    expect(await project.succeed(...captain, '--force')).toContain(nothingToDo);
  });

  test('does not decide about files of other kinds', async () => {
    const project = copyOf(base);
    project.write('src/api/v1/sailor.ts', '// mine\n');
    const { code, message } = await project.refuse(...sailor);
    expect(code).toBe('CONFLICT');
    expect(message).toContain('src/api/v1/sailor.ts');
    const stdout = await project.succeed(...sailor, '--force');
    expect(stdout).toMatch(/update src\/api\/v1\/sailor\.ts\n--- a.*\n\+\+\+ b.*\n@@ .*\n-\/\/ mine\n/);
  });
});

describe('a marker that is gone', () => {
  test.each([
    ['the list', '// +ots:scaffold:controllers', 'setupSailorController,'],
    [
      'the imports',
      '// +ots:scaffold:imports',
      "import { setupSailorController } from './sailor.controller.ts';",
    ],
  ])('of %s is asked for with the lines to paste', async (_, marker, line) => {
    const project = copyOf(base);
    const path = 'src/controllers/index.ts';
    project.change(path, (text) => text.replace(marker, '// gone'));
    const { code, hint } = await project.refuse(...sailor);
    expect(code).toBe('MISSING_MARKER');
    const pasted = hint.split('\n').slice(1);
    expect(pasted.map((text) => text.trim())).toEqual([line, marker]);
    expect((await project.run(...sailor)).stderr).toContain(`\n    ${line}\n    ${marker}\n`);

    project.change(path, (text) => text.replace(/.*\/\/ gone/, pasted.join('\n')));
    await project.succeed(...sailor);
    expect(project.read(path).split(line)).toHaveLength(2);
  });
});

describe('a kustomization that the author edited', () => {
  const path = 'config/samples/kustomization.yaml';
  const old = 'crew_v1_captain.yaml';
  const item = 'crew_v1_sailor.yaml';

  test.each([
    [
      'CRLF',
      `# a\r\nresources:\r\n  - ${old}\r\nx: 1\r\n`,
      `# a\r\nresources:\r\n  - ${old}\r\n  - ${item}\r\nx: 1\r\n`,
    ],
    ['no indentation', `resources:\n- ${old}\n`, `resources:\n- ${old}\n- ${item}\n`],
    [
      'much indentation',
      `resources:\n      - ${old} # b\n\n# c\n`,
      `resources:\n      - ${old} # b\n      - ${item}\n\n# c\n`,
    ],
    [
      'quotes and comments',
      `"resources": # a\n  # b\n  - "${old}"\n  # c\n`,
      `"resources": # a\n  # b\n  - "${old}"\n  - ${item}\n  # c\n`,
    ],
    ['a flow list', `resources: [ ${old} ]\n`, `resources: [ ${old}, ${item} ]\n`],
    ['no newline at its end', `resources:\n  - ${old}`, `resources:\n  - ${old}\n  - ${item}`],
    ['an empty list', `resources: []\nx: 1\n`, `resources:\n  - ${item}\nx: 1\n`],
    ['no list', `x: 1\n`, `x: 1\nresources:\n  - ${item}\n`],
    ['the entry already', `resources: ['${item}']\n`, `resources: ['${item}']\n`],
  ])('keeps %s', async (_, before, after) => {
    const project = copyOf(base);
    project.write(path, before);
    await project.succeed(...sailor);
    expect(project.read(path)).toBe(after);
    expect((parse(after) as { resources: string[] }).resources).toContain(item);
  });

  // Both fail: the closing bracket is looked for behind the list, and comments in a flow list are not seen.
  test.each([
    ['behind it', `resources: [${old}] # see [x]\n`],
    ['in it', `resources: [\n  ${old} # the first\n]\n`],
  ])('keeps a flow list with a comment %s', async (_, before) => {
    const project = copyOf(base);
    project.write(path, before);
    await project.succeed(...sailor);
    expect((parse(project.read(path)) as { resources: string[] }).resources).toEqual([old, item]);
  });

  test.each([
    ['no YAML', 'resources: [a\n'],
    ['a map for a list', 'resources: {a: b}\n'],
    ['a key twice', 'resources: []\nresources: []\n'],
  ])('is refused with %s', async (_, text) => {
    const project = copyOf(base);
    project.write(path, text);
    const { code, message } = await project.refuse(...sailor);
    expect(code).toBe('INVALID_YAML');
    expect(message).toContain(path);
  });

  test('is required', async () => {
    const project = copyOf(base);
    rmSync(join(project.directory, 'config/default/kustomization.yaml'));
    expect(await project.refuse(...webhook('--defaulting'))).toMatchObject({ code: 'MISSING_FILE' });
  });
});

describe('symbolic links', () => {
  test('are refused when they lead out of the project', async () => {
    const outside = temporaryDirectory();
    for (const path of ['src/api', 'src/controllers/index.ts', 'PROJECT', 'config/crd/bases']) {
      const project = copyOf(base);
      const target = join(outside, path.replaceAll('/', '-'));
      const isFile = /\.ts$|PROJECT/.test(path);
      if (isFile) writeFileSync(target, project.read(path));
      else mkdirSync(target);
      rmSync(join(project.directory, path), { recursive: true });
      symlinkSync(target, join(project.directory, path));
      const before = snapshot(outside);
      const { code, message } = await project.refuse(...sailor);
      expect(code).toBe('PATH_OUTSIDE_PROJECT');
      expect(message).toContain(path);
      expect(snapshot(outside)).toEqual(before);
    }
  });

  test('are followed when they stay in it', async () => {
    const project = copyOf(base);
    project.write('elsewhere/PROJECT', project.read('PROJECT'));
    rmSync(join(project.directory, 'PROJECT'));
    symlinkSync('elsewhere/PROJECT', join(project.directory, 'PROJECT'));
    await project.succeed(...sailor);
    expect(project.read('elsewhere/PROJECT')).toContain('kind: Sailor');
    expect(snapshot(project.directory)['PROJECT']).toBe('link');
  });
});

describe('init in a directory with files', () => {
  const init = ['init', '--skip-install', '--domain', 'example.com', '--project-name', 'ship'];
  const emptyCopy = () => copyOf({ directory: temporaryDirectory() });

  test('keeps what a repository has before it becomes an operator', async () => {
    const project = emptyCopy();
    const texts = {
      'README.md': '# mine\r\n',
      LICENSE: 'all mine\n',
      '.editorconfig': 'root = true\n',
      '.dockerignore': 'mine\n',
      '.git/config': '[core]\n',
      'docs/a.md': 'a\n',
    };
    for (const [path, text] of Object.entries(texts)) project.write(path, text);
    const stdout = await project.succeed(...init);
    for (const [path, text] of Object.entries(texts)) expect(project.read(path), path).toBe(text);
    expect(stdout).toContain('note: README.md already existed and stays unchanged.\n');
    expect(await project.succeed('manifests', '--dry-run')).toContain(nothingToDo);
  });

  test('keeps every line of a .gitignore', async () => {
    const project = emptyCopy();
    project.write('.gitignore', 'mine\n');
    await project.succeed(...init);
    expect(project.read('.gitignore').split('\n')).toContain('mine');
  });

  test('is refused with a list of all conflicting files', async () => {
    const project = emptyCopy();
    const paths = ['Dockerfile', 'package.json', 'src/main.ts'];
    for (const path of paths) project.write(path, 'mine\n');
    const { code, message } = await project.refuse(...init);
    expect(code).toBe('CONFLICT');
    for (const path of paths) expect(message).toContain(path);
  });

  test('accepts files with the same content', async () => {
    const project = copyOf(bare);
    for (const file of ['PROJECT', recordFile]) rmSync(join(project.directory, file));
    const stdout = await project.succeed(...init);
    expect(stdout).toMatch(/^create \.ots-scaffold\ncreate PROJECT\nnote:/);
  });

  test('leaves no new directory behind when it fails', async () => {
    const directory = temporaryDirectory();
    const before = snapshot(directory);
    const { code } = await run(directory, [...init, 'a/b/c', '--license-file', '/nowhere']);
    expect(code).toBe(1);
    expect(snapshot(directory)).toEqual(before);
    mkdirSync(join(directory, 'taken/src'), { recursive: true });
    writeFileSync(join(directory, 'taken/src/main.ts'), 'mine\n');
    const taken = snapshot(directory);
    expect((await run(directory, [...init, 'taken'])).code).toBe(1);
    expect(snapshot(directory)).toEqual(taken);
    expect((await run(directory, [...init, 'a/b/c'])).code).toBe(0);
  });

  test('reports a dangling link at once', async () => {
    const project = emptyCopy();
    symlinkSync('nowhere', join(project.directory, 'link'));
    const { code, stderr } = await project.run(...init, 'link');
    expect([code, stderr]).toEqual([2, expect.stringContaining('is not a directory')]);
    mkdirSync(join(project.directory, 'nowhere'));
    await project.succeed(...init, 'link');
    expect(project.read('nowhere/PROJECT')).toContain('projectName: ship');
  });
});
