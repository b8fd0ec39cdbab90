import { OtsError } from '../../errors/ots-error.ts';
import { externalFile } from '../../layouts/typescript/paths.ts';
import type { ScaffoldResource } from '../../layouts/typescript/resource-variables.ts';
import { checkExternalApi } from '../../project/check-external-api.ts';
import { coreResource } from '../../project/names/core-resource.ts';
import { kebabCase } from '../../project/names/kebab-case.ts';
import { quoted } from '../../project/names/quoted.ts';
import type { Project, Resource } from '../../project/project.ts';
import { customResources } from '../../project/project-lookups.ts';
import type { Tree } from '../../scaffold/tree.ts';
import type { GvkFlags } from './ask-gvk.ts';

export interface ExternalOptions {
  externalApiPath?: string;
  externalApiDomain?: string;
  plural?: string;
  namespaced?: boolean;
}

/** Whether, according to flags or PROJECT, another project defines the kind. */
export function isExternal(project: Project, gvk: GvkFlags, options: ExternalOptions): boolean {
  const { externalApiPath, externalApiDomain } = options;
  return (
    externalApiPath !== undefined ||
    externalApiDomain !== undefined ||
    knownExternal(project, gvk, options) !== undefined
  );
}

function knownExternal(
  project: Project,
  gvk: GvkFlags,
  { externalApiDomain }: ExternalOptions,
): Resource | undefined {
  return project.resources.find(
    ({ external, group, version, kind, domain }) =>
      external &&
      group === gvk.group &&
      version === gvk.version &&
      kind === gvk.kind &&
      domain === (externalApiDomain ?? domain),
  );
}

/**
 * A resource that the project uses but does not define: of another project if the flags or PROJECT say so, else of
 * Kubernetes.
 *
 * @throws OtsError if the kind does not exist, or a name is invalid
 */
export function foreignResource(
  tree: Tree,
  project: Project,
  gvk: GvkFlags,
  options: ExternalOptions,
): ScaffoldResource {
  if (isExternal(project, gvk, options)) return externalResource(tree, project, gvk, options);
  const core = coreResource(gvk.group, gvk.version, gvk.kind, customResources(project));
  const { group, domain, version, kind, plural, scope } = core;
  return {
    group,
    domain,
    version,
    kind,
    plural,
    scope,
    core: true,
    external: false,
    path: `ots-kubernetes/${core.module}`,
  };
}

function externalResource(
  tree: Tree,
  project: Project,
  gvk: GvkFlags,
  options: ExternalOptions,
): ScaffoldResource {
  const known = knownExternal(project, gvk, options);
  const domain = options.externalApiDomain ?? known?.domain ?? '';
  const location = { ...gvk, kindKebab: kebabCase(gvk.kind) };
  const path = options.externalApiPath ?? known?.path ?? `./${externalFile(location)}`;
  const plural = checkExternalApi(project, { ...gvk, domain, path, plural: options.plural ?? known?.plural });
  if (path.startsWith('./')) refuseOutsideExternal(path);
  else refuseMissingDependency(tree, path);
  return {
    ...gvk,
    domain,
    plural,
    path,
    core: false,
    external: true,
    scope: options.namespaced === false ? 'Cluster' : 'Namespaced',
  };
}

/** A kind that the project declares elsewhere is its own kind and gets a CRD. */
function refuseOutsideExternal(path: string): void {
  if (path.startsWith('./src/external/')) return;
  throw new OtsError('INVALID_EXTERNAL_API_PATH', `${quoted(path)} is not below ./src/external/`, {
    hint: 'Move the file there. ots treats kinds declared elsewhere as kinds of the project.',
  });
}

/** A project must depend on the packages that it imports. */
function refuseMissingDependency(tree: Tree, path: string): void {
  const name = path
    .split('/')
    .slice(0, path.startsWith('@') ? 2 : 1)
    .join('/');
  const dependencies = readManifest(tree)?.dependencies;
  if (typeof dependencies === 'object' && dependencies && Object.hasOwn(dependencies, name)) return;
  throw new OtsError('MISSING_DEPENDENCY', `The project does not depend on ${name}`, {
    hint: `Run npm install ${name} first, or omit --external-api-path to declare the kind in this project.`,
  });
}

function readManifest(tree: Tree): { dependencies?: unknown } | null {
  try {
    return JSON.parse(tree.read('package.json') ?? '{}') as { dependencies?: unknown } | null;
  } catch (cause) {
    throw new OtsError('INVALID_PACKAGE_JSON', 'package.json is not valid JSON', {
      hint: 'Correct it and run the command again.',
      cause,
    });
  }
}
