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

const VERSION = 'v5.8.1';
const CACHE = fileURLToPath(new URL(`../../../node_modules/.cache/kustomize-${VERSION}/`, import.meta.url));

/** Those that are at hand; of those that are not one line is printed. */
export async function findBuilders(): Promise<Builder[]> {
  const kustomize = await installKustomize();
  return [
    ...((await succeeds('kubectl', 'version', '--client'))
      ? [builder('kubectl kustomize', 'kubectl', 'kustomize')]
      : skip('kubectl')),
    ...(kustomize === undefined
      ? skip(`kustomize ${VERSION}, which is installed with go,`)
      : [builder('kustomize build', kustomize, 'build')]),
  ];
}

function builder(name: string, command: string, ...args: string[]): Builder {
  return {
    name,
    build: async (directory) =>
      parseManifests((await execa(command, [...args, directory], { stdin: 'ignore' })).stdout),
  };
}

function skip(missing: string): Builder[] {
  console.log(`SKIPPED: kustomizations built with ${missing} which is not at hand`);
  return [];
}

/** The path of kustomize, compiled once with go; undefined without go, and without the network on the first call. */
async function installKustomize(): Promise<string | undefined> {
  const binary = join(CACHE, 'kustomize');
  if (existsSync(binary)) return binary;
  const { failed } = await execa('go', ['install', `sigs.k8s.io/kustomize/kustomize/v5@${VERSION}`], {
    env: { GOBIN: CACHE },
    reject: false,
  });
  return failed ? undefined : binary;
}

async function succeeds(command: string, ...args: string[]): Promise<boolean> {
  return !(await execa(command, args, { reject: false })).failed;
}
