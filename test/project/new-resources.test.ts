import { describe, expect, it } from 'vitest';
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
  it.each([
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

  it.each([
    ['invalid-group', empty, api({ group: 'Crew' })],
    ['invalid-version', empty, api({ version: '1' })],
    ['invalid-kind', empty, api({ kind: 'My-Kind' })],
    ['reserved-kind', empty, api({ kind: 'String' })],
    ['invalid-plural', empty, api({ plural: 'Sailors' })],
    ['invalid-short-name', empty, api({ shortNames: ['Sl'] })],
    ['short-name-taken', captain, api({ shortNames: ['captains'] })],
    ['invalid-category', empty, api({ categories: ['All'] })],
    ['derived-name-too-long', empty, api({ kind: `Sailor${'x'.repeat(45)}` })],
    ['resource-exists', captain, api({ kind: 'Captain' })],
    ['multiple-groups', captain, api({ group: 'fleet' })],
    ['scope-differs', captain, api({ kind: 'Captain', version: 'v2', namespaced: false })],
    ['plural-differs', captain, api({ kind: 'Captain', version: 'v2', plural: 'admirales' })],
    ['plural-taken', captain, api({ kind: 'Captains' })],
    ['plural-taken', captain, api({ plural: 'captains' })],
    ['plural-taken', captain, api({ plural: 'captain' })],
    ['kind-differs-in-case', captain, api({ kind: 'CAPTAIN' })],
    ['list-kind-taken', captain, api({ kind: 'CaptainList' })],
    ['list-kind-taken', projectWith(resource({ kind: 'CaptainList' })), api({ kind: 'Captain' })],
    ['core-kind', empty, api({ group: 'apps', kind: 'Deployment' })],
    ['core-kind', empty, api({ group: 'networking', kind: 'Ingress' })],
    ['file-name-taken', projectWith(builtIn('Deployment')), api({ kind: 'Deployment' })],
    ['group-taken', multigroupWith(resource({ group: 'sea-crew' })), api({ group: 'sea.crew' })],
  ])('is refused: %s', (code, project, input) => {
    expect(errorOf(() => checkNewApi(project, input)).code).toBe(code);
  });

  it('may be written again, and shadow a built-in kind, when that is forced', () => {
    expect(codeOf(() => checkNewApi(captain, api({ kind: 'Captain' }), { force: true }))).toBeUndefined();
    expect(
      codeOf(() => checkNewApi(empty, api({ group: 'batch', kind: 'CronJob' }), { force: true })),
    ).toBeUndefined();
  });

  it('stays subject to all other rules when it is forced', () => {
    expect(codeOf(() => checkNewApi(captain, api({ kind: 'CAPTAIN' }), { force: true }))).toBe(
      'kind-differs-in-case',
    );
    expect(codeOf(() => checkNewApi(captain, api({ group: 'fleet' }), { force: true }))).toBe(
      'multiple-groups',
    );
  });

  it('says how to get several groups', () => {
    expect(errorOf(() => checkNewApi(captain, api({ group: 'fleet' }))).hint).toContain(
      'ots edit --multigroup',
    );
  });
});

