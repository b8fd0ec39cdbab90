import { describe, expect, test } from 'vitest';
import { checkCategories } from '../../src/project/names/check-categories.ts';
import { checkDomain } from '../../src/project/names/check-domain.ts';
import { checkExternalApiPath } from '../../src/project/names/check-external-api-path.ts';
import { checkGroup } from '../../src/project/names/check-group.ts';
import { checkImage } from '../../src/project/names/check-image.ts';
import { checkKind } from '../../src/project/names/check-kind.ts';
import { checkLicense } from '../../src/project/names/check-license.ts';
import { checkOwner } from '../../src/project/names/check-owner.ts';
import { checkPlural } from '../../src/project/names/check-plural.ts';
import { checkDerivedKindNames, checkProjectName } from '../../src/project/names/check-project-name.ts';
import { checkRepo } from '../../src/project/names/check-repo.ts';
import { checkShortNames } from '../../src/project/names/check-short-names.ts';
import { checkVersion } from '../../src/project/names/check-version.ts';
import { checkControllerName } from '../../src/project/names/controller-name.ts';
import { derivedNames } from '../../src/project/names/derived-names.ts';
import { quoted } from '../../src/project/names/quoted.ts';
import { checkWebhookPath } from '../../src/project/names/webhook-path.ts';
import { codeOf, errorOf } from './error-of.ts';

/** A rule, what it accepts, and what it refuses with which code (and which suggestion, where one is made). */
interface Rule {
  check: (value: string) => unknown;
  accepts: string[];
  refuses: [value: string, code: string, suggestion?: string][];
}

const label63 = 'a'.repeat(63);
const label64 = 'a'.repeat(64);
const domain = 'example.com';
const captain = { kind: 'Captain', plural: 'captains', others: [{ kind: 'Sailor', plural: 'sailors' }] };

