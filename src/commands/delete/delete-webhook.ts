import type { Context } from '../../context.ts';
import { stageUndo } from '../../layouts/typescript/undo/stage-undo.ts';
import {
  type WebhooksToDelete,
  checkWebhookDeletion,
  knownResource,
  webhookNames,
} from '../../project/check-deletion.ts';
import type { Resource } from '../../project/project.ts';
import type { ProjectFile } from '../../project/project-file.ts';
import { withoutWebhooks } from '../../project/reduce-resource.ts';
import { describeResource } from '../../project/resource-identity.ts';
import { chooseSome } from '../../prompts/choose.ts';
import type { Staged } from '../../scaffold/execute.ts';
import type { Tree } from '../../scaffold/tree.ts';
import { inProject } from '../shared/in-project.ts';
import { type ResourceOptions, chooseResource } from './choose-resource.ts';
import { confirmDeletion } from './confirm-deletion.ts';

export interface DeleteWebhookOptions extends ResourceOptions {
  defaulting?: boolean;
  programmaticValidation?: boolean;
  conversion?: boolean;
  spoke?: string[];
  force?: boolean;
  yes?: boolean;
}

/** `ots delete webhook`: removes webhooks of a kind with everything that `ots create webhook` added for them. */
export async function deleteWebhook(options: DeleteWebhookOptions, context: Context): Promise<void> {
  const name = await chooseResource(options, context, ({ webhooks }) => webhooks !== undefined);
  const approve = confirmDeletion(options, context);
  let chosen: WebhooksToDelete | undefined;
  const stage = async (tree: Tree, file: ProjectFile): Promise<Staged> => {
    const resource = knownResource(file.project, name);
    // Once: what is staged on the record of the scaffold is what the user chose for the project.
    const selected = (chosen ??= await chooseWebhooks(resource, options, context));
    checkWebhookDeletion(resource, selected);
    return deleteWebhooks(tree, file, resource, selected);
  };
  await inProject('delete webhook', options, context, stage, approve);
}

/** The webhooks of the flags. At a terminal without flags, the user chooses among those of the resource. */
async function chooseWebhooks(
  resource: Resource,
  options: DeleteWebhookOptions,
  context: Context,
): Promise<WebhooksToDelete> {
  const { defaulting, programmaticValidation: validation, conversion, spoke: spokes = [] } = options;
  const names = webhookNames(resource);
  const isGiven = defaulting || validation || conversion || spokes.length > 0;
  const chosen =
    isGiven || !context.interactive || names.length === 0
      ? []
      : await chooseSome(
          `Which webhooks of ${resource.kind}?`,
          names.map((value) => ({ value, label: value })),
          context,
        );
  return {
    defaulting: defaulting ?? chosen.includes('defaulting'),
    validation: validation ?? chosen.includes('validation'),
    conversion: conversion ?? chosen.includes('conversion'),
    spokes,
  };
}

async function deleteWebhooks(
  tree: Tree,
  file: ProjectFile,
  resource: Resource,
  selected: WebhooksToDelete,
): Promise<Staged> {
  const before = file.project;
  const all = selected.conversion ? (resource.webhooks?.spoke ?? []) : [];
  const spokes = selected.spokes.length > 0 ? selected.spokes : all;
  file.reduceResource(resource, withoutWebhooks(resource, { ...selected, spokes }));
  const what = `A webhook of ${describeResource(resource)}`;
  return { notes: await stageUndo(tree, before, file.project, what), nextSteps: ['npm test'] };
}