describe('a new controller', () => {
  const watched = projectWith(resource({ controller: true }));
  const named = projectWith(resource({ controllers: [{ name: 'captain-backup' }] }));

  it.each([
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

  it.each([
    ['controller-exists', watched, controller()],
    ['controller-exists', watched, controller({ version: 'v2' })],
    ['controller-exists', named, controller()],
    ['invalid-controller-name', captain, controller({ name: 'Foo_Bar' })],
    ['controller-name-taken', watched, controller({ name: 'captain' })],
    ['controller-name-taken', named, controller({ name: 'captainbackup' })],
    [
      'controller-name-taken',
      projectWith(resource({ kind: 'JobWatcher' })),
      controller({ name: 'job-watcher' }),
    ],
    [
      'controller-name-taken',
      multigroupWith(resource({ controller: true })),
      controller({ name: 'captain' }),
    ],
  ])('is refused: %s', (code, project, input) => {
    expect(errorOf(() => checkNewController(project, input)).code).toBe(code);
  });

  it('may be written again when that is forced', () => {
    expect(checkNewController(watched, controller(), { force: true })).toBe('captain');
    expect(checkNewController(named, controller({ name: 'captain-backup' }), { force: true })).toBe(
      'captain-backup',
    );
    expect(codeOf(() => checkNewController(named, controller(), { force: true }))).toBe('controller-exists');
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

  it.each([
    ['the first one', captain, webhook({ defaulting: true, validation: true })],
    ['one of another type', defaulted, webhook({ validation: true, validationPath: '/check' })],
    ['a conversion', twoVersions, webhook({ conversion: true, spoke: ['v2'] })],
    ['another spoke', converted, webhook({ conversion: true, spoke: ['v3'] })],
    ['one for a built-in kind', empty, webhook({ ...builtIn('Pod'), validation: true })],
  ])('is accepted: %s', (_title, project, input) => {
    expect(codeOf(() => checkNewWebhook(project, input))).toBeUndefined();
  });

  it.each([
    ['webhook-type-missing', captain, webhook({})],
    ['resource-missing', empty, webhook({ defaulting: true })],
    ['resource-missing', captain, webhook({ defaulting: true, version: 'v2' })],
    ['webhook-exists', defaulted, webhook({ defaulting: true })],
    ['webhook-exists', converted, webhook({ conversion: true, spoke: ['v2'] })],
    ['path-without-webhook', captain, webhook({ validation: true, defaultingPath: '/x' })],
    ['invalid-webhook-path', captain, webhook({ defaulting: true, defaultingPath: 'foo' })],
    ['webhook-path-taken', captain, webhook({ defaulting: true, defaultingPath: '/convert' })],
    ['webhook-path-taken', defaulted, webhook({ kind: 'Sailor', defaulting: true, defaultingPath: '/mine' })],
    ['webhook-path-taken', defaulted, webhook({ validation: true, validationPath: '/mine' })],
    [
      'webhook-path-taken',
      captain,
      webhook({ defaulting: true, defaultingPath: '/x', validation: true, validationPath: '/x' }),
    ],
    ['spoke-missing', twoVersions, webhook({ conversion: true })],
    ['spoke-without-conversion', twoVersions, webhook({ validation: true, spoke: ['v2'] })],
    ['spoke-is-hub', twoVersions, webhook({ conversion: true, spoke: ['v1'] })],
    ['spoke-repeated', twoVersions, webhook({ conversion: true, spoke: ['v2', 'v2'] })],
    ['unknown-spoke', twoVersions, webhook({ conversion: true, spoke: ['v3'] })],
    ['invalid-version', twoVersions, webhook({ conversion: true, spoke: ['2'] })],
    ['hub-exists', converted, webhook({ version: 'v2', conversion: true, spoke: ['v1'] })],
    ['conversion-of-foreign-kind', empty, webhook({ ...builtIn('Pod'), conversion: true, spoke: ['v2'] })],
  ])('is refused: %s', (code, project, input) => {
    expect(errorOf(() => checkNewWebhook(project, input)).code).toBe(code);
  });

  it('may be written again when that is forced', () => {
    expect(
      codeOf(() => checkNewWebhook(defaulted, webhook({ defaulting: true }), { force: true })),
    ).toBeUndefined();
  });
});

describe('a kind of another project', () => {
  const certificate = { group: 'cert-manager', domain: 'io', version: 'v1', kind: 'Certificate' };

  it.each([
    ['from a package', { ...certificate, path: '@cert-manager/types/v1' }],
    ['declared in the project', certificate],
    ['of a protected group', { ...certificate, group: 'gateway.networking', domain: 'k8s.io' }],
  ])('is accepted: %s', (_title, input) => {
    expect(checkExternalApi(captain, input)).toBe('certificates');
  });

  it.each([
    ['invalid-domain', { ...certificate, domain: 'i_o' }],
    ['invalid-group', { ...certificate, group: 'Cert' }],
    ['invalid-version', { ...certificate, version: 'one' }],
    ['reserved-kind', { ...certificate, kind: 'Request' }],
    ['invalid-external-api-path', { ...certificate, path: '../elsewhere' }],
    ['file-name-taken', { ...certificate, kind: 'Captain' }],
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
