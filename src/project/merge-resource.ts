import { OtsError } from '../errors/ots-error.ts';
import { defaultControllerName } from './names/controller-name.ts';
import { pluralOf } from './names/plural.ts';
import type { Resource, ResourceInput, ResourceWebhooks } from './project.ts';
import { describeResource } from './resource-identity.ts';

/** Fills in the defaults of an input. */
export function completeResource(input: ResourceInput): Resource {
  return {
    path: undefined,
    api: undefined,
    ...input,
    plural: input.plural ?? pluralOf(input.kind),
    controller: input.controller ?? false,
    controllers: input.controllers ?? [],
    core: input.core ?? false,
    external: input.external ?? false,
    webhooks: completeWebhooks(input.webhooks),
  };
}

/**
 * Merges what a command scaffolded into a resource: true stays true, names are united, and later paths win. One
 * controller becomes a list as soon as one has its own name.
 *
 * @param multigroup decides the name of an unnamed controller
 * @throws {OtsError} `PLURAL_DIFFERS`
 */
export function mergeResources(known: Resource, added: Resource, multigroup: boolean): Resource {
  if (known.plural !== added.plural) {
    throw new OtsError(
      'PLURAL_DIFFERS',
      `${describeResource(known)} has the plural ${known.plural}, not ${added.plural}`,
      { hint: `Omit --plural or use --plural ${known.plural}.` },
    );
  }
  const { api } = known;
  return {
    ...known,
    path: added.path ?? known.path,
    api:
      api && added.api ? { ...api, namespaced: api.namespaced || added.api.namespaced } : (api ?? added.api),
    ...mergeControllers(known, added, multigroup),
    core: known.core || added.core,
    external: known.external || added.external,
    webhooks: mergeWebhooks(known.webhooks, added.webhooks),
  };
}

function mergeControllers(
  known: Resource,
  added: Resource,
  multigroup: boolean,
): Pick<Resource, 'controller' | 'controllers'> {
  const isAnyNamed = known.controllers.length + added.controllers.length > 0;
  if (!isAnyNamed) return { controller: known.controller || added.controller, controllers: [] };
  const unnamed = defaultControllerName(known.kind, multigroup ? known.group : undefined);
  const names = new Set([
    ...(known.controller ? [unnamed] : []),
    ...known.controllers.map(({ name }) => name),
    ...(added.controller ? [unnamed] : []),
    ...added.controllers.map(({ name }) => name),
  ]);
  return { controller: false, controllers: [...names].map((name) => ({ name })) };
}

function mergeWebhooks(
  known: ResourceWebhooks | undefined,
  added: ResourceWebhooks | undefined,
): ResourceWebhooks | undefined {
  if (!known || !added) return known ?? added;
  return {
    webhookVersion: known.webhookVersion,
    defaulting: known.defaulting || added.defaulting,
    defaultingPath: added.defaultingPath ?? known.defaultingPath,
    validation: known.validation || added.validation,
    validationPath: added.validationPath ?? known.validationPath,
    conversion: known.conversion || added.conversion,
    spoke: [...new Set([...known.spoke, ...added.spoke])],
  };
}

function completeWebhooks(webhooks: ResourceInput['webhooks']): ResourceWebhooks | undefined {
  return (
    webhooks && {
      webhookVersion: 'v1',
      defaulting: webhooks.defaulting ?? false,
      defaultingPath: webhooks.defaultingPath,
      validation: webhooks.validation ?? false,
      validationPath: webhooks.validationPath,
      conversion: webhooks.conversion ?? false,
      spoke: webhooks.spoke ?? [],
    }
  );
}
