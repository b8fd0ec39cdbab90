import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { readObjects } from 'ots-apiserver/kustomize';
import { apiGroup } from '../../../src/project/names/api-group.ts';
import type { Builder } from './builders.ts';
import { checkLeftovers, checkUnique } from './check-names.ts';
import { checkOperator, readExpected, readProject } from './check-operator.ts';
import { type Manifest, describeManifest, ofKind } from './manifest.ts';
import { type Variant, variantsOf } from './variants.ts';

/**
 * Builds every kustomization of a project with every builder.
 *
 * @param scratch a directory outside of the project
 * @returns what is wrong with them, a line each
 */
export async function checkProject(
  directory: string,
  scratch: string,
  builders: readonly Builder[],
): Promise<string[]> {
  const variants = variantsOf(directory, scratch);
  const problems = await Promise.all(
    builders.map(async (builder) => {
      const found: string[] = [];
      for (const variant of variants) found.push(...(await checkVariant(directory, variant, builder)));
      return [...found, ...(await checkDefinitionsAndSamples(directory, builder))].map(
        (problem) => `${builder.name}, ${problem}`,
      );
    }),
  );
  return problems.flat();
}

async function checkVariant(directory: string, variant: Variant, builder: Builder): Promise<string[]> {
  const { name, names, certificates } = variant;
  const all = await builder.build(variant.directory);
  const expected = { ...readExpected(directory), names, certificates };
  const problems = [...checkOperator(all, expected), ...(await checkReader(variant, all))];
  return problems.map((problem) => `${name}: ${problem}`);
}

/** What tests of the project install is what kustomize builds. The parts for cert-manager need a transformer, which is refused. */
async function checkReader(
  { directory, certificates }: Variant,
  built: readonly Manifest[],
): Promise<string[]> {
  const reading = readObjects(directory);
  if (certificates === 'cert-manager') {
    const problem = await reading.then(
      () => '',
      (error: Error) => error.message,
    );
    return problem.includes('transformers is not supported') ? [] : ['transformers are not refused'];
  }
  const read = (await reading).map(({ object }) => describeObject(object));
  return isDeepStrictEqual(read.toSorted(), built.map(describeObject).toSorted())
    ? []
    : ['ots-apiserver/kustomize reads it differently'];
}

/** Its JSON, with sorted keys. */
function describeObject(object: object): string {
  return JSON.stringify(object, (_, value: unknown) =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : value,
  );
}

/** What `make install` applies, and what a newcomer applies after it: definitions that work alone, and objects of them. */
async function checkDefinitionsAndSamples(directory: string, builder: Builder): Promise<string[]> {
  const { resources } = readProject(directory);
  const config = join(directory, 'config');
  const own = resources.filter(({ api }) => api);
  if (own.length === 0) {
    return ['crd', 'install', 'samples']
      .filter((name) => existsSync(join(config, name)))
      .map((name) => `config/${name} is empty`);
  }
  const definitions = await builder.build(join(config, 'install'));
  const samples = await builder.build(join(config, 'samples'));
  const bases = readdirSync(join(config, 'crd/bases'));
  const wanted = own.map((resource) => `${apiGroup(resource)}/${resource.version} ${resource.kind}`);
  const sampled = samples.map(({ apiVersion, kind }) => `${apiVersion} ${kind}`);
  return [
    ...(definitions.length === bases.length
      ? []
      : [`config/install makes ${definitions.length} of ${bases.length} files`]),
    ...definitions.flatMap(checkDefinition),
    ...wanted.filter((kind) => !sampled.includes(kind)).map((kind) => `config/samples has no ${kind}`),
    ...samples.flatMap((sample) => checkSample(sample, definitions)),
    ...checkUnique(samples),
    ...[...definitions, ...samples].flatMap(checkLeftovers),
  ];
}

/** A definition with a conversion webhook does not work in a cluster in which the operator does not run. */
function checkDefinition(definition: Manifest): string[] {
  const { strategy } = definition['spec'].conversion;
  return strategy === 'None' ? [] : [`config/install: ${describeManifest(definition)} needs a webhook`];
}

function checkSample(sample: Manifest, definitions: readonly Manifest[]): string[] {
  const served = ofKind(definitions, 'CustomResourceDefinition').some(
    ({ spec }) =>
      spec.names.kind === sample.kind &&
      spec.versions.some(
        ({ name, served: isServed }: any) => isServed && sample.apiVersion === `${spec.group}/${name}`,
      ),
  );
  return served ? [] : [`config/samples: no definition serves ${sample.apiVersion} ${sample.kind}`];
}
