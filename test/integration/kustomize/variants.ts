import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  writeFileSync,
} from 'node:fs';
import { join, relative } from 'node:path';
import { parse, stringify } from 'yaml';
import type { Names } from './check-names.ts';
import { readProject } from './check-operator.ts';

/** One way to deploy an operator: a kustomization, and what it is expected to make. */
export interface Variant {
  readonly name: string;
  readonly directory: string;
  readonly names: Names;
  readonly components: readonly string[];
}

interface Kustomization {
  kind?: string;
  namespace?: string;
  namePrefix?: string;
  components?: string[];
  transformers?: string[];
}

const CERTIFICATES = '../certmanager';

/**
 * What users make of config/default: other parts on and off, other names, overlays.
 *
 * @param project the directory of a project, which is not changed
 * @param scratch a directory outside of it, for the copies
 */
export function variantsOf(project: string, scratch: string): Variant[] {
  const config = join(project, 'config');
  const { projectName } = readProject(project);
  const names = { namespace: `${projectName}-system`, prefix: `${projectName}-` };
  const { components: listed = [], transformers = [] } = read(join(config, 'default'));
  const all = [...new Set([...listed, ...componentsOf(config)])];
  const renamed = { namespace: 'other-place', prefix: 'acme-' };

  const copy = (
    name: string,
    components: readonly string[],
    copyNames: Names,
    change: Kustomization = {},
  ): Variant => {
    const directory = copyOf(config, scratch, { components: [...components], ...change });
    return { name, directory, names: copyNames, components };
  };
  const variants = [
    { name: 'config/default', directory: join(config, 'default'), names, components: listed },
    ...all
      .filter((component) => !listed.includes(component))
      .map((component) => copy(`with ${component}`, [...listed, component], names)),
    copy('with every component', all, names),
    copy('with other names', all, renamed, { namespace: renamed.namespace, namePrefix: renamed.prefix }),
    overlay(scratch, config, names.prefix, listed, transformers.length > 0),
  ];
  if (!listed.includes(CERTIFICATES)) return variants;
  const own = all.filter((component) => component !== CERTIFICATES);
  return [...variants, copy('with certificates of their own', own, names, { transformers: [] })];
}

/** The directories of config/ that hold a component, as config/default lists them. */
function componentsOf(config: string): string[] {
  return readdirSync(config)
    .filter(
      (name) =>
        existsSync(kustomizationIn(join(config, name))) && read(join(config, name)).kind === 'Component',
    )
    .map((name) => `../${name}`);
}

/** Copies config/ and changes config/default in the copy, whose path is returned. */
function copyOf(config: string, scratch: string, change: Kustomization): string {
  const copy = mkdtempSync(join(scratch, 'config-'));
  cpSync(config, copy, { recursive: true });
  const directory = join(copy, 'default');
  write(directory, { ...read(directory), ...change });
  return directory;
}

/** An overlay in another directory, made as the comments in config/default say. */
function overlay(
  scratch: string,
  config: string,
  prefix: string,
  components: readonly string[],
  certificates: boolean,
): Variant {
  const directory = mkdtempSync(join(scratch, 'overlay-'));
  const path = (name: string) => relative(directory, join(config, name));
  write(directory, {
    apiVersion: 'kustomize.config.k8s.io/v1beta1',
    kind: 'Kustomization',
    namespace: 'staging',
    namePrefix: 'dev-',
    resources: [path('default')],
    ...(certificates && { transformers: [path('certmanager/names')] }),
  });
  return {
    name: 'in an overlay',
    directory,
    names: { namespace: 'staging', prefix: `dev-${prefix}` },
    components,
  };
}

function kustomizationIn(directory: string): string {
  return join(directory, 'kustomization.yaml');
}

function read(directory: string): Kustomization {
  return parse(readFileSync(kustomizationIn(directory), 'utf8')) as Kustomization;
}

function write(directory: string, kustomization: object): void {
  mkdirSync(directory, { recursive: true });
  writeFileSync(kustomizationIn(directory), stringify(kustomization));
}
