import { checkSpokes } from './check-spokes.ts';
import { refuse } from './names/refuse.ts';
import { suggestResource } from './names/suggest-resource.ts';
import { type AdmissionWebhook, checkWebhookPath, defaultWebhookPath } from './names/webhook-path.ts';
import type { Project, Resource } from './project.ts';
import { customResources, webhookPaths } from './project-lookups.ts';
import { describeResource, isSameResource } from './resource-identity.ts';

/** Webhooks that are about to be added to a kind. */
export type NewWebhook = Pick<Resource, 'group' | 'domain' | 'version' | 'kind'> & {
  /** A kind of Kubernetes or of another project; PROJECT may not have it yet. */
  readonly core?: boolean | undefined;
  readonly external?: boolean | undefined;
  readonly defaulting?: boolean | undefined;
  readonly defaultingPath?: string | undefined;
  readonly validation?: boolean | undefined;
  readonly validationPath?: string | undefined;
  readonly conversion?: boolean | undefined;
  readonly spoke?: readonly string[] | undefined;
};

/**
 * Checks webhooks before anything is staged.
 *
 * @param options `force` allows rewriting existing webhooks
 * @throws {OtsError} `WEBHOOK_TYPE_MISSING`, `RESOURCE_MISSING`, `WEBHOOK_EXISTS`, `PATH_WITHOUT_WEBHOOK`,
 *   `CONVERSION_OF_FOREIGN_KIND`, `SPOKE_WITHOUT_CONVERSION`, those of {@link checkSpokes} and {@link checkWebhookPath}
 */
export function checkNewWebhook(
  project: Project,
  webhook: NewWebhook,
  options: { force?: boolean } = {},
): void {
  if (!webhook.defaulting && !webhook.validation && !webhook.conversion) {
    refuse(
      'WEBHOOK_TYPE_MISSING',
      'The type of the webhook is missing',
      'Add --defaulting, --programmatic-validation or --conversion.',
    );
  }
  const known = project.resources.find((resource) => isSameResource(resource, webhook));
  const isForeign = webhook.core === true || webhook.external === true;
  if (!isForeign && !known?.api && !known?.external) {
    refuse(
      'RESOURCE_MISSING',
      `The project has no ${describeResource(webhook)}`,
      `${suggestResource(webhook, customResources(project))}Create it first: ots create api --group ${webhook.group} --version ${webhook.version} --kind ${webhook.kind}.`,
    );
  }
  checkAdmission('defaulting', project, webhook, known, options);
  checkAdmission('validation', project, webhook, known, options);
  if (webhook.defaultingPath !== undefined && webhook.defaultingPath === webhook.validationPath) {
    checkWebhookPath(webhook.defaultingPath, [webhook.validationPath]);
  }
  checkConversion(project, webhook, known, isForeign, options);
}

function checkAdmission(
  type: AdmissionWebhook,
  project: Project,
  webhook: NewWebhook,
  known: Resource | undefined,
  options: { force?: boolean },
): void {
  const path = webhook[`${type}Path`];
  const flag = type === 'defaulting' ? '--defaulting' : '--programmatic-validation';
  if (!webhook[type]) {
    if (path === undefined) return;
    refuse(
      'PATH_WITHOUT_WEBHOOK',
      `The path of a ${type} webhook is set, but the command does not add one`,
      `Add ${flag}.`,
    );
  }
  if (known?.webhooks?.[type] && !options.force) refuseSecond(webhook, type);
  const others = project.resources.filter((resource) => resource !== known);
  const other = type === 'defaulting' ? 'validation' : 'defaulting';
  const beside = known?.webhooks?.[other]
    ? webhookPaths({ ...known, webhooks: { ...known.webhooks, [type]: false } })
    : [];
  checkWebhookPath(path ?? defaultWebhookPath(type, webhook), [...others.flatMap(webhookPaths), ...beside]);
}

function checkConversion(
  project: Project,
  webhook: NewWebhook,
  known: Resource | undefined,
  isForeign: boolean,
  options: { force?: boolean },
): void {
  const spokes = webhook.spoke ?? [];
  if (!webhook.conversion) {
    if (spokes.length === 0) return;
    refuse('SPOKE_WITHOUT_CONVERSION', '--spoke needs --conversion', 'Add --conversion.');
  }
  if (isForeign || !known?.api) {
    refuse(
      'CONVERSION_OF_FOREIGN_KIND',
      `${webhook.kind} belongs to another project, which converts its versions`,
      'Omit --conversion.',
    );
  }
  checkSpokes(project, webhook, spokes);
  const isNew = spokes.some((spoke) => !known.webhooks?.spoke.includes(spoke));
  if (known.webhooks?.conversion && !isNew && !options.force) refuseSecond(webhook, 'conversion');
}

function refuseSecond(webhook: NewWebhook, type: string): never {
  return refuse(
    'WEBHOOK_EXISTS',
    `${describeResource(webhook)} already has a ${type} webhook`,
    'Edit it, or rewrite it with --force.',
  );
}
