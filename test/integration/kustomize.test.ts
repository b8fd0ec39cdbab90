import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse, stringify } from 'yaml';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { goldenProjects } from '../support/golden-projects.ts';
import { run } from '../support/run.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';
import { findBuilders } from './kustomize/builders.ts';
import { checkOperator, readExpected } from './kustomize/check-operator.ts';
import { checkProject } from './kustomize/check-project.ts';
import { parseManifests } from './kustomize/manifest.ts';
import { scaffoldStep } from './scaffold-step.ts';
import { scenarios } from './scenarios.ts';

const builders = await findBuilders();
const hasKubectl = builders.some(({ name }) => name.startsWith('kubectl'));
const conversionOfBefore = {
  strategy: 'Webhook',
  webhook: {
    conversionReviewVersions: ['v1'],
    clientConfig: { service: { name: 'webhook-service', namespace: 'system', path: '/convert' } },
  },
};
const check = (directory: string) => checkProject(directory, temporaryDirectory(), builders);

describe.skipIf(builders.length === 0)('kustomize', () => {
  describe.each(Object.entries(scenarios))('%s', (_, steps) => {
    const directory = projectDirectory();

    test.each(steps)('$step', async ({ args }) => {
      for (const command of args) await scaffoldStep(directory(), command);
      expect(await check(directory())).toEqual([]);
    });
  });

  test('a project of an earlier ots, whose webhook component patches the conversion, passes every check', async () => {
    const directory = mkdtempSync(join(temporaryDirectory(), 'before-'));
    const { steps } = goldenProjects.find(({ name }) => name === 'versions')!;
    for (const step of steps) await scaffoldStep(directory, step);
    const file = join(directory, 'config/webhook/kustomization.yaml');
    const patch = {
      target: { kind: 'CustomResourceDefinition', name: 'memcacheds.cache.example.com' },
      patch: JSON.stringify([{ op: 'add', path: '/spec/conversion', value: conversionOfBefore }]),
    };
    const kustomization = parse(readFileSync(file, 'utf8'));
    writeFileSync(file, stringify({ ...kustomization, patches: [...kustomization.patches, patch] }));
    expect(await check(directory)).toEqual([]);
  });

  describe('golden project jobwatcher', () => {
    const directory = projectDirectory();
    beforeAll(async () => {
      const { steps } = goldenProjects.find(({ name }) => name === 'jobwatcher')!;
      for (const step of steps) await scaffoldStep(directory(), step);
    });

    test('passes every check', async () => {
      expect(await check(directory())).toEqual([]);
    });

    test.skipIf(!hasKubectl)('is deployed with the image that IMG names', async () => {
      const image = 'registry.example.com:5000/team/jobwatcher:v1.2.3';
      const cwd = directory();
      const built = await run(cwd, ['build-installer'], { env: { ...process.env, IMG: image } });
      expect(built).toMatchObject({ code: 0, stderr: '' });
      const all = parseManifests(readFileSync(join(cwd, 'dist/install.yaml'), 'utf8'));
      const names = { namespace: 'jobwatcher-system', prefix: 'jobwatcher-' };
      const expected = { ...readExpected(cwd), names, certificates: 'rotator' as const };
      expect(checkOperator(all, expected)).toEqual([]);
      expect(JSON.stringify(all)).toContain(`"image":"${image}"`);
    });

    test('makes bundles whose webhooks have the certificate of OLM', async () => {
      await scaffoldStep(directory(), ['edit', '--olm']);
      const said = ['--display-name', 'Jobs', '--description', 'Jobs.', '--provider-name', 'Acme'];
      const more = ['--keywords', 'jobs', '--maintainers', 'Ada:ada@example.com'];
      await scaffoldStep(directory(), ['generate', 'kustomize-manifests', ...said, ...more]);
      for (const builder of builders) {
        const all = await builder.build(join(directory(), 'config/manifests'));
        const kinds = all.map(({ kind }) => kind);
        expect(kinds).toEqual(
          expect.arrayContaining(['ClusterServiceVersion', 'Configuration', 'JobWatcher', 'Deployment']),
        );
        expect(kinds).not.toContain('ConfigMap');
        const deployed = JSON.stringify(all.find(({ kind }) => kind === 'Deployment'));
        expect(deployed).toContain('"--webhook-cert-path","/tmp/k8s-webhook-server/serving-certs",');
        expect(deployed).not.toContain('--webhook-cert-secret');
      }
      expect(await check(directory())).toEqual([]);
    });

    test.each([['--namespaced'], ['--namespaced=false']])(
      'passes every check after ots edit %s',
      async (flag) => {
        await scaffoldStep(directory(), ['edit', flag]);
        const role = readFileSync(join(directory(), 'config/rbac/role.yaml'), 'utf8');
        expect(role).toContain(flag === '--namespaced' ? '\nkind: Role\n' : '\nkind: ClusterRole\n');
        expect(await check(directory())).toEqual([]);
      },
    );
  });
});

/** A directory for the tests of one `describe`. */
function projectDirectory(): () => string {
  let directory: string;
  beforeAll(() => {
    directory = mkdtempSync(join(tmpdir(), 'ots-kustomize-'));
  });
  afterAll(() => rmSync(directory, { recursive: true, force: true }));
  return () => directory;
}
