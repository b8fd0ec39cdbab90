import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { execa } from 'execa';
import { type Manifest, parseManifests } from './manifest.ts';

/** A program that builds kustomizations. */
export interface Builder {
  readonly name: string;
  /** @throws what the program says */
  build(directory: string): Promise<Manifest[]>;
}

const kustomizeVersion = 'v5.8.1';
const cachePath = fileURLToPath(
  new URL(`../../../node_modules/.cache/kustomize-${kustomizeVersion}/`, import.meta.url),
);

/** Those that are at hand; for each that is not, a line is printed. */
export async function findBuilders(): Promise<Builder[]> {
  const kubectl = (await succeeds('kubectl', 'version', '--client')) ? 'kubectl' : undefined;
  return [
    ...builder('kubectl kustomize', kubectl, 'kustomize'),
    ...builder('kustomize build', await installKustomize(), 'build'),
  ];
}

function builder(name: string, command: string | undefined, argument: string): Builder[] {
  if (command === undefined) {
    console.log(
      `SKIPPED: what needs ${name}; install kubectl, or go to have kustomize ${kustomizeVersion} compiled`,
    );
    return [];
  }
  const build = async (directory: string): Promise<Manifest[]> =>
    parseManifests((await execa(command, [argument, directory], { stdin: 'ignore' })).stdout);
  return [{ name, build }];
}

/** The path of kustomize, compiled once with go; undefined without go, and without the network on the first call. */
async function installKustomize(): Promise<string | undefined> {
  const binary = join(cachePath, 'kustomize');
  const source = `sigs.k8s.io/kustomize/kustomize/v5@${kustomizeVersion}`;
  if (existsSync(binary) || (await succeeds('go', 'install', source))) return binary;
  return undefined;
}

async function succeeds(command: string, ...args: string[]): Promise<boolean> {
  const { failed } = await execa(command, args, {
    env: { GOBIN: cachePath },
    timeout: 300_000,
    reject: false,
  });
  return !failed;
}