const rules: Record<string, Rule> = {
  'project name': {
    check: checkProjectName,
    accepts: ['jobwatcher', 'a', 'my-operator-2', 'a'.repeat(30)],
    refuses: [
      ['', 'INVALID_PROJECT_NAME'],
      ['My_App', 'INVALID_PROJECT_NAME', 'my-app'],
      ['-app', 'INVALID_PROJECT_NAME', 'app'],
      ['app-', 'INVALID_PROJECT_NAME', 'app'],
      ['my app', 'INVALID_PROJECT_NAME', 'my-app'],
      ['app.example', 'INVALID_PROJECT_NAME', 'app-example'],
      ['2048-operator', 'INVALID_PROJECT_NAME', 'operator'],
      ['äpfel', 'INVALID_PROJECT_NAME', 'apfel'],
      ['a'.repeat(31), 'PROJECT_NAME_TOO_LONG', 'a'.repeat(30)],
      [label63, 'PROJECT_NAME_TOO_LONG', 'a'.repeat(30)],
      ['a'.repeat(300), 'PROJECT_NAME_TOO_LONG', 'a'.repeat(30)],
    ],
  },
  domain: {
    check: checkDomain,
    accepts: ['example.com', 'my.domain', 'a-b.c', 'local', '3d.example.com', 'xk8s.io'],
    refuses: [
      ['', 'INVALID_DOMAIN'],
      ['Bad_Domain!', 'INVALID_DOMAIN', 'bad-domain'],
      ['Example.com', 'INVALID_DOMAIN', 'example.com'],
      ['https://example.com/', 'INVALID_DOMAIN', 'example.com'],
      ['example..com', 'INVALID_DOMAIN', 'example.com'],
      ['.example.com', 'INVALID_DOMAIN', 'example.com'],
      ['exa mple.com', 'INVALID_DOMAIN'],
      ['example.com\n', 'INVALID_DOMAIN', 'example.com'],
      [`${label64}.com`, 'INVALID_DOMAIN'],
      [Array(62).fill('abc').join('.'), 'INVALID_DOMAIN'],
      ['k8s.io', 'PROTECTED_GROUP'],
      ['apps.kubernetes.io', 'PROTECTED_GROUP'],
    ],
  },
  group: {
    check: (group) => checkGroup(group, domain),
    accepts: ['batch', 'crew', 'foo.policy', 'sea-creatures', 'testproject.org', '3d', label63],
    refuses: [
      ['', 'MISSING_GROUP'],
      ['Crew', 'INVALID_GROUP', 'crew'],
      ['cr ew', 'INVALID_GROUP', 'cr-ew'],
      ['cr_ew', 'INVALID_GROUP', 'cr-ew'],
      ['-crew', 'INVALID_GROUP', 'crew'],
      ['crew.', 'INVALID_GROUP', 'crew'],
      ['../../etc', 'INVALID_GROUP'],
      [label64, 'INVALID_GROUP'],
      [`${label63}.${label63}.${label63}.${'a'.repeat(50)}`, 'GROUP_TOO_LONG'],
      ['batch.example.com', 'GROUP_CONTAINS_DOMAIN'],
      ['example.com', 'GROUP_CONTAINS_DOMAIN'],
    ],
  },
  'group of a domain that makes it protected': {
    check: (group) => checkGroup(group, 'io'),
    accepts: ['cert-manager'],
    refuses: [
      ['k8s', 'PROTECTED_GROUP'],
      ['networking.k8s', 'PROTECTED_GROUP'],
    ],
  },
  version: {
    check: checkVersion,
    accepts: ['v1', 'v10', 'v1alpha1', 'v2beta3'],
    refuses: [
      ['', 'INVALID_VERSION'],
      ['V1', 'INVALID_VERSION', 'v1'],
      ['1', 'INVALID_VERSION', 'v1'],
      ['v1.2', 'INVALID_VERSION', 'v1'],
      ['v01', 'INVALID_VERSION', 'v1'],
      ['v1-beta.2', 'INVALID_VERSION', 'v1beta2'],
      ['v1Alpha1', 'INVALID_VERSION', 'v1alpha1'],
      ['v1alpha', 'INVALID_VERSION', 'v1alpha1'],
      ['v0', 'INVALID_VERSION'],
      ['v1gamma1', 'INVALID_VERSION'],
      ['foo', 'INVALID_VERSION'],
      ['__internal', 'INVALID_VERSION'],
      ['v1\n', 'INVALID_VERSION'],
      [`v1${'0'.repeat(63)}`, 'INVALID_VERSION'],
    ],
  },
  kind: {
    check: checkKind,
    accepts: [
      'JobWatcher',
      'DNS',
      'HTTPRoute',
      'S3Bucket',
      'K',
      'Status',
      'AllowList',
      'Service',
      `K${'k'.repeat(58)}`,
    ],
    refuses: [
      ['', 'INVALID_KIND'],
      ['captain', 'INVALID_KIND', 'Captain'],
      ['Cap_tain', 'INVALID_KIND', 'CapTain'],
      ['My-Kind', 'INVALID_KIND', 'MyKind'],
      ['my kind', 'INVALID_KIND', 'MyKind'],
      ['1Captain', 'INVALID_KIND', 'Captain'],
      ['Capitán', 'INVALID_KIND', 'Capitan'],
      ['Капитан', 'INVALID_KIND'],
      ['Captain\n', 'INVALID_KIND', 'Captain'],
      [`K${'k'.repeat(59)}`, 'INVALID_KIND', `K${'k'.repeat(58)}`],
      ['String', 'RESERVED_KIND'],
      ['Object', 'RESERVED_KIND'],
      ['Promise', 'RESERVED_KIND'],
      ['Date', 'RESERVED_KIND'],
      ['Record', 'RESERVED_KIND'],
      ['Partial', 'RESERVED_KIND'],
      ['List', 'RESERVED_KIND'],
      ['Type', 'RESERVED_KIND'],
      ['Class', 'RESERVED_KIND'],
      ['Client', 'RESERVED_KIND'],
      ['KubernetesObject', 'RESERVED_KIND'],
      ['Nul', 'RESERVED_KIND'],
    ],
  },
  plural: {
    check: (plural) => checkPlural(plural, 'batch.example.com'),
    accepts: ['captains', 'admirales', 'job-watchers', 's3s', label63],
    refuses: [
      ['', 'INVALID_PLURAL'],
      ['Captains', 'INVALID_PLURAL', 'captains'],
      ['cap.tains', 'INVALID_PLURAL', 'cap-tains'],
      ['1captains', 'INVALID_PLURAL', 'captains'],
      [label64, 'INVALID_PLURAL', label63],
    ],
  },
  'plural in a long group': {
    check: (plural) => checkPlural(plural, 'a.'.repeat(125)),
    accepts: ['as'],
    refuses: [['ass', 'CRD_NAME_TOO_LONG']],
  },
  'short name': {
    check: (name) => checkShortNames([name], captain),
    accepts: ['cpt', 'c-1'],
    refuses: [
      ['', 'INVALID_SHORT_NAME'],
      ['Cpt', 'INVALID_SHORT_NAME', 'cpt'],
      ['1c', 'INVALID_SHORT_NAME', 'c'],
      ['captain', 'SHORT_NAME_TAKEN'],
      ['captains', 'SHORT_NAME_TAKEN'],
      ['sailors', 'SHORT_NAME_TAKEN'],
      ['sailor', 'SHORT_NAME_TAKEN'],
      ['po', 'SHORT_NAME_TAKEN'],
      ['deployments', 'SHORT_NAME_TAKEN'],
    ],
  },
  'short names, comma-separated': {
    check: (names) => checkShortNames(names.split(','), captain),
    accepts: ['a,b'],
    refuses: [['a,b,a', 'SHORT_NAME_TAKEN']],
  },
  categories: {
    check: (names) => checkCategories(names.split(',')),
    accepts: ['all', 'all,fleet'],
    refuses: [
      ['All', 'INVALID_CATEGORY', 'all'],
      ['', 'INVALID_CATEGORY'],
      ['all,all', 'INVALID_CATEGORY'],
    ],
  },
  repo: {
    check: checkRepo,
    accepts: [
      'jobwatcher',
      '@acme/jobwatcher',
      'github.com/acme/jobwatcher',
      'github.com/Acme/JobWatcher/v2',
      'sigs.k8s.io/kubebuilder/testdata/project-v4',
      'socket.io',
    ],
    refuses: [
      ['', 'INVALID_REPO'],
      ['not a repo!!', 'INVALID_REPO'],
      ['https://github.com/acme/app', 'INVALID_REPO'],
      ['@acme', 'INVALID_REPO'],
      ['../app', 'INVALID_REPO'],
      ['github.com/../app', 'INVALID_REPO'],
      ['/app', 'INVALID_REPO'],
      ['App', 'INVALID_REPO'],
      ['fs', 'INVALID_REPO'],
      ['ots-runtime', 'INVALID_REPO'],
      ['a'.repeat(215), 'INVALID_REPO'],
    ],
  },
  image: {
    check: checkImage,
    accepts: [
      'memcached',
      'memcached:1.6.26-alpine3.19',
      'library/busybox:latest',
      'localhost:5000/app',
      'registry.example.com:443/a/b_c/d__e/f---g:V1.2_3',
      `ghcr.io/acme/app@sha256:${'0a'.repeat(32)}`,
      `ghcr.io/acme/app:v1@sha256:${'0a'.repeat(32)}`,
      'Registry.Example.COM/app',
      '[::1]:5000/app',
    ],
    refuses: [
      ['', 'INVALID_IMAGE'],
      ['my image', 'INVALID_IMAGE'],
      ['Memcached', 'INVALID_IMAGE'],
      ['ghcr.io/Acme/app', 'INVALID_IMAGE'],
      ['app:', 'INVALID_IMAGE'],
      ['app:-v1', 'INVALID_IMAGE'],
      ['app:v1:v2', 'INVALID_IMAGE'],
      ['app@sha256:abc', 'INVALID_IMAGE'],
      ['a@b@c', 'INVALID_IMAGE'],
      ['/app', 'INVALID_IMAGE'],
      ['app/', 'INVALID_IMAGE'],
      ['a//b', 'INVALID_IMAGE'],
      ['localhost:99999/app', 'INVALID_IMAGE'],
      ['https://ghcr.io/app', 'INVALID_IMAGE'],
      ['app;rm -rf /', 'INVALID_IMAGE'],
      ['$(id)', 'INVALID_IMAGE'],
      ['app\n', 'INVALID_IMAGE'],
      [`${'a/'.repeat(128)}a`, 'INVALID_IMAGE'],
      [`a:${'b'.repeat(129)}`, 'INVALID_IMAGE'],
      ['a'.repeat(10_000), 'INVALID_IMAGE'],
    ],
  },
  owner: {
    check: checkOwner,
    accepts: ['Acme Inc.', 'The Ärzte & Co. <a@b.c>', '山田'],
    refuses: [
      ['', 'INVALID_OWNER'],
      ['  ', 'INVALID_OWNER'],
      ['Acme\nInc.', 'INVALID_OWNER'],
      ['Acme\u2028Inc.', 'INVALID_OWNER'],
      ['Acme\u001b[31m', 'INVALID_OWNER'],
      ['Acme\u202eInc.', 'INVALID_OWNER'],
      ['Acme */ process.exit()', 'INVALID_OWNER'],
      ['a'.repeat(201), 'INVALID_OWNER'],
    ],
  },
  license: {
    check: checkLicense,
    accepts: ['apache2', 'mit', 'none'],
    refuses: [
      ['', 'UNKNOWN_LICENSE'],
      ['MIT', 'UNKNOWN_LICENSE', 'mit'],
      ['Apache-2.0', 'UNKNOWN_LICENSE', 'apache2'],
      ['copyright', 'UNKNOWN_LICENSE'],
      ['constructor', 'UNKNOWN_LICENSE'],
    ],
  },
  'webhook path': {
    check: (path) => checkWebhookPath(path, ['/mutate-taken']),
    accepts: ['/mutate-jobs', '/a/b', '/mutate--v1-pod'],
    refuses: [
      ['', 'INVALID_WEBHOOK_PATH'],
      ['foo', 'INVALID_WEBHOOK_PATH', '/foo'],
      ['/', 'INVALID_WEBHOOK_PATH'],
      ['/a//b', 'INVALID_WEBHOOK_PATH', '/a/b'],
      ['/a/', 'INVALID_WEBHOOK_PATH', '/a'],
      ['/a b', 'INVALID_WEBHOOK_PATH', '/a-b'],
      ['/Mutate_Jobs', 'INVALID_WEBHOOK_PATH', '/mutate-jobs'],
      ['/../etc', 'INVALID_WEBHOOK_PATH', '/etc'],
      ['/a?b=c', 'INVALID_WEBHOOK_PATH', '/a-b-c'],
      [`/${'a'.repeat(300)}`, 'INVALID_WEBHOOK_PATH'],
      ['/convert', 'WEBHOOK_PATH_TAKEN'],
      ['/mutate-taken', 'WEBHOOK_PATH_TAKEN'],
    ],
  },
  'controller name': {
    check: (name) => checkControllerName(name, ['jobwatcher', 'captain-backup']),
    accepts: ['captain', 'captain-backup-2'],
    refuses: [
      ['', 'INVALID_CONTROLLER_NAME'],
      ['Foo_Bar', 'INVALID_CONTROLLER_NAME', 'foo-bar'],
      ['1a', 'INVALID_CONTROLLER_NAME', 'a'],
      ['a.b', 'INVALID_CONTROLLER_NAME', 'a-b'],
      [label64, 'INVALID_CONTROLLER_NAME', label63],
      ['jobwatcher', 'CONTROLLER_NAME_TAKEN'],
      ['job-watcher', 'CONTROLLER_NAME_TAKEN'],
      ['captainbackup', 'CONTROLLER_NAME_TAKEN'],
    ],
  },
  'external API path': {
    check: checkExternalApiPath,
    accepts: [
      'cert-manager-types',
      '@acme/types/v1',
      'socket.io/client',
      './src/external/certificate.ts',
      './vendor/x',
    ],
    refuses: [
      ['', 'INVALID_EXTERNAL_API_PATH'],
      ['/etc/passwd', 'INVALID_EXTERNAL_API_PATH'],
      ['../outside', 'INVALID_EXTERNAL_API_PATH'],
      ['./src/../../outside', 'INVALID_EXTERNAL_API_PATH'],
      ['a/../b', 'INVALID_EXTERNAL_API_PATH'],
      ['C:\\types', 'INVALID_EXTERNAL_API_PATH'],
      ['.\\types', 'INVALID_EXTERNAL_API_PATH'],
      ['https://example.com/types.ts', 'INVALID_EXTERNAL_API_PATH'],
      ['node:fs', 'INVALID_EXTERNAL_API_PATH'],
      ['fs', 'INVALID_EXTERNAL_API_PATH'],
      ['github.com/cert-manager/cert-manager/pkg/apis/certmanager/v1', 'INVALID_EXTERNAL_API_PATH'],
      ['k8s.io/api/apps/v1', 'INVALID_EXTERNAL_API_PATH'],
      ['cert-manager@v1.20.2', 'INVALID_EXTERNAL_API_PATH'],
      ['@acme', 'INVALID_EXTERNAL_API_PATH'],
      ['@acme/', 'INVALID_EXTERNAL_API_PATH'],
      ['./', 'INVALID_EXTERNAL_API_PATH'],
      ['.', 'INVALID_EXTERNAL_API_PATH'],
      ['./node_modules/x', 'INVALID_EXTERNAL_API_PATH'],
      ["x'; import 'y", 'INVALID_EXTERNAL_API_PATH'],
      ['a'.repeat(501), 'INVALID_EXTERNAL_API_PATH'],
    ],
  },
};

