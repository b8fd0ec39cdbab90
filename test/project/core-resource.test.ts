import { describe, expect, test } from 'vitest';
import { coreResource, findCoreGroup } from '../../src/project/names/core-resource.ts';
import { errorOf } from './error-of.ts';

describe('built-in kinds', () => {
  test.each([
    [
      'apps',
      'v1',
      'Deployment',
      { group: 'apps', domain: '', apiGroup: 'apps', plural: 'deployments', module: 'apps/v1' },
    ],
    ['core', 'v1', 'Pod', { group: 'core', domain: '', apiGroup: '', plural: 'pods', scope: 'Namespaced' }],
    ['core', 'v1', 'Node', { scope: 'Cluster', plural: 'nodes', module: 'core/v1' }],
    ['networking', 'v1', 'Ingress', { domain: 'k8s.io', apiGroup: 'networking.k8s.io', plural: 'ingresses' }],
    [
      'networking.k8s.io',
      'v1',
      'Ingress',
      { group: 'networking', domain: 'k8s.io', module: 'networking/v1' },
    ],
    ['rbac.authorization', 'v1', 'ClusterRole', { group: 'rbac', domain: 'authorization.k8s.io' }],
  ])('%s/%s %s is found', (group, version, kind, expected) => {
    expect(coreResource(group, version, kind)).toMatchObject(expected);
  });

  test.each([
    [
      'apps',
      'v99',
      'Deployment',
      'UNKNOWN_CORE_VERSION',
      'Did you mean --group apps --version v1 --kind Deployment?',
    ],
    ['apps', 'v99', 'Nothing', 'UNKNOWN_CORE_VERSION', 'The built-in group has v1.'],
    ['apps', 'v1', 'Nothing', 'UNKNOWN_CORE_KIND', 'Deployment'],
    [
      'apps',
      'v1',
      'Deploymnet',
      'UNKNOWN_CORE_KIND',
      'Did you mean --group apps --version v1 --kind Deployment?',
    ],
    [
      'apps',
      'v1',
      'deployment',
      'UNKNOWN_CORE_KIND',
      'Did you mean --group apps --version v1 --kind Deployment?',
    ],
    [
      'networkin',
      'v1',
      'Ingress',
      'UNKNOWN_CORE_GROUP',
      'Did you mean --group networking --version v1 --kind Ingress?',
    ],
    [
      'networking.k8s.io',
      'v1',
      'Ingres',
      'UNKNOWN_CORE_KIND',
      'Did you mean --group networking --version v1 --kind Ingress?',
    ],
    ['', 'v1', 'Pod', 'UNKNOWN_CORE_GROUP', 'core'],
    ['k8s.io', 'v1', 'Pod', 'UNKNOWN_CORE_GROUP', '--external-api-path'],
  ])('%s/%s %s is refused: %s', (group, version, kind, code, hint) => {
    const error = errorOf(() => coreResource(group, version, kind));

    expect(error.code).toBe(code);
    expect(error.hint).toContain(hint);
  });

  const own = [
    { group: 'crew', version: 'v1', kind: 'Captain' },
    { group: 'batch', version: 'v1', kind: 'JobWatcher' },
    { group: 'batch', version: 'v2', kind: 'JobWatcher' },
  ];
  test.each([
    [
      ['batch', 'v1', 'Nope'],
      'The project has JobWatcher (batch/v1), JobWatcher (batch/v2), Captain (crew/v1). The built-in group has CronJob (v1), Job (v1).',
    ],
    [
      ['batch', 'v3', 'JobWatcher'],
      'Did you mean --group batch --version v1 --kind JobWatcher? The project has',
    ],
    [
      ['batch', 'v1', 'jobwatcher'],
      'Did you mean --group batch --version v1 --kind JobWatcher? The project has',
    ],
    [
      ['bacth', 'v2', 'JobWatcher'],
      'Did you mean --group batch --version v2 --kind JobWatcher? The project has',
    ],
    [['batch', 'v1', 'CronJbo'], 'Did you mean --group batch --version v1 --kind CronJob? The project has'],
  ])('what the project has is suggested for %j', ([group = '', version = '', kind = ''], hint) => {
    expect(errorOf(() => coreResource(group, version, kind, own)).hint).toContain(hint);
  });

  test('does not match a group by a part of a label', () => {
    expect(findCoreGroup('net')).toBeUndefined();
    expect(findCoreGroup('networking.k8s')).toMatchObject({ group: 'networking' });
  });
});
