import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { buildWithKustomize, parseObjects } from '../../src/deploy/kustomize.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';

/** A directory for PATH with programs that say how they are called. */
function programs(...names: string[]): string {
  const directory = temporaryDirectory();
  for (const name of names) {
    const path = join(directory, name);
    writeFileSync(path, `#!${process.execPath}\nconsole.log('${name}', ...process.argv.slice(2));\n`);
    chmodSync(path, 0o755);
  }
  return directory;
}

const build = (env: NodeJS.ProcessEnv) => buildWithKustomize('config/default', { root: '/', env });

test.skipIf(process.platform === 'win32').each([
  ['kubectl before kustomize', ['kubectl', 'kustomize'], undefined, 'kubectl kustomize config/default\n'],
  ['kustomize without kubectl', ['kustomize'], undefined, 'kustomize build config/default\n'],
  ['what KUBECTL names', ['kubectl', 'oc'], 'oc --v 1', 'oc --v 1 kustomize config/default\n'],
])('builds with %s', async (_, names, kubectl, output) => {
  expect(await build({ PATH: programs(...names), KUBECTL: kubectl })).toBe(output);
});

test('says which programs are missing', async () => {
  await expect(build({ PATH: programs() })).rejects.toMatchObject({
    code: 'NO_KUSTOMIZE',
    message: 'Neither kubectl nor kustomize is installed',
  });
  await expect(build({ PATH: programs('kubectl'), KUBECTL: 'oc' })).rejects.toMatchObject({
    message: 'KUBECTL names oc, which is not installed',
  });
});

test.each(['kubectl --context staging', 'kubectl --kubeconfig=prod', 'kubectl -s https://prod'])(
  'refuses KUBECTL=%j, which names another cluster',
  async (kubectl) => {
    await expect(build({ PATH: programs('kubectl'), KUBECTL: kubectl })).rejects.toMatchObject({
      code: 'KUBECTL_FLAGS',
      hint: expect.stringContaining('--context'),
    });
  },
);

test.skipIf(process.platform === 'win32')('passes on the last line of a failure', async () => {
  const path = programs();
  writeFileSync(
    join(path, 'kubectl'),
    `#!${process.execPath}\nconsole.error('a\\nerror: no such file');process.exit(1)\n`,
    { mode: 0o755 },
  );
  await expect(build({ PATH: path })).rejects.toMatchObject({
    code: 'KUSTOMIZE_FAILED',
    message: 'kubectl kustomize cannot build config/default: error: no such file',
  });
});

test('objects need a kind and a name', () => {
  expect(parseObjects('---\n---\nkind: A\napiVersion: v1\nmetadata: {name: a}\n')).toHaveLength(1);
  expect(() => parseObjects('kind: A\n')).toThrow('without apiVersion, kind or name');
});
