import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { goldenProjects } from '../support/golden-projects.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';
import { findBuilders } from './kustomize/builders.ts';
import { type Manifest, groupOf, ofKind, parseManifests } from './kustomize/manifest.ts';
import { variantsOf } from './kustomize/variants.ts';
import { RealServer, collectionOf, definitionsPath } from './oracle/real-server.ts';
import { scaffoldStep } from './scaffold-step.ts';
import { scenarios } from './scenarios.ts';

// What a real API server says about all that is scaffolded.
const isReal = Boolean(process.env['KUBEBUILDER_ASSETS']);
if (!isReal)
  console.log(
    'SKIPPED: scaffolded projects against a real kube-apiserver; set KUBEBUILDER_ASSETS to run them',
  );
const kubectl = isReal ? (await findBuilders()).find(({ name }) => name.startsWith('kubectl')) : undefined;

/** What is defined by other projects, whose definitions are not here. */
const foreignGroups = ['cert-manager.io', 'monitoring.coreos.com'];
/** Where definitions stand: those of the operator, and those that its tests make do with. */
const definitionFolders = ['config/crd/bases', 'test/crds'];

const projects = {
  ...scenarios,
  ...Object.fromEntries(
    goldenProjects.map(({ name, steps }) => [`golden ${name}`, [{ step: 'all', args: steps }]]),
  ),
};

describe.skipIf(!isReal)('a real kube-apiserver', () => {
  let scratch: string;
  let server: RealServer;
  const skipped = new Set<string>();
  beforeAll(async () => {
    scratch = mkdtempSync(join(tmpdir(), 'ots-oracle-'));
    server = await RealServer.start(scratch);
  });
  afterAll(async () => {
    await server?.stop();
    rmSync(scratch, { recursive: true, force: true });
    if (skipped.size > 0)
      console.log(`SKIPPED: kinds that the server does not know: ${[...skipped].join(', ')}`);
  });

  describe.each(Object.entries(projects))('accepts %s', (_, steps) => {
    let directory: string;
    beforeAll(() => {
      directory = mkdtempSync(join(scratch, 'project-'));
    });

    test.each(steps)('$step', async ({ args }) => {
      for (const command of args) await scaffoldStep(directory, command);
      if (kubectl) for (const all of await everyComponent(directory)) await expectOperator(all);
      const definitions = definitionFolders.flatMap((path) => manifestsIn(join(directory, path)));
      const samples = manifestsIn(join(directory, 'config/samples'));
      try {
        for (const definition of definitions) {
          expect(await server.create(definitionsPath, definition, { dryRun: true })).toBe('accepted');
          expect(await server.create(definitionsPath, withoutConversion(definition))).toBe('accepted');
          await server.untilServed(definition);
        }
        for (const sample of samples)
          expect(await server.create(collectionOf(sample, definitions), sample)).toBe('accepted');
      } finally {
        for (const definition of definitions) await server.deleteDefinition(definition);
      }
    });
  });

  // Without these the tests above could be passed by a server that looks at nothing.
  test.skipIf(!kubectl)('refuses invalid pods, samples and operators', async () => {
    const directory = temporaryDirectory();
    const jobwatcher = goldenProjects.find(({ name }) => name === 'jobwatcher')!;
    for (const step of jobwatcher.steps) await scaffoldStep(directory, step);
    const [all = []] = await everyComponent(directory);
    await expectOperator(all);

    const pod = podOf(all);
    delete pod['spec'].securityContext.seccompProfile;
    expect(await server.create(podsPath(pod), pod, { dryRun: true })).toMatch(/^403: .*violates PodSecurity/);

    const deployment = ofKind(all, 'Deployment')[0]!;
    const spoiltDeployment = { ...deployment, spec: { ...deployment['spec'], repplicas: 1 } };
    expect(await server.dryApply([spoiltDeployment])).toContain('repplicas');

    const definitions = manifestsIn(join(directory, 'config/crd/bases'));
    const sample = manifestsIn(join(directory, 'config/samples'))[0]!;
    expect(await server.create(definitionsPath, definitions[0]!)).toBe('accepted');
    await server.untilServed(definitions[0]!);
    const spoiltSample = { ...sample, spec: { ...sample['spec'], massage: 'Hello' } };
    expect(await server.create(collectionOf(sample, definitions), spoiltSample)).toMatch(
      /^400: .*unknown field "spec.massage"/,
    );
    await server.deleteDefinition(definitions[0]!);
  });

  /** Everything that is deployed is accepted, and its pods where the namespace enforces the standard "restricted". */
  async function expectOperator(all: readonly Manifest[]): Promise<void> {
    // The steps of a project share a namespace: without the controller manager it could not be deleted.
    const namespace = await server.create('/api/v1/namespaces', ofKind(all, 'Namespace')[0]!);
    expect(namespace).toMatch(/^(accepted$|409: )/);

    const foreign = all.filter((manifest) => foreignGroups.includes(groupOf(manifest)));
    for (const { apiVersion, kind } of foreign) skipped.add(`${apiVersion} ${kind}`);
    expect(await server.dryApply(all.filter((manifest) => !foreign.includes(manifest)))).toBe('accepted');

    const pod = podOf(all);
    expect(await server.create(podsPath(pod), pod, { dryRun: true })).toBe('accepted');
  }

  /** Every component, with certificates from the manager and, where there are webhooks, from cert-manager. */
  function everyComponent(directory: string): Promise<Manifest[][]> {
    const variants = variantsOf(directory, temporaryDirectory()).filter(({ name }) =>
      ['with every component', 'with cert-manager'].includes(name),
    );
    return Promise.all(variants.map((variant) => kubectl!.build(variant.directory)));
  }
});

/** A pod as the manager's Deployment makes it. */
function podOf(all: readonly Manifest[]): Manifest {
  const { metadata, spec } = structuredClone(ofKind(all, 'Deployment')[0]!);
  const { labels } = spec.template.metadata;
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'manager', namespace: metadata.namespace!, labels },
    spec: spec.template.spec,
  };
}

/** A definition as config/install has it: no webhook runs here either. */
function withoutConversion(definition: Manifest): Manifest {
  return { ...definition, spec: { ...definition['spec'], conversion: { strategy: 'None' } } };
}

function podsPath({ metadata }: Manifest): string {
  return `/api/v1/namespaces/${metadata.namespace}/pods`;
}

/** The objects in the files of a directory, kustomization.yaml aside. */
function manifestsIn(directory: string): Manifest[] {
  if (!existsSync(directory)) return [];
  const files = readdirSync(directory).filter(
    (name) => name.endsWith('.yaml') && name !== 'kustomization.yaml',
  );
  return files.flatMap((name) => parseManifests(readFileSync(join(directory, name), 'utf8')));
}
