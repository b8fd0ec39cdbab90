import { describe, expect, it } from 'vitest';
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
      ['', 'invalid-project-name'],
      ['My_App', 'invalid-project-name', 'my-app'],
      ['-app', 'invalid-project-name', 'app'],
      ['app-', 'invalid-project-name', 'app'],
      ['my app', 'invalid-project-name', 'my-app'],
      ['app.example', 'invalid-project-name', 'app-example'],
      ['2048-operator', 'invalid-project-name', 'operator'],
      ['äpfel', 'invalid-project-name', 'apfel'],
      ['a'.repeat(31), 'project-name-too-long', 'a'.repeat(30)],
      [label63, 'project-name-too-long', 'a'.repeat(30)],
      ['a'.repeat(300), 'project-name-too-long', 'a'.repeat(30)],
    ],
  },
  domain: {
    check: checkDomain,
    accepts: ['example.com', 'my.domain', 'a-b.c', 'local', '3d.example.com', 'xk8s.io'],
    refuses: [
      ['', 'invalid-domain'],
      ['Bad_Domain!', 'invalid-domain', 'bad-domain'],
      ['Example.com', 'invalid-domain', 'example.com'],
      ['https://example.com/', 'invalid-domain', 'example.com'],
      ['example..com', 'invalid-domain', 'example.com'],
      ['.example.com', 'invalid-domain', 'example.com'],
      ['exa mple.com', 'invalid-domain'],
      ['example.com\n', 'invalid-domain', 'example.com'],
      [`${label64}.com`, 'invalid-domain'],
      [Array(62).fill('abc').join('.'), 'invalid-domain'],
      ['k8s.io', 'protected-group'],
      ['apps.kubernetes.io', 'protected-group'],
    ],
  },
  group: {
    check: (group) => checkGroup(group, domain),
    accepts: ['batch', 'crew', 'foo.policy', 'sea-creatures', 'testproject.org', '3d', label63],
    refuses: [
      ['', 'missing-group'],
      ['Crew', 'invalid-group', 'crew'],
      ['cr ew', 'invalid-group', 'cr-ew'],
      ['cr_ew', 'invalid-group', 'cr-ew'],
      ['-crew', 'invalid-group', 'crew'],
      ['crew.', 'invalid-group', 'crew'],
      ['../../etc', 'invalid-group'],
      [label64, 'invalid-group'],
      [`${label63}.${label63}.${label63}.${'a'.repeat(50)}`, 'group-too-long'],
      ['batch.example.com', 'group-contains-domain'],
      ['example.com', 'group-contains-domain'],
    ],
  },
  'group of a domain that makes it protected': {
    check: (group) => checkGroup(group, 'io'),
    accepts: ['cert-manager'],
    refuses: [
      ['k8s', 'protected-group'],
      ['networking.k8s', 'protected-group'],
    ],
  },
  version: {
    check: checkVersion,
    accepts: ['v1', 'v10', 'v1alpha1', 'v2beta3'],
    refuses: [
      ['', 'invalid-version'],
      ['V1', 'invalid-version', 'v1'],
      ['1', 'invalid-version', 'v1'],
      ['v1.2', 'invalid-version', 'v1'],
      ['v01', 'invalid-version', 'v1'],
      ['v1-beta.2', 'invalid-version', 'v1beta2'],
      ['v1Alpha1', 'invalid-version', 'v1alpha1'],
      ['v1alpha', 'invalid-version', 'v1alpha1'],
      ['v0', 'invalid-version'],
      ['v1gamma1', 'invalid-version'],
      ['foo', 'invalid-version'],
      ['__internal', 'invalid-version'],
      ['v1\n', 'invalid-version'],
      [`v1${'0'.repeat(63)}`, 'invalid-version'],
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
      ['', 'invalid-kind'],
      ['captain', 'invalid-kind', 'Captain'],
      ['Cap_tain', 'invalid-kind', 'CapTain'],
      ['My-Kind', 'invalid-kind', 'MyKind'],
      ['my kind', 'invalid-kind', 'MyKind'],
      ['1Captain', 'invalid-kind', 'Captain'],
      ['Capitán', 'invalid-kind', 'Capitan'],
      ['Капитан', 'invalid-kind'],
      ['Captain\n', 'invalid-kind', 'Captain'],
      [`K${'k'.repeat(59)}`, 'invalid-kind', `K${'k'.repeat(58)}`],
      ['String', 'reserved-kind'],
      ['Object', 'reserved-kind'],
      ['Promise', 'reserved-kind'],
      ['Date', 'reserved-kind'],
      ['Record', 'reserved-kind'],
      ['Partial', 'reserved-kind'],
      ['List', 'reserved-kind'],
      ['Type', 'reserved-kind'],
      ['Class', 'reserved-kind'],
      ['Client', 'reserved-kind'],
      ['KubernetesObject', 'reserved-kind'],
      ['Nul', 'reserved-kind'],
    ],
  },
  plural: {
    check: (plural) => checkPlural(plural, 'batch.example.com'),
    accepts: ['captains', 'admirales', 'job-watchers', 's3s', label63],
    refuses: [
      ['', 'invalid-plural'],
      ['Captains', 'invalid-plural', 'captains'],
      ['cap.tains', 'invalid-plural', 'cap-tains'],
      ['1captains', 'invalid-plural', 'captains'],
      [label64, 'invalid-plural', label63],
    ],
  },
  'plural in a long group': {
    check: (plural) => checkPlural(plural, 'a.'.repeat(125)),
    accepts: ['as'],
    refuses: [['ass', 'crd-name-too-long']],
  },
  'short name': {
    check: (name) => checkShortNames([name], captain),
    accepts: ['cpt', 'c-1'],
    refuses: [
      ['', 'invalid-short-name'],
      ['Cpt', 'invalid-short-name', 'cpt'],
      ['1c', 'invalid-short-name', 'c'],
      ['captain', 'short-name-taken'],
      ['captains', 'short-name-taken'],
      ['sailors', 'short-name-taken'],
      ['sailor', 'short-name-taken'],
      ['po', 'short-name-taken'],
      ['deployments', 'short-name-taken'],
    ],
  },
  'short names, comma-separated': {
    check: (names) => checkShortNames(names.split(','), captain),
    accepts: ['a,b'],
    refuses: [['a,b,a', 'short-name-taken']],
  },
  categories: {
    check: (names) => checkCategories(names.split(',')),
    accepts: ['all', 'all,fleet'],
    refuses: [
      ['All', 'invalid-category', 'all'],
      ['', 'invalid-category'],
      ['all,all', 'invalid-category'],
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
      ['', 'invalid-repo'],
      ['not a repo!!', 'invalid-repo'],
      ['https://github.com/acme/app', 'invalid-repo'],
      ['@acme', 'invalid-repo'],
      ['../app', 'invalid-repo'],
      ['github.com/../app', 'invalid-repo'],
      ['/app', 'invalid-repo'],
      ['App', 'invalid-repo'],
      ['fs', 'invalid-repo'],
      ['ots-runtime', 'invalid-repo'],
      ['a'.repeat(215), 'invalid-repo'],
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
      ['', 'invalid-image'],
      ['my image', 'invalid-image'],
      ['Memcached', 'invalid-image'],
      ['ghcr.io/Acme/app', 'invalid-image'],
      ['app:', 'invalid-image'],
      ['app:-v1', 'invalid-image'],
      ['app:v1:v2', 'invalid-image'],
      ['app@sha256:abc', 'invalid-image'],
      ['a@b@c', 'invalid-image'],
      ['/app', 'invalid-image'],
      ['app/', 'invalid-image'],
      ['a//b', 'invalid-image'],
      ['localhost:99999/app', 'invalid-image'],
      ['https://ghcr.io/app', 'invalid-image'],
      ['app;rm -rf /', 'invalid-image'],
      ['$(id)', 'invalid-image'],
      ['app\n', 'invalid-image'],
      [`${'a/'.repeat(128)}a`, 'invalid-image'],
      [`a:${'b'.repeat(129)}`, 'invalid-image'],
      ['a'.repeat(10_000), 'invalid-image'],
    ],
  },
  owner: {
    check: checkOwner,
    accepts: ['Acme Inc.', 'The Ärzte & Co. <a@b.c>', '山田'],
    refuses: [
      ['', 'invalid-owner'],
      ['  ', 'invalid-owner'],
      ['Acme\nInc.', 'invalid-owner'],
      ['Acme\u2028Inc.', 'invalid-owner'],
      ['Acme\u001b[31m', 'invalid-owner'],
      ['Acme\u202eInc.', 'invalid-owner'],
      ['Acme */ process.exit()', 'invalid-owner'],
      ['a'.repeat(201), 'invalid-owner'],
    ],
  },
  license: {
    check: checkLicense,
    accepts: ['apache2', 'mit', 'none'],
    refuses: [
      ['', 'unknown-license'],
      ['MIT', 'unknown-license', 'mit'],
      ['Apache-2.0', 'unknown-license', 'apache2'],
      ['copyright', 'unknown-license'],
      ['constructor', 'unknown-license'],
    ],
  },
  'webhook path': {
    check: (path) => checkWebhookPath(path, ['/mutate-taken']),
    accepts: ['/mutate-jobs', '/a/b', '/mutate--v1-pod'],
    refuses: [
      ['', 'invalid-webhook-path'],
      ['foo', 'invalid-webhook-path', '/foo'],
      ['/', 'invalid-webhook-path'],
      ['/a//b', 'invalid-webhook-path', '/a/b'],
      ['/a/', 'invalid-webhook-path', '/a'],
      ['/a b', 'invalid-webhook-path', '/a-b'],
      ['/Mutate_Jobs', 'invalid-webhook-path', '/mutate-jobs'],
      ['/../etc', 'invalid-webhook-path', '/etc'],
      ['/a?b=c', 'invalid-webhook-path', '/a-b-c'],
      [`/${'a'.repeat(300)}`, 'invalid-webhook-path'],
      ['/convert', 'webhook-path-taken'],
      ['/mutate-taken', 'webhook-path-taken'],
    ],
  },
  'controller name': {
    check: (name) => checkControllerName(name, ['jobwatcher', 'captain-backup']),
    accepts: ['captain', 'captain-backup-2'],
    refuses: [
      ['', 'invalid-controller-name'],
      ['Foo_Bar', 'invalid-controller-name', 'foo-bar'],
      ['1a', 'invalid-controller-name', 'a'],
      ['a.b', 'invalid-controller-name', 'a-b'],
      [label64, 'invalid-controller-name', label63],
      ['jobwatcher', 'controller-name-taken'],
      ['job-watcher', 'controller-name-taken'],
      ['captainbackup', 'controller-name-taken'],
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
      ['', 'invalid-external-api-path'],
      ['/etc/passwd', 'invalid-external-api-path'],
      ['../outside', 'invalid-external-api-path'],
      ['./src/../../outside', 'invalid-external-api-path'],
      ['a/../b', 'invalid-external-api-path'],
      ['C:\\types', 'invalid-external-api-path'],
      ['.\\types', 'invalid-external-api-path'],
      ['https://example.com/types.ts', 'invalid-external-api-path'],
      ['node:fs', 'invalid-external-api-path'],
      ['fs', 'invalid-external-api-path'],
      ['github.com/cert-manager/cert-manager/pkg/apis/certmanager/v1', 'invalid-external-api-path'],
      ['k8s.io/api/apps/v1', 'invalid-external-api-path'],
      ['cert-manager@v1.20.2', 'invalid-external-api-path'],
      ['@acme', 'invalid-external-api-path'],
      ['@acme/', 'invalid-external-api-path'],
      ['./', 'invalid-external-api-path'],
      ['.', 'invalid-external-api-path'],
      ['./node_modules/x', 'invalid-external-api-path'],
      ["x'; import 'y", 'invalid-external-api-path'],
      ['a'.repeat(501), 'invalid-external-api-path'],
    ],
  },
};

