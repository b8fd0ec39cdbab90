import { expect, test } from 'vitest';
import type { WorkRequest } from '../context/work-context.ts';
import { targetOf } from './request-target.ts';

const core = '/api/v1';
const apps = '/apis/apps/v1/namespaces/here/deployments';

test.each<[Partial<WorkRequest>, Record<string, unknown>]>([
  [{ path: `${core}/nodes` }, { verb: 'list', group: '', resource: 'nodes' }],
  [
    { path: `${apps}/web` },
    { verb: 'get', group: 'apps', resource: 'deployments', namespace: 'here', name: 'web' },
  ],
  [{ path: `${core}/namespaces/here` }, { verb: 'get', group: '', resource: 'namespaces', name: 'here' }],
  [
    { method: 'PUT', path: `${core}/namespaces/here/finalize` },
    { verb: 'update', group: '', resource: 'namespaces', name: 'here', subresource: 'finalize' },
  ],
  [
    { path: `${core}/namespaces/here/pods` },
    { verb: 'list', group: '', resource: 'pods', namespace: 'here' },
  ],
  [
    { method: 'DELETE', path: apps },
    { verb: 'deletecollection', group: 'apps', resource: 'deployments', namespace: 'here' },
  ],
  [
    { method: 'DELETE', path: `${core}/nodes/system:a%20b` },
    { verb: 'delete', group: '', resource: 'nodes', name: 'system:a b' },
  ],
  [
    {
      method: 'POST',
      path: apps,
      body: { metadata: { name: 'web' }, spec: 'hidden' },
      query: { dryRun: 'All' },
    },
    { verb: 'create', group: 'apps', resource: 'deployments', namespace: 'here', name: 'web', dryRun: true },
  ],
  [
    { method: 'POST', path: `${core}/namespaces/here/pods/web/eviction`, body: {} },
    { verb: 'create', group: '', resource: 'pods', namespace: 'here', name: 'web', subresource: 'eviction' },
  ],
  [
    { method: 'PATCH', path: `${apps}/web/status`, contentType: 'application/apply-patch+yaml' },
    {
      verb: 'patch',
      group: 'apps',
      resource: 'deployments',
      namespace: 'here',
      name: 'web',
      subresource: 'status',
      patch: 'apply',
    },
  ],
  [
    { method: 'PATCH', path: `${core}/nodes/a`, contentType: 'application/strategic-merge-patch+json' },
    { verb: 'patch', group: '', resource: 'nodes', name: 'a', patch: 'strategic' },
  ],
  [
    { path: `${core}/namespaces/here/pods`, query: { watch: true } },
    { verb: 'watch', group: '', resource: 'pods', namespace: 'here' },
  ],
  [{ path: '/version?token=hidden' }, { verb: 'get', path: '/version' }],
  [{ path: `${core}/nodes/%` }, { verb: 'get', group: '', resource: 'nodes', name: '%' }],
])('%o', (request, target) => {
  expect(targetOf({ method: 'GET', path: '', ...request })).toEqual(target);
});
