import { describe, expect, test } from 'vitest';
import { checkExternalApi } from '../../src/project/check-external-api.ts';
import { type NewApi, checkNewApi } from '../../src/project/check-new-api.ts';
import { type NewController, checkNewController } from '../../src/project/check-new-controller.ts';
import { type NewWebhook, checkNewWebhook } from '../../src/project/check-new-webhook.ts';
import { codeOf, errorOf } from './error-of.ts';
import { multigroupWith, projectWith, resource } from './example-project.ts';

const empty = projectWith();
const captain = projectWith(resource());
const manyGroups = multigroupWith(resource());

describe('a new API', () => {
  test.each([
    ['a kind beside another', captain, api({}), 'sailors'],
    [
      'a second version, which keeps the plural',
      projectWith(resource({ plural: 'admirales' })),
      api({ version: 'v2', kind: 'Captain' }),
      'admirales',
    ],
    [
      'another group in a multigroup project',
      manyGroups,
      api({ group: 'fleet', kind: 'Captain' }),
      'captains',
    ],
    [
      'a kind like a built-in one, in another group',
      empty,
      api({ group: 'apps', kind: 'JobWatcher' }),
      'jobwatchers',
    ],
    ['a kind that only sounds like a list', captain, api({ kind: 'AllowList' }), 'allowlists'],
    ['DNS', empty, api({ kind: 'DNS' }), 'dnses'],
    [
      'an own group beside a controller for a built-in kind',
      projectWith(builtIn('Deployment')),
      api({}),
      'sailors',
    ],
  ])('is accepted: %s', (_name, project, input, plural) => {
    expect(checkNewApi(project, input)).toBe(plural);
  });

  test.each([
    ['INVALID_GROUP', empty, api({ group: 'Crew' })],
    ['INVALID_VERSION', empty, api({ version: '1' })],
    ['INVALID_KIND', empty, api({ kind: 'My-Kind' })],
    ['RESERVED_KIND', empty, api({ kind: 'String' })],
    ['INVALID_PLURAL', empty, api({ plural: 'Sailors' })],
    ['INVALID_SHORT_NAME', empty, api({ shortNames: ['Sl'] })],
    ['SHORT_NAME_TAKEN', captain, api({ shortNames: ['captains'] })],
    ['INVALID_CATEGORY', empty, api({ categories: ['All'] })],
    ['DERIVED_NAME_TOO_LONG', empty, api({ kind: `Sailor${'x'.repeat(45)}` })],
    ['RESOURCE_EXISTS', captain, api({ kind: 'Captain' })],
    ['MULTIPLE_GROUPS', captain, api({ group: 'fleet' })],
    ['SCOPE_DIFFERS', captain, api({ kind: 'Captain', version: 'v2', namespaced: false })],
    ['PLURAL_DIFFERS', captain, api({ kind: 'Captain', version: 'v2', plural: 'admirales' })],
    ['PLURAL_TAKEN', captain, api({ kind: 'Captains' })],
    ['PLURAL_TAKEN', captain, api({ plural: 'captains' })],
    ['PLURAL_TAKEN', captain, api({ plural: 'captain' })],
    ['KIND_DIFFERS_IN_CASE', captain, api({ kind: 'CAPTAIN' })],
    ['LIST_KIND_TAKEN', captain, api({ kind: 'CaptainList' })],
    ['LIST_KIND_TAKEN', projectWith(resource({ kind: 'CaptainList' })), api({ kind: 'Captain' })],
    ['CORE_KIND', empty, api({ group: 'apps', kind: 'Deployment' })],
    ['CORE_KIND', empty, api({ group: 'networking', kind: 'Ingress' })],
    ['FILE_NAME_TAKEN', projectWith(builtIn('Deployment')), api({ kind: 'Deployment' })],
    ['GROUP_TAKEN', multigroupWith(resource({ group: 'sea-crew' })), api({ group: 'sea.crew' })],
  ])('is refused: %s', (code, project, input) => {
    expect(errorOf(() => checkNewApi(project, input)).code).toBe(code);
  });

  test('may be written again, and shadow a built-in kind, when that is forced', () => {
    expect(codeOf(() => checkNewApi(captain, api({ kind: 'Captain' }), { force: true }))).toBeUndefined();
    expect(
      codeOf(() => checkNewApi(empty, api({ group: 'batch', kind: 'CronJob' }), { force: true })),
    ).toBeUndefined();
  });

  test('stays subject to all other rules when it is forced', () => {
    expect(codeOf(() => checkNewApi(captain, api({ kind: 'CAPTAIN' }), { force: true }))).toBe(
      'KIND_DIFFERS_IN_CASE',
    );
    expect(codeOf(() => checkNewApi(captain, api({ group: 'fleet' }), { force: true }))).toBe(
      'MULTIPLE_GROUPS',
    );
  });

  test('explains how to get several groups', () => {
    expect(errorOf(() => checkNewApi(captain, api({ group: 'fleet' }))).hint).toContain(
      'ots edit --multigroup',
    );
  });
});

