import { apiGroup } from './names/api-group.ts';
import { checkControllerName } from './names/controller-name.ts';
import { checkDomain } from './names/check-domain.ts';
import { checkExternalApiPath } from './names/check-external-api-path.ts';
import { checkGroup } from './names/check-group.ts';
import { checkKind, checkKindSyntax } from './names/check-kind.ts';
import { checkPlural } from './names/check-plural.ts';
import { checkVersion } from './names/check-version.ts';
import { pluralOf } from './names/plural.ts';
import { quoted } from './names/quoted.ts';
import { checkWebhookPath } from './names/webhook-path.ts';
import type { Resource, ResourceWebhooks } from './project.ts';
import type { Fields } from './yaml/fields.ts';

/** Reads one entry of `resources`. */
export function parseResource(fields: Fields): Resource {
  const core = fields.boolean('core');
  const external = fields.boolean('external');
  const names = readNames(fields, core, external);
  const controllers = readControllers(fields);
  const path = fields.string('path');
  if (path !== undefined) checkPath(fields, path, external);
  return {
    ...names,
    path,
    api: readApi(fields),
    controller: fields.boolean('controller') && controllers.length === 0,
    controllers,
    core,
    external,
    webhooks: readWebhooks(fields, names.version),
  };
}

function readNames(fields: Fields, core: boolean, external: boolean) {
  const origin = core || external ? 'external' : 'own';
  const group = fields.requiredString('group');
  const domain = fields.string('domain') ?? '';
  if (domain !== '') fields.check('domain', () => checkDomain(domain, origin));
  if (domain === '' && origin === 'own') fields.requiredString('domain');
  fields.check('group', () => checkGroup(group, domain, origin));
  const version = fields.requiredString('version');
  fields.check('version', () => checkVersion(version));
  const kind = fields.requiredString('kind');
  fields.check('kind', () => (core ? checkKindSyntax(kind) : checkKind(kind, origin)));
  const plural = fields.string('plural') ?? pluralOf(kind);
  fields.check('plural', () => checkPlural(plural, apiGroup({ group, domain, core })));
  return { group, domain, version, kind, plural };
}

function readControllers(fields: Fields): { name: string }[] {
  return fields.maps('controllers').map((entry) => {
    const name = entry.requiredString('name');
    entry.check('name', () => checkControllerName(name, []));
    return { name };
  });
}

function readApi(fields: Fields): Resource['api'] {
  const api = fields.map('api');
  return api && { crdVersion: readV1(api, 'crdVersion'), namespaced: api.boolean('namespaced') };
}

function readWebhooks(fields: Fields, hub: string): ResourceWebhooks | undefined {
  const webhooks = fields.map('webhooks');
  if (!webhooks) return undefined;
  const spoke = webhooks.strings('spoke');
  for (const version of spoke) webhooks.check('spoke', () => checkVersion(version));
  if (spoke.includes(hub)) {
    throw webhooks.error(
      'spoke',
      `The spoke ${hub} is the hub itself`,
      'List the other versions only.',
      'SPOKE_IS_HUB',
    );
  }
  return {
    webhookVersion: readV1(webhooks, 'webhookVersion'),
    defaulting: webhooks.boolean('defaulting'),
    defaultingPath: readWebhookPath(webhooks, 'defaultingPath'),
    validation: webhooks.boolean('validation'),
    validationPath: readWebhookPath(webhooks, 'validationPath'),
    conversion: webhooks.boolean('conversion'),
    spoke,
  };
}

function readWebhookPath(fields: Fields, key: string): string | undefined {
  const path = fields.string(key);
  if (path !== undefined) fields.check(key, () => checkWebhookPath(path, []));
  return path;
}

/** Since Kubernetes 1.22, CRDs and webhook configurations exist only in v1. */
function readV1(fields: Fields, key: string): 'v1' {
  const version = fields.string(key) ?? 'v1';
  if (version === 'v1') return version;
  throw fields.error(key, `${key} is ${quoted(version)}, and Kubernetes serves only v1`, 'Write v1.');
}

/** ots reads and writes files at these paths, so they must be inside the project. */
function checkPath(fields: Fields, path: string, external: boolean): void {
  if (external) {
    fields.check('path', () => checkExternalApiPath(path));
  } else if (!/^[\w@.~-]+(\/[\w@.~-]+)*$/.test(path) || path.split('/').includes('..')) {
    throw fields.error(
      'path',
      `path is not inside the project: ${quoted(path)}`,
      'Write a path such as src/api/v1.',
    );
  }
}
