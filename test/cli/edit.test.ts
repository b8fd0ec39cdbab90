import { existsSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { type EditableProject, copyOf } from '../support/copy-of.ts';
import { snapshot } from '../support/snapshot.ts';
import { type TestProject, testProject } from '../support/test-project.ts';

const captain = ['--group', 'crew', '--version', 'v1', '--kind', 'Captain'];
const nothingToDo = 'Nothing to do: everything is up to date';

let base: TestProject;
beforeAll(async () => {
  base = await testProject(
    ['create', 'api', ...captain],
    ['create', 'webhook', ...captain, '--defaulting', '--programmatic-validation'],
  );
});

/** Relative imports of all TypeScript files that lead nowhere. */
function brokenImports(project: EditableProject): string[] {
  const files = Object.keys(snapshot(project.directory)).filter((path) => /^(src|test)\/.*\.ts$/.test(path));
  return files.flatMap((path) =>
    [...project.read(path).matchAll(/(?:from|import\()\s*['"](\.[^'"]+)['"]/g)]
      .map(([, specifier = '']) => posix.join(posix.dirname(path), specifier))
      .filter((target) => !existsSync(join(project.directory, target)))
      .map((target) => `${path}: ${target}`),
  );
}

/** A text as an author on Windows could leave it: other line endings, trailing spaces and a tab. */
const mine = (text: string): string => `${text.replaceAll('\n', '\r\n')}// mine  \r\n\tx;`;

describe('edit --multigroup', () => {
  test('moves the files and updates imports, also in files of the author', async () => {
    const project = copyOf(base);
    project.write(
      'src/api/v1/ranks.ts',
      `import { twice } from '../../util.ts';\nexport const ranks = twice(['mate']);\n`,
    );
    project.change('src/api/v1/captain.ts', (text) =>
      text.replace(
        "from 'ots-runtime';",
        "from 'ots-runtime';\nimport { ranks } from './ranks.ts';\nexport { ranks };",
      ),
    );
    project.write(
      'src/util.ts',
      `import type { Captain } from "./api/v1/captain.ts";\nexport type Two = Captain[];\nexport const twice = (x: string[]) => [...x, ...x];\n`,
    );
    project.write('src/api/v1/notes.md', '# notes\n');
    project.write(
      'test/ranks.test.ts',
      `const { ranks } = await import('../src/api/v1/ranks.ts');\nexport * from '../src/api/v1/captain.ts';\nexport { ranks };\n`,
    );
    project.write(
      'src/controllers/names.ts',
      `import { ranks } from '../api/v1/ranks.ts';\nexport const names = ranks;\n`,
    );
    expect(brokenImports(project)).toEqual([]);
    const before = snapshot(project.directory);

    await project.succeed('edit', '--multigroup');

    expect(brokenImports(project)).toEqual([]);
    expect(project.read('PROJECT')).toContain('multigroup: true\n');
    expect(project.read('PROJECT')).toContain('path: src/api/crew/v1\n');
    const after = Object.keys(snapshot(project.directory));
    expect(after.filter((path) => /^src\/(api|controllers|webhooks)\/(v1|.*captain)/.test(path))).toEqual([
      'src/api/crew/v1/captain.ts',
      'src/controllers/crew/captain.controller.test.ts',
      'src/controllers/crew/captain.controller.ts',
      'src/controllers/crew/captain.torture.test.ts',
      'src/webhooks/crew/v1/captain.defaulter.test.ts',
      'src/webhooks/crew/v1/captain.defaulter.ts',
      'src/webhooks/crew/v1/captain.validator.test.ts',
      'src/webhooks/crew/v1/captain.validator.ts',
    ]);
    expect(project.read('src/api/crew/v1/notes.md')).toBe('# notes\n');
    expect(project.read('src/api/crew/v1/ranks.ts')).toContain("from '../../../util.ts'");
    expect(project.read('src/api/crew/v1/captain.ts')).toContain("from './ranks.ts'");
    expect(project.read('src/util.ts')).toContain('from "./api/crew/v1/captain.ts"');
    expect(project.read('test/ranks.test.ts')).toContain("import('../src/api/crew/v1/ranks.ts')");
    expect(project.read('src/controllers/names.ts')).toContain("'../api/crew/v1/ranks.ts'");
    const generated = Object.keys(before).filter((path) => /^config\/(crd|rbac|webhook)\//.test(path));
    for (const path of generated) expect(snapshot(project.directory)[path], path).toBe(before[path]);
  });

  test('updates the import of a type within an expression', async () => {
    const project = copyOf(base);
    project.write('src/uses.ts', "export type C = import('./api/v1/captain.ts').Captain;\n");
    await project.succeed('edit', '--multigroup');
    expect(project.read('src/uses.ts')).toContain("import('./api/crew/v1/captain.ts')");
  });

  test('can be reverted to the byte', async () => {
    const project = copyOf(base);
    project.change('src/controllers/captain.controller.ts', (text) => text.replaceAll('\n', '\r\n'));
    const before = snapshot(project.directory);
    await project.succeed('edit', '--multigroup');
    expect(snapshot(project.directory)).not.toEqual(before);
    await project.succeed('edit', '--multigroup=false');
    const { PROJECT: after, ...files } = snapshot(project.directory);
    const { PROJECT: old, ...oldFiles } = before;
    expect(files).toEqual(oldFiles);
    expect(after?.replace('multigroup: false\n', '')).toBe(old);
  });

  test('keeps the edits and the line endings of moved files', async () => {
    const project = copyOf(base);
    const paths = ['src/controllers/captain.controller.ts', 'src/main.ts'];
    for (const path of paths) project.change(path, mine);
    const old = paths.map((path) => project.read(path));
    await project.succeed('edit', '--multigroup');
    expect(project.read('src/controllers/crew/captain.controller.ts')).toBe(
      old[0]?.replace("'../api/v1/captain.ts'", "'../../api/crew/v1/captain.ts'"),
    );
    expect(project.read('src/main.ts')).toBe(old[1]);
  });

  test('keeps the edits and the line endings of moved files with long lines', async () => {
    const project = copyOf(base);
    project.change('src/api/v1/captain.ts', mine);
    const old = project.read('src/api/v1/captain.ts');
    expect(old).toMatch(/.{101}/);
    await project.succeed('edit', '--multigroup');
    expect(project.read('src/api/crew/v1/captain.ts')).toBe(old);
  });

  test('does nothing the second time', async () => {
    const project = copyOf(base);
    for (const flag of ['--multigroup', '--multigroup=true', '--multigroup=false']) {
      await project.succeed('edit', flag);
      const before = snapshot(project.directory);
      expect(await project.succeed('edit', flag)).toContain(nothingToDo);
      expect(await project.succeed('manifests', '--dry-run')).toContain(nothingToDo);
      expect(snapshot(project.directory)).toEqual(before);
    }
  });

  test('makes room for a second group and cannot be reverted after that', async () => {
    const project = copyOf(base);
    const sailor = ['create', 'api', '--group', 'deck', '--version', 'v1', '--kind', 'Sailor'];
    expect(await project.refuse(...sailor)).toMatchObject({ code: 'MULTIPLE_GROUPS' });
    await project.succeed('edit', '--multigroup');
    await project.succeed(...sailor);
    expect(existsSync(join(project.directory, 'src/api/deck/v1/sailor.ts'))).toBe(true);
    expect(await project.refuse('edit', '--multigroup=false')).toMatchObject({ code: 'SEVERAL_GROUPS' });
  });

  test('refuses a file at a destination and sources whose imports cannot be read', async () => {
    const project = copyOf(base);
    project.write('src/api/crew/v1/captain.ts', '// here already\n');
    expect(await project.refuse('edit', '--multigroup')).toMatchObject({ code: 'CONFLICT' });
    const broken = copyOf(base);
    broken.write('src/broken.ts', 'import {\n');
    expect(await broken.refuse('edit', '--multigroup')).toMatchObject({ code: 'INVALID_SOURCE' });
  });

  test('keeps files that are not sources', async () => {
    const project = copyOf(base);
    const bytes = Buffer.from([0, 1, 255, 254, 0]);
    project.write('src/api/v1/logo.png', bytes);
    project.write('test/logo.png', bytes);
    await project.succeed('edit', '--multigroup');
    expect(readFileSync(join(project.directory, 'src/api/crew/v1/logo.png'))).toEqual(bytes);
    expect(readFileSync(join(project.directory, 'test/logo.png'))).toEqual(bytes);
  });

  test('keeps sources that are not UTF-8', async () => {
    const project = copyOf(base);
    const latin = Buffer.from('// caf\u00e9\nexport const path = "./api/v1/captain.ts";\n', 'latin1');
    project.write('src/latin.ts', latin);
    await project.succeed('edit', '--multigroup');
    expect(readFileSync(join(project.directory, 'src/latin.ts'))).toEqual(latin);
  });
});

describe('edit --namespaced', () => {
  test('rewrites the files that depend on it and can be reverted to the byte', async () => {
    const project = copyOf(base);
    const before = snapshot(project.directory);
    const stdout = await project.succeed('edit', '--namespaced');
    expect(stdout).toMatch(/update config\/manager\/manager\.yaml\n/);
    expect(stdout).toContain(
      "note: Tests of controllers: pass cache: { namespaces: ['system'] } to Manager.create and namespaced: true to projectSetup",
    );
    expect(project.read('config/rbac/role.yaml')).toContain('kind: Role\n');
    expect(await project.succeed('edit', '--namespaced=true')).toContain(nothingToDo);
    expect(await project.succeed('edit', '--namespaced=false')).not.toContain('Tests of controllers');
    const after = snapshot(project.directory);
    expect({ ...after, PROJECT: after['PROJECT']?.replace('namespaced: false\n', '') }).toEqual(before);
  });

  test('refuses what leaves a controller without rights, unless that is forced', async () => {
    const project = copyOf(base);
    const port = [
      'create',
      'api',
      '--group',
      'crew',
      '--version',
      'v1',
      '--kind',
      'Port',
      '--namespaced=false',
    ];
    await project.succeed('edit', '--namespaced');
    expect(await project.refuse(...port)).toMatchObject({ code: 'CLUSTER_SCOPED_KIND' });
    await project.succeed(...port, '--controller=false');
    await project.succeed('edit', '--namespaced=false');
    await project.succeed(...port, '--force');
    expect(await project.refuse('edit', '--namespaced')).toMatchObject({ code: 'CLUSTER_SCOPED_KIND' });
    await project.succeed('edit', '--namespaced', '--force');
  });

  test.each([
    ['Node', ['core', 'v1', 'Node', '--resource=false']],
    [
      'ClusterIssuer',
      ['cert-manager', 'v1', 'ClusterIssuer', '--external-api-domain=io', '--namespaced=false'],
    ],
  ])(
    'refuses to take the rights for %s, which another project defines',
    async (kind, [group, version, ...args]) => {
      const project = copyOf(base);
      await project.succeed('create', 'api', '--group', group!, '--version', version!, '--kind', ...args);
      expect(await project.refuse('edit', '--namespaced')).toMatchObject({
        code: 'CLUSTER_SCOPED_KIND',
        message: `${kind} is cluster-scoped and has a controller, which would have rights in one namespace only`,
      });
    },
  );

  test('overwrites edits of the author only with --force and shows what is lost', async () => {
    const project = copyOf(base);
    project.change('config/manager/manager.yaml', (text) => text.replace('replicas: 1', 'replicas: 2'));
    expect(await project.refuse('edit', '--namespaced')).toMatchObject({ code: 'CONFLICT' });
    const stdout = await project.succeed('edit', '--namespaced', '--force');
    expect(stdout).toContain('update config/manager/manager.yaml\n--- a/config/manager/manager.yaml\n');
    expect(stdout).toMatch(/\n-\s+replicas: 2\n/);
    expect(stdout.match(/^--- /gm)).toHaveLength(1);
    expect(project.read('config/manager/manager.yaml')).toContain('replicas: 1');
  });

  test('keeps edited texts that only mention the setting and reports them', async () => {
    const project = copyOf(base);
    const plan = JSON.parse(await project.succeed('edit', '--namespaced', '--dry-run', '--json')) as {
      changes: { path: string; origin: string }[];
    };
    const texts = plan.changes.filter(({ path }) => !/^(?:config\/|PROJECT$|\.ots-scaffold$)/.test(path));
    for (const { path } of texts) project.change(path, (text) => `${text}\n# mine\n`);
    const old = texts.map(({ path }) => project.read(path));
    const stdout = await project.succeed('edit', '--namespaced');
    for (const { path } of texts) expect(stdout).toContain(`note: ${path} was edited and stays unchanged`);
    expect(texts.map(({ path }) => project.read(path))).toEqual(old);
  });
});

describe('edit --owner, --license and --license-file', () => {
  const apacheHeader = '// Copyright 2026 The ship authors\n// SPDX-License-Identifier: Apache-2.0\n\n';
  const sources = (project: EditableProject): string[] =>
    Object.keys(snapshot(project.directory)).filter((path) => /^(src|test)\/.*\.ts$|^vitest/.test(path));

  test('change the header of every source file that has it and of no other file', async () => {
    const project = copyOf(base);
    project.write('src/foreign.ts', '// Copyright 1999 Harbor Ltd\nexport {};\n');
    project.write('src/bare.ts', 'export {};\n');
    project.write('src/doc.md', apacheHeader);
    project.write('src/windows.ts', `${apacheHeader}export {};\n`.replaceAll('\n', '\r\n'));
    const others = ['src/foreign.ts', 'src/bare.ts', 'src/doc.md', 'src/windows.ts'];
    const before = snapshot(project.directory);

    await project.succeed('edit', '--license', 'mit', '--owner', 'Acme Ltd');
    const mitHeader = '// Copyright 2026 Acme Ltd\n// SPDX-License-Identifier: MIT\n\n';
    const own = sources(project).filter((path) => !others.includes(path));
    expect(own.length).toBeGreaterThan(10);
    for (const path of own) {
      expect(project.read(path), path).toBe(
        before[path]?.replace('100644 ', '').replace(apacheHeader, mitHeader),
      );
      expect(project.read(path).startsWith(mitHeader), path).toBe(true);
    }
    for (const path of others.slice(0, 3)) expect(snapshot(project.directory)[path]).toBe(before[path]);
    expect(project.read('src/windows.ts')).toBe(`${mitHeader}export {};\n`.replaceAll('\n', '\r\n'));
    expect(project.read('hack/boilerplate.txt')).toBe(mitHeader.trimEnd().concat('\n'));
    expect(await project.succeed('edit', '--license', 'mit', '--owner', 'Acme Ltd')).toContain(nothingToDo);
  });

  test('keep the owner or the license when the flag is missing', async () => {
    const project = copyOf(base);
    await project.succeed('edit', '--owner', 'Acme Ltd');
    expect(project.read('hack/boilerplate.txt')).toMatch(/Acme Ltd\n.*Apache-2\.0\n$/);
    await project.succeed('edit', '--license', 'mit');
    expect(project.read('hack/boilerplate.txt')).toMatch(/Acme Ltd\n.*MIT\n$/);
  });

  test('remove the header and restore it to the byte', async () => {
    const project = copyOf(base);
    const before = snapshot(project.directory);
    await project.succeed('edit', '--license', 'none');
    for (const path of sources(project)) expect(project.read(path), path).not.toContain('SPDX');
    expect(existsSync(join(project.directory, 'hack/boilerplate.txt'))).toBe(false);
    await project.succeed('edit', '--license', 'apache2');
    expect(snapshot(project.directory)).toEqual(before);
  });

  test('accept a text of the author for existing and new files', async () => {
    const project = copyOf(base);
    project.write('header.txt', 'Secret.\r\n\r\nDo not read.\r\n');
    await project.succeed('edit', '--license-file', 'header.txt');
    const header = '// Secret.\n//\n// Do not read.\n';
    expect(project.read('hack/boilerplate.txt')).toBe(header);
    for (const path of sources(project))
      expect(project.read(path).startsWith(`${header}\n`), path).toBe(true);
    await project.succeed('create', 'api', '--group', 'crew', '--version', 'v1', '--kind', 'Sailor');
    expect(project.read('src/api/v1/sailor.ts').startsWith(`${header}\n`)).toBe(true);
  });

  test.each([
    ['more than a comment', '/* a */ export {}\n'],
    ['a comment without an end', '/* a\n'],
    ['binary', 'a\0b'],
    ['too long', 'a'.repeat(70_000)],
  ])('refuse a text that is %s', async (_, text) => {
    const project = copyOf(base);
    project.write('header.txt', text);
    expect(await project.refuse('edit', '--license-file', 'header.txt')).toMatchObject({
      code: 'INVALID_LICENSE_FILE',
    });
  });

  test('do not replace a text of the author to change the owner', async () => {
    const project = copyOf(base);
    project.write('hack/boilerplate.txt', '// My own words.\n');
    expect(await project.refuse('edit', '--owner', 'Acme Ltd')).toMatchObject({ code: 'NO_OWNER' });
    await project.succeed('edit', '--license', 'none');
    expect(await project.refuse('edit', '--owner', 'Acme Ltd')).toMatchObject({ code: 'NO_OWNER' });
  });

  test('recognize the license of a header with CRLF', async () => {
    const project = copyOf(base);
    await project.succeed('edit', '--license', 'mit');
    project.change('hack/boilerplate.txt', (text) => text.replaceAll('\n', '\r\n'));
    await project.succeed('edit', '--owner', 'Acme Ltd');
    expect(project.read('hack/boilerplate.txt')).toMatch(/Acme Ltd\r?\n.*MIT\r?\n$/);
    expect(project.read('src/main.ts')).toMatch(/^\/\/ Copyright 2026 Acme Ltd\n.*MIT\n/);
  });
});

describe('edit', () => {
  test('keeps comments and unknown keys of PROJECT', async () => {
    const project = copyOf(base);
    project.change(
      'PROJECT',
      (text) =>
        `# mine\n${text.replace('  kind: Captain\n', '  kind: Captain # arr\n  x-note: [a,  b]\n')}x-team:   {name: fleet}\n`,
    );
    const before = project.read('PROJECT');
    await project.succeed('edit', '--multigroup', '--namespaced');
    const lines = project.read('PROJECT').split('\n');
    for (const line of before.split('\n').filter((text) => !text.includes('path:')))
      expect(lines).toContain(line);
    await project.succeed('edit', '--multigroup=false', '--namespaced=false');
    const back = project.read('PROJECT').replaceAll(/^(multigroup|namespaced): false\n/gm, '');
    expect(back).toBe(before);
  });

  test('makes several changes at once or none', async () => {
    const project = copyOf(base);
    expect(await project.refuse('edit', '--multigroup', '--license', 'gpl')).toMatchObject({
      code: 'UNKNOWN_LICENSE',
    });
    await project.succeed('edit', '--multigroup', '--namespaced', '--license', 'mit', '--owner', 'Acme Ltd');
    expect(project.read('src/api/crew/v1/captain.ts')).toContain('Acme Ltd');
    expect(project.read('PROJECT')).toMatch(/multigroup: true\nnamespaced: true\n/);
    expect(await project.succeed('manifests', '--dry-run')).toContain(nothingToDo);
  });
});