describe('a new controller', () => {
  const watched = projectWith(resource({ controller: true }));
  const named = projectWith(resource({ controllers: [{ name: 'captain-backup' }] }));

  test.each([
    ['the first one', captain, controller(), 'captain'],
    ['the first one of a multigroup project', manyGroups, controller(), 'crew-captain'],
    ['the first one, named like its kind', captain, controller({ name: 'captain' }), 'captain'],
    ['a second one with a name', watched, controller({ name: 'captain-backup' }), 'captain-backup'],
    [
      'one for a built-in kind',
      empty,
      controller({ ...builtIn('Deployment'), plural: 'deployments' }),
      'deployment',
    ],
  ])('is accepted: %s', (_title, project, input, name) => {
    expect(checkNewController(project, input)).toBe(name);
  });

  test.each([
    ['CONTROLLER_EXISTS', watched, controller()],
    ['CONTROLLER_EXISTS', watched, controller({ version: 'v2' })],
    ['CONTROLLER_EXISTS', named, controller()],
    ['CLUSTER_SCOPED_KIND', { ...captain, namespaced: true }, controller({ scope: 'Cluster' })],
    ['INVALID_CONTROLLER_NAME', captain, controller({ name: 'Foo_Bar' })],
    ['CONTROLLER_NAME_TAKEN', watched, controller({ name: 'captain' })],
    ['CONTROLLER_NAME_TAKEN', named, controller({ name: 'captainbackup' })],
    [
      'CONTROLLER_NAME_TAKEN',
      projectWith(resource({ kind: 'JobWatcher' })),
      controller({ name: 'job-watcher' }),
    ],
    [
      'CONTROLLER_NAME_TAKEN',
      multigroupWith(resource({ controller: true })),
      controller({ name: 'captain' }),
    ],
  ])('is refused: %s', (code, project, input) => {
    expect(errorOf(() => checkNewController(project, input)).code).toBe(code);
  });

  test('may be written again when that is forced', () => {
    expect(checkNewController(watched, controller(), { force: true })).toBe('captain');
    const namespaced = { ...captain, namespaced: true };
    expect(checkNewController(namespaced, controller({ scope: 'Cluster' }), { force: true })).toBe('captain');
    expect(checkNewController(named, controller({ name: 'captain-backup' }), { force: true })).toBe(
      'captain-backup',
    );
    expect(codeOf(() => checkNewController(named, controller(), { force: true }))).toBe('CONTROLLER_EXISTS');
  });
});