describe.each(Object.entries(rules))('%s', (_name, { check, accepts, refuses }) => {
  it.each(accepts.map((value) => [quoted(value, 40), value]))('%s is accepted', (_title, value) => {
    expect(codeOf(() => check(value))).toBeUndefined();
  });

  it.each(refuses.map((row) => [quoted(row[0], 40), ...row] as const))(
    '%s is refused',
    (_title, value, code, suggestion) => {
      const error = errorOf(() => check(value));

      expect(error.code).toBe(code);
      expect(error.hint).toContain(
        suggestion === undefined ? '' : `Did you mean ${JSON.stringify(suggestion)}?`,
      );
    },
  );

  it('makes suggestions that it accepts itself', () => {
    const suggestions = refuses.flatMap(([, , suggestion]) => suggestion ?? []);

    expect(suggestions.filter((suggestion) => codeOf(() => check(suggestion)) !== undefined)).toEqual([]);
  });
});

describe('names made from the project name', () => {
  it('fit into 63 characters for the longest name that is accepted', () => {
    for (const name of derivedNames('a'.repeat(30))) expect(name.length).toBeLessThanOrEqual(63);
  });

  it('refuses a kind whose roles would not fit', () => {
    const project = 'a'.repeat(30);

    expect(codeOf(() => checkDerivedKindNames(project, 'Captain'))).toBeUndefined();
    expect(codeOf(() => checkDerivedKindNames(project, 'AKindWithManyWords'))).toBe('derived-name-too-long');
    expect(codeOf(() => checkDerivedKindNames(project, 'Captain', 'sea-creatures.deep'))).toBe(
      'derived-name-too-long',
    );
  });
});

describe('what belongs to others', () => {
  it('may be in a protected group and have a name that is global', () => {
    expect(codeOf(() => checkDomain('k8s.io', 'external'))).toBeUndefined();
    expect(codeOf(() => checkGroup('gateway.networking', 'k8s.io', 'external'))).toBeUndefined();
    expect(codeOf(() => checkKind('Proxy', 'external'))).toBeUndefined();
  });

  it('may not be called as something that scaffolded files import', () => {
    expect(codeOf(() => checkKind('Client', 'external'))).toBe('reserved-kind');
  });
});

it('shows hostile values on one line, escaped and cut', () => {
  const error = errorOf(() => checkDomain(`a\u202e\u0000\n"${'x'.repeat(10_000)}`));

  expect(error.message).toContain(String.raw`"a\u202e\u0000\n\"xxx`);
  expect(error.message.length).toBeLessThan(200);
});
