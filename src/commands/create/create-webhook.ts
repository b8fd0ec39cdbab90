import type { CommonOptions } from '../../common-options.ts';
import type { Context } from '../../context.ts';
import type { ScaffoldResource } from '../../layouts/typescript/resource-variables.ts';
import {
  conversionFile,
  stageConversion,
  stageDefaulter,
  stageValidator,
} from '../../layouts/typescript/stage-webhook.ts';
import { stageWebhookConfig } from '../../layouts/typescript/stage-webhook-config.ts';
import { checkNewWebhook } from '../../project/check-new-webhook.ts';
import { findCoreGroup } from '../../project/names/core-resource.ts';
import { pluralOf } from '../../project/names/plural.ts';
import type { Project } from '../../project/project.ts';
import type { ProjectFile } from '../../project/project-file.ts';
import type { Staged } from '../../scaffold/execute.ts';
import type { Tree } from '../../scaffold/tree.ts';
import { type GvkFlags, type GvkOptions, askGvk } from './ask-gvk.ts';
import { type ExternalOptions, foreignResource, isExternal } from './foreign-resource.ts';
import { inProject, projectRoot } from '../shared/in-project.ts';
import { ownResource } from './own-resource.ts';

export interface CreateWebhookOptions extends CommonOptions, GvkOptions, ExternalOptions {
  defaulting?: boolean;
  programmaticValidation?: boolean;
  conversion?: boolean;
  spoke?: string[];
  defaultingPath?: string;
  validationPath?: string;
  force?: boolean;
}

/** `ots create webhook`: adds webhooks to a kind and keeps its existing ones. */
export async function createWebhook(options: CreateWebhookOptions, context: Context): Promise<void> {
  projectRoot(options, context); // Fail before the first prompt if there is no project.
  const gvk = await askGvk(options, context);
  await inProject('create webhook', options, context, async (tree, file, author) =>
    addWebhooks(tree, file, gvk, options, author),
  );
}

function addWebhooks(
  tree: Tree,
  file: ProjectFile,
  gvk: GvkFlags,
  options: CreateWebhookOptions,
  author: Tree,
): Staged {
  const { project } = file;
  const {
    defaulting,
    programmaticValidation: validation,
    conversion,
    defaultingPath,
    validationPath,
  } = options;
  const resource = resourceOf(author, project, gvk, options);
  const spoke = options.spoke ?? [];
  const webhooks = { defaulting, defaultingPath, validation, validationPath, conversion, spoke };
  checkNewWebhook(project, { ...resource, ...webhooks }, options);

  if (defaulting) stageDefaulter(tree, project, resource, defaultingPath);
  if (validation) stageValidator(tree, project, resource, validationPath);
  for (const version of spoke) stageConversion(tree, project, resource, { ...resource, version });
  stageWebhookConfig(tree, project, resource, {
    conversion: conversion ?? false,
    mutating: defaulting ?? false,
    validating: validation ?? false,
  });
  const { scope: _, ...entry } = resource;
  file.addOrMergeResource({
    ...entry,
    webhooks: {
      defaulting: defaulting ?? false,
      defaultingPath,
      validation: validation ?? false,
      validationPath,
      conversion: conversion ?? false,
      spoke,
    },
  });
  const nextSteps = defaulting || validation ? ['edit the handlers in src/webhooks'] : [];
  if (conversion) {
    const files = spoke.map((version) => conversionFile(project, { ...resource, version }));
    nextSteps.push(`write the conversion in ${files.join(' and ')}; npm test fails until you do`);
  }
  return { notes: [], nextSteps: [...nextSteps, 'npm test'] };
}

/** A kind of the project, of another project, or of Kubernetes; checkNewWebhook reports an unknown name. */
function resourceOf(
  tree: Tree,
  project: Project,
  gvk: GvkFlags,
  options: CreateWebhookOptions,
): ScaffoldResource {
  const own = ownResource(project, gvk);
  if (own) return own;
  const foreign = isExternal(project, gvk, options) || findCoreGroup(gvk.group) !== undefined;
  if (foreign) return foreignResource(tree, project, gvk, options);
  const { domain } = project;
  return {
    ...gvk,
    domain,
    plural: pluralOf(gvk.kind),
    path: undefined,
    core: false,
    external: false,
    scope: 'Namespaced',
  };
}
