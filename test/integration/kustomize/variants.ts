import { existsSync, mkdtempSync, readFileSync, readdirSync } from 'node:fs';
import { join, relative } from 'node:path';
import { copySync, outputFileSync } from 'fs-extra/esm';
import { parse, stringify } from 'yaml';
import type { Names } from './check-names.ts';
import type { Certificates } from './check-webhooks.ts';
import { readProject } from './check-operator.ts';

/** One way to deploy an operator: a kustomization, and what it is expected to make. */
export interface Variant {
  readonly name: string;
  readonly directory: string;
  readonly names: Names;
  /** Where the certificate of the webhooks comes from; undefined without webhooks. */
  readonly certificates: Certificates | undefined;
}

interface Kustomization {
  kind?: string;
  namespace?: string;
  namePrefix?: string;
  components?: string[];
  transformers?: string[];
}

const webhookResource = '../webhook';
/** The components of which one is chosen. */
const certificateSources = {
  rotator: '../certificates',
  'cert-manager': '../certmanager',
  own: '../webhook/mounted-certificate',
} as const satisfies Record<Certificates, string>;
const otherNames = { namespace: 'other-place', prefix: 'acme-' };

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
  const { components: listed = [] } = read(join(config, 'default'));
  const choices: readonly string[] = Object.values(certificateSources);
  const optional = componentsOf(config).filter((name) => !listed.includes(name) && !choices.includes(name));
  const every = [...listed, ...optional];
  const certificates: Certificates | undefined = listed.includes(webhookResource) ? 'rotator' : undefined;
  const withNames = { namespace: otherNames.namespace, namePrefix: otherNames.prefix };

  const copy = (
    name: string,
    components: readonly string[],
    { change = {}, ...other }: Partial<Variant> & { change?: Kustomization } = {},
  ): Variant => {
    const directory = copyOf(config, scratch, { components: [...components], ...change });
    return { name, directory, names, certificates, ...other };
  };
  const variants = [
    { name: 'config/default', directory: join(config, 'default'), names, certificates },
    ...optional.map((component) => copy(`with ${component}`, [...listed, component])),
    copy('with every component', every),
    copy('with other names', every, { names: otherNames, change: withNames }),
    overlay(scratch, join(config, 'default'), { name: 'in an overlay', names, certificates }),
  ];
  if (!certificates) return variants;
  const chosen = (source: Certificates): string[] =>
    every.map((component) =>
      component === certificateSources.rotator ? certificateSources[source] : component,
    );
  const certManager = { certificates: 'cert-manager' as const };
  const change = { transformers: ['../certmanager/names'] };
  const withCertManager = copy('with cert-manager', chosen('cert-manager'), { ...certManager, change });
  return [
    ...variants,
    withCertManager,
    copy('with cert-manager and other names', chosen('cert-manager'), {
      ...certManager,
      names: otherNames,
      change: { ...change, ...withNames },
    }),
    overlay(scratch, withCertManager.directory, {
      ...withCertManager,
      name: 'with cert-manager in an overlay',
    }),
    copy('with a certificate of their own', chosen('own'), { certificates: 'own' }),
  ];
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
  copySync(config, copy);
  const directory = join(copy, 'default');
  write(directory, { ...read(directory), ...change });
  return directory;
}

/** An overlay of a kustomization, in another directory, made as the comments in config/default say. */
function overlay(scratch: string, base: string, variant: Omit<Variant, 'directory'>): Variant {
  const directory = mkdtempSync(join(scratch, 'overlay-'));
  const path = (name: string) => relative(directory, join(base, name));
  write(directory, {
    apiVersion: 'kustomize.config.k8s.io/v1beta1',
    kind: 'Kustomization',
    namespace: 'staging',
    namePrefix: 'dev-',
    resources: [path('.')],
    ...(variant.certificates === 'cert-manager' && { transformers: [path('../certmanager/names')] }),
  });
  return { ...variant, directory, names: { namespace: 'staging', prefix: `dev-${variant.names.prefix}` } };
}

function kustomizationIn(directory: string): string {
  return join(directory, 'kustomization.yaml');
}

function read(directory: string): Kustomization {
  return parse(readFileSync(kustomizationIn(directory), 'utf8')) as Kustomization;
}

function write(directory: string, kustomization: object): void {
  outputFileSync(kustomizationIn(directory), stringify(kustomization));
}
