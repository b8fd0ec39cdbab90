import { coreResource } from '../../project/names/core-resource.ts';
import { kebabCase } from '../../project/names/kebab-case.ts';
import type { Project, Resource } from '../../project/project.ts';
import { isSameKind } from '../../project/resource-identity.ts';
import type { Tree } from '../../scaffold/tree.ts';
import { copyNewestVersion } from './copy-newest-version.ts';
import { formatLongLines } from './format-long-lines.ts';
import { readHeader } from './header.ts';
import { kindFile } from './kind-import.ts';
import { type KindTags, readKindTags, tagsBeyond } from './kind-tags.ts';
import { typeDirectory } from './paths.ts';
import { relocate } from './relocate.ts';
import type { ScaffoldResource } from './resource-variables.ts';
import { type ScaffoldStep, isOfOtherLayout, scaffoldSteps } from './scaffold-step.ts';
import { stageApi } from './stage-api.ts';
import { stageController } from './stage-controller.ts';
import { stageInit } from './stage-init.ts';
import { stageManifests } from './stage-manifests.ts';
import { olmPlugin, stageOlm } from './stage-olm.ts';
import { stageWebhookConfig } from './stage-webhook-config.ts';
import { stageConversion, stageDefaulter, stageValidator } from './stage-webhook.ts';

/**
 * Stages a whole project as the commands of this version of ots make it: init, and everything that PROJECT records. What PROJECT does not
 * record comes from the project's own files: the license header, short names and categories, the scope of external kinds, and the order of
 * controllers and webhooks.
 *
 * @param tree receives the files, except PROJECT; empty
 * @param project the model of PROJECT
 * @param source the project with its sources
 * @param options.vendor whether to stage the packages in vendor/, which takes a while; default: true
 */
export async function stageProject(
  tree: Tree,
  project: Project,
  source: Tree,
  options: { vendor?: boolean } = {},
): Promise<void> {
  await stageInit(tree, project, readHeader(source), options);
  if (Object.hasOwn(project.plugins, olmPlugin)) stageOlm(tree, project);
  await stageSteps(tree, project, source);
  await stageManifests(tree, project);
  await formatLongLines(tree);
}

/**
 * Stages all steps, each in the layout of groups that the project had then: `ots edit --multigroup` moves files and does not rename what is
 * in them. The two layouts take turns, because a step needs the API of its resource, which may be of the other one.
 */
async function stageSteps(tree: Tree, project: Project, source: Tree): Promise<void> {
  const staged: Resource[] = [];
  let left = scaffoldSteps(project, source);
  let { multigroup } = project;
  const changeLayout = (to: boolean): void => {
    if (to !== multigroup) relocate(tree, { ...project, multigroup, resources: staged }, { multigroup: to });
    multigroup = to;
  };
  for (let turn = 0; left.length > 0; turn += 1) {
    const isOther = turn % 2 === 0;
    const rest: ScaffoldStep[] = [];
    for (const step of left) {
      if (isOfOtherLayout(project, step, source) !== isOther || !isReady(project, step, staged)) {
        rest.push(step);
        continue;
      }
      changeLayout(isOther ? !project.multigroup : project.multigroup);
      await stageStep(tree, { ...project, multigroup }, source, step);
      if (!staged.includes(step.resource)) staged.push(step.resource);
    }
    left = rest;
  }
  changeLayout(project.multigroup);
}

/** Whether the APIs are staged that a step needs. */
function isReady(project: Project, step: ScaffoldStep, staged: readonly Resource[]): boolean {
  return apisFor(project, step).every((resource) => staged.includes(resource));
}

/** For an API those are the versions that PROJECT lists before it, otherwise the versions that the step works with. */
function apisFor(project: Project, step: ScaffoldStep): Resource[] {
  const { resource } = step;
  if (step.adds === 'api') return versionsBefore(project, resource);
  const versions = step.adds === 'conversion' ? [resource.version, step.spoke] : [resource.version];
  return project.resources.filter(
    (other) => other.api && isSameKind(other, resource) && versions.includes(other.version),
  );
}

async function stageStep(tree: Tree, project: Project, source: Tree, step: ScaffoldStep): Promise<void> {
  const resource = scaffoldResource(project, step.resource, source);
  switch (step.adds) {
    case 'api':
      await stageVersion(tree, project, step.resource, source);
      break;
    case 'controller':
      stageController(tree, project, resource, step.name);
      break;
    case 'conversion':
      stageConversion(tree, project, resource, { ...resource, version: step.spoke });
      stageWebhookConfig(tree, project, resource, { ...noWebhooks, conversion: true });
      break;
    case 'defaulter':
      stageDefaulter(tree, project, resource, step.resource.webhooks?.defaultingPath);
      stageWebhookConfig(tree, project, resource, { ...noWebhooks, mutating: true });
      break;
    case 'validator':
      stageValidator(tree, project, resource, step.resource.webhooks?.validationPath);
      stageWebhookConfig(tree, project, resource, { ...noWebhooks, validating: true });
  }
  await formatLongLines(tree);
}

const noWebhooks = { conversion: false, mutating: false, validating: false };

/** Stages a version of a kind. The versions that PROJECT lists before it are there already. */
async function stageVersion(tree: Tree, project: Project, resource: Resource, source: Tree): Promise<void> {
  const versions = versionsBefore(project, resource);
  const tags = ownTags(project, resource, versions, source);
  const scaffolded = scaffoldResource(project, resource, source);
  const copy = await copyNewestVersion(tree, project, scaffolded, versions, tags);
  stageApi(tree, project, scaffolded, { ...tags, isFirst: versions.length === 0, copy });
}

function versionsBefore({ resources }: Project, resource: Resource): Resource[] {
  const earlier = resources.slice(0, resources.indexOf(resource));
  return earlier.filter((other) => other.api && isSameKind(other, resource));
}

/** The tags that the command of a version added: a version starts with those of the version that it copies. */
export function ownTags(
  project: Project,
  resource: Resource,
  versions: readonly Resource[],
  source: Tree,
): KindTags {
  // Other than the layout, the path in PROJECT is always the current one.
  const tagsOf = ({ path, group, version, kind }: Resource): KindTags => {
    const directory = path ?? typeDirectory(project, group, version);
    return readKindTags(source.read(`${directory}/${kebabCase(kind)}.ts`) ?? '');
  };
  return versions.reduce((tags, version) => tagsBeyond(tags, tagsOf(version)), tagsOf(resource));
}

/** Adds the scope, which PROJECT records only for kinds of the project. */
export function scaffoldResource(project: Project, resource: Resource, source: Tree): ScaffoldResource {
  const { api, core, group, version, kind } = resource;
  if (api) return { ...resource, scope: api.namespaced ? 'Namespaced' : 'Cluster' };
  if (core) return { ...resource, scope: coreResource(group, version, kind).scope };
  const file = kindFile(project, { ...resource, scope: 'Namespaced' });
  const isCluster = /^\s*scope: 'Cluster'/m.test((file !== undefined && source.read(file)) || '');
  return { ...resource, scope: isCluster ? 'Cluster' : 'Namespaced' };
}
