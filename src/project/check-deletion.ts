import { closestName } from 'ots-apimachinery/closest-name';
import { quoted } from './names/quoted.ts';
import { refuse } from './names/refuse.ts';
import { type ResourceName, suggestResource } from './names/suggest-resource.ts';
import type { Project, Resource } from './project.ts';
import { controllerNames } from './project-lookups.ts';
import { isSameKind } from './resource-identity.ts';

/**
 * The resource of a name, and of the project itself if another project or Kubernetes has one with the same name.
 *
 * @throws {OtsError} `RESOURCE_MISSING`
 */
export function knownResource(project: Project, wanted: ResourceName): Resource {
  const { group, version, kind } = wanted;
  const found = project.resources.filter(
    (resource) => resource.group === group && resource.version === version && resource.kind === kind,
  );
  const resource = found.find(({ api }) => api) ?? found[0];
  if (resource) return resource;
  const suggestion = suggestResource(wanted, project.resources).trimEnd();
  return refuse(
    'RESOURCE_MISSING',
    `The project has no ${quoted(kind)} in ${quoted(`${group}/${version}`)}`,
    suggestion === '' ? 'It has no APIs yet: ots create api adds one.' : suggestion,
  );
}

/**
 * Checks that a version of a kind can be deleted: nothing else in PROJECT needs it.
 *
 * @throws {OtsError} `WEBHOOKS_EXIST`, `VERSION_IS_SPOKE`
 */
export function checkVersionDeletion(project: Project, resource: Resource): void {
  const { webhooks, kind, version } = resource;
  if (webhooks) {
    refuse(
      'WEBHOOKS_EXIST',
      `${kind} ${version} has webhooks: ${webhookNames(resource).join(', ')}`,
      `Delete them first: ots delete webhook ${flagsOf(resource)} ${webhookFlags(resource).join(' ')}.`,
    );
  }
  const hub = project.resources.find(
    (other) => isSameKind(other, resource) && other.webhooks?.spoke.includes(version),
  );
  if (!hub) return;
  refuse(
    'VERSION_IS_SPOKE',
    `${kind} ${version} is converted to and from ${hub.version}`,
    `Delete the conversion first: ots delete webhook ${flagsOf(hub)} --conversion --spoke ${version}.`,
  );
}

/**
 * The names of the controllers to delete: one, or those of the resource.
 *
 * @param name the name that the user gave
 * @param isOwn whether the resource stays without them, so the user has to name one of several
 * @throws {OtsError} `CONTROLLER_MISSING`, `SEVERAL_CONTROLLERS`
 */
export function controllersToDelete(
  project: Project,
  resource: Resource,
  name: string | undefined,
): string[] {
  const names = controllerNames(project, resource);
  const { kind, version } = resource;
  if (names.length === 0) {
    const other = project.resources.find(
      (candidate) => isSameKind(candidate, resource) && controllerNames(project, candidate).length > 0,
    );
    const hint = other
      ? `The controllers of ${kind} belong to ${other.version}: use --version ${other.version}.`
      : resource.webhooks
        ? `Delete its webhooks with ots delete webhook ${flagsOf(resource)} ${webhookFlags(resource).join(' ')}.`
        : 'Omit --resource=false and --controller-name to delete the API.';
    refuse('CONTROLLER_MISSING', `${kind} ${version} has no controller`, hint);
  }
  if (name === undefined) {
    if (names.length === 1 || !resource.api) return names;
    return refuse(
      'SEVERAL_CONTROLLERS',
      `${kind} ${version} has several controllers: ${names.join(', ')}`,
      'Name one of them with --controller-name.',
    );
  }
  if (names.includes(name)) return [name];
  const meant = closestName(name, names);
  return refuse(
    'CONTROLLER_MISSING',
    `${kind} ${version} has no controller named ${quoted(name)}`,
    `${meant === undefined ? '' : `Did you mean ${quoted(meant)}? `}Its controllers are ${names.join(', ')}.`,
  );
}

/** Webhooks to delete, as the flags name them. */
export interface WebhooksToDelete {
  readonly defaulting: boolean;
  readonly validation: boolean;
  readonly conversion: boolean;
  /** Empty for all. */
  readonly spokes: readonly string[];
}

/**
 * Checks webhooks that are about to be deleted.
 *
 * @throws {OtsError} `WEBHOOK_TYPE_MISSING`, `SPOKE_WITHOUT_CONVERSION`, `WEBHOOK_MISSING`, `UNKNOWN_SPOKE`
 */
export function checkWebhookDeletion(resource: Resource, selected: WebhooksToDelete): void {
  const { kind, version, webhooks } = resource;
  const flags = webhookFlags(resource);
  const has = flags.length > 0 ? `It has ${webhookNames(resource).join(', ')}.` : 'It has no webhooks.';
  if (!selected.conversion && selected.spokes.length > 0)
    refuse('SPOKE_WITHOUT_CONVERSION', '--spoke needs --conversion', 'Add --conversion.');
  const wanted = (['defaulting', 'validation', 'conversion'] as const).filter((type) => selected[type]);
  if (wanted.length === 0) {
    refuse(
      'WEBHOOK_TYPE_MISSING',
      'The type of the webhook to delete is missing',
      flags.length > 0 ? `Add ${flags.join(' or ')}.` : `${kind} ${version} has no webhooks.`,
    );
  }
  for (const type of wanted) {
    if (!webhooks?.[type]) refuse('WEBHOOK_MISSING', `${kind} ${version} has no ${type} webhook`, has);
  }
  for (const spoke of selected.spokes) {
    if (webhooks?.spoke.includes(spoke)) continue;
    refuse(
      'UNKNOWN_SPOKE',
      `${kind} ${version} is not converted to and from ${quoted(spoke)}`,
      `Its spokes are ${webhooks?.spoke.join(', ')}.`,
    );
  }
}

/** The types of a resource's webhooks, in the order of the flags. */
export function webhookNames({ webhooks }: Resource): string[] {
  if (!webhooks) return [];
  return (['defaulting', 'validation', 'conversion'] as const).filter((type) => webhooks[type]);
}

const flagOf = {
  defaulting: '--defaulting',
  validation: '--programmatic-validation',
  conversion: '--conversion',
};

function webhookFlags(resource: Resource): string[] {
  return webhookNames(resource).map((name) => flagOf[name as keyof typeof flagOf]);
}

function flagsOf({ group, version, kind }: ResourceName): string {
  return `--group ${group} --version ${version} --kind ${kind}`;
}