describe('a new webhook', () => {
  const twoVersions = projectWith(resource(), resource({ version: 'v2' }));
  const defaulted = projectWith(
    resource({ webhooks: { defaulting: true, defaultingPath: '/mine' } }),
    resource({ kind: 'Sailor' }),
  );
  const converted = projectWith(
    resource({ webhooks: { conversion: true, spoke: ['v2'] } }),
    resource({ version: 'v2' }),
    resource({ version: 'v3' }),
  );

  test.each([
    ['the first one', captain, webhook({ defaulting: true, validation: true })],
    ['one of another type', defaulted, webhook({ validation: true, validationPath: '/check' })],
    ['a conversion', twoVersions, webhook({ conversion: true, spoke: ['v2'] })],
    ['another spoke', converted, webhook({ conversion: true, spoke: ['v3'] })],
    ['one for a built-in kind', empty, webhook({ ...builtIn('Pod'), validation: true })],
  ])('is accepted: %s', (_title, project, input) => {
    expect(codeOf(() => checkNewWebhook(project, input))).toBeUndefined();
  });

  test.each([
    ['WEBHOOK_TYPE_MISSING', captain, webhook({})],
    ['RESOURCE_MISSING', empty, webhook({ defaulting: true })],
    ['RESOURCE_MISSING', captain, webhook({ defaulting: true, version: 'v2' })],
    ['WEBHOOK_EXISTS', defaulted, webhook({ defaulting: true })],
    ['WEBHOOK_EXISTS', converted, webhook({ conversion: true, spoke: ['v2'] })],
    ['PATH_WITHOUT_WEBHOOK', captain, webhook({ validation: true, defaultingPath: '/x' })],
    ['INVALID_WEBHOOK_PATH', captain, webhook({ defaulting: true, defaultingPath: 'foo' })],
    ['WEBHOOK_PATH_TAKEN', captain, webhook({ defaulting: true, defaultingPath: '/convert' })],
    ['WEBHOOK_PATH_TAKEN', defaulted, webhook({ kind: 'Sailor', defaulting: true, defaultingPath: '/mine' })],
    ['WEBHOOK_PATH_TAKEN', defaulted, webhook({ validation: true, validationPath: '/mine' })],
    [
      'WEBHOOK_PATH_TAKEN',
      captain,
      webhook({ defaulting: true, defaultingPath: '/x', validation: true, validationPath: '/x' }),
    ],
    ['SPOKE_MISSING', twoVersions, webhook({ conversion: true })],
    ['SPOKE_WITHOUT_CONVERSION', twoVersions, webhook({ validation: true, spoke: ['v2'] })],
    ['SPOKE_IS_HUB', twoVersions, webhook({ conversion: true, spoke: ['v1'] })],
    ['SPOKE_REPEATED', twoVersions, webhook({ conversion: true, spoke: ['v2', 'v2'] })],
    ['UNKNOWN_SPOKE', twoVersions, webhook({ conversion: true, spoke: ['v3'] })],
    ['INVALID_VERSION', twoVersions, webhook({ conversion: true, spoke: ['2'] })],
    ['HUB_EXISTS', converted, webhook({ version: 'v2', conversion: true, spoke: ['v1'] })],
    ['CONVERSION_OF_FOREIGN_KIND', empty, webhook({ ...builtIn('Pod'), conversion: true, spoke: ['v2'] })],
  ])('is refused: %s', (code, project, input) => {
    expect(errorOf(() => checkNewWebhook(project, input)).code).toBe(code);
  });

  test('may be written again when that is forced', () => {
    expect(
      codeOf(() => checkNewWebhook(defaulted, webhook({ defaulting: true }), { force: true })),
    ).toBeUndefined();
  });
});

describe('a kind of another project', () => {
  const certificate = { group: 'cert-manager', domain: 'io', version: 'v1', kind: 'Certificate' };

  test.each([
    ['from a package', { ...certificate, path: '@cert-manager/types/v1' }],
    ['declared in the project', certificate],
    ['of a protected group', { ...certificate, group: 'gateway.networking', domain: 'k8s.io' }],
  ])('is accepted: %s', (_title, input) => {
    expect(checkExternalApi(captain, input)).toBe('certificates');
  });

  test.each([
    ['INVALID_DOMAIN', { ...certificate, domain: 'i_o' }],
    ['INVALID_GROUP', { ...certificate, group: 'Cert' }],
    ['INVALID_VERSION', { ...certificate, version: 'one' }],
    ['RESERVED_KIND', { ...certificate, kind: 'Request' }],
    ['INVALID_EXTERNAL_API_PATH', { ...certificate, path: '../elsewhere' }],
    ['FILE_NAME_TAKEN', { ...certificate, kind: 'Captain' }],
  ])('is refused: %s', (code, input) => {
    expect(errorOf(() => checkExternalApi(captain, input)).code).toBe(code);
  });
});

function builtIn(kind: string) {
  const group = kind === 'Pod' ? 'core' : 'apps';
  return { group, domain: '', version: 'v1', kind, core: true, controller: true };
}

function api(overrides: Partial<NewApi>): NewApi {
  return {
    group: 'crew',
    version: 'v1',
    kind: 'Sailor',
    namespaced: true,
    ...overrides,
  };
}

function controller(overrides: Partial<NewController> = {}): NewController {
  return {
    group: 'crew',
    domain: 'example.com',
    version: 'v1',
    kind: 'Captain',
    plural: 'captains',
    ...overrides,
  };
}

function webhook(overrides: Partial<NewWebhook>): NewWebhook {
  return {
    group: 'crew',
    domain: 'example.com',
    version: 'v1',
    kind: 'Captain',
    ...overrides,
  };
}