describe.each(Object.entries(rules))('%s', (_name, { check, accepts, refuses }) => {
  test.each(accepts.map((value) => [quoted(value, 40), value]))('%s is accepted', (_title, value) => {
    expect(codeOf(() => check(value))).toBeUndefined();
  });

  test.each(refuses.map((row) => [quoted(row[0], 40), ...row] as const))(
    '%s is refused',
    (_title, value, code, suggestion) => {
      const error = errorOf(() => check(value));

      expect(error.code).toBe(code);
      expect(error.hint).toContain(
        suggestion === undefined ? '' : `Did you mean ${JSON.stringify(suggestion)}?`,
      );
    },
  );

  test('makes suggestions that it accepts', () => {
    const suggestions = refuses.flatMap(([, , suggestion]) => suggestion ?? []);

    expect(suggestions.filter((suggestion) => codeOf(() => check(suggestion)) !== undefined)).toEqual([]);
  });
});

describe('names made from the project name', () => {
  test('fit into 63 characters for the longest name that is accepted', () => {
    for (const name of derivedNames('a'.repeat(30))) expect(name.length).toBeLessThanOrEqual(63);
  });

  test('refuses a kind whose roles would not fit', () => {
    const project = 'a'.repeat(30);

    expect(codeOf(() => checkDerivedKindNames(project, 'Captain'))).toBeUndefined();
    expect(codeOf(() => checkDerivedKindNames(project, 'AKindWithManyWords'))).toBe('DERIVED_NAME_TOO_LONG');
    expect(codeOf(() => checkDerivedKindNames(project, 'Captain', 'sea-creatures.deep'))).toBe(
      'DERIVED_NAME_TOO_LONG',
    );
  });
});

describe('what belongs to others', () => {
  test('may be in a protected group and have a name that is global', () => {
    expect(codeOf(() => checkDomain('k8s.io', 'external'))).toBeUndefined();
    expect(codeOf(() => checkGroup('gateway.networking', 'k8s.io', 'external'))).toBeUndefined();
    expect(codeOf(() => checkKind('Proxy', 'external'))).toBeUndefined();
  });

  test('must not have a name that scaffolded files import', () => {
    expect(codeOf(() => checkKind('Client', 'external'))).toBe('RESERVED_KIND');
  });
});

test('shows hostile values on one line, escaped and cut', () => {
  const error = errorOf(() => checkDomain(`a\u202e\u0000\n"${'x'.repeat(10_000)}`));

  expect(error.message).toContain(String.raw`"a\u202e\u0000\n\"xxx`);
  expect(error.message.length).toBeLessThan(200);
});
