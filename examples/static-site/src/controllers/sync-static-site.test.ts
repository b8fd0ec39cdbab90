// Copyright 2026 The static-site authors
// SPDX-License-Identifier: Apache-2.0

import type { Deployment } from 'ots-kubernetes/apps/v1';
import type { ConfigMap } from 'ots-kubernetes/core/v1';
import type { KubernetesObject } from 'ots-runtime';
import { observedChildren } from 'ots-runtime/testing';
import { expect, test } from 'vitest';
import type { StaticSite, StaticSiteSpec } from '../api/v1alpha1/static-site.ts';
import { syncStaticSite } from './sync-static-site.ts';

function site(spec: Partial<StaticSiteSpec> = {}): StaticSite {
  return {
    apiVersion: 'web.example.com/v1alpha1',
    kind: 'StaticSite',
    metadata: { name: 'hello', namespace: 'default', generation: 3 },
    spec: { pages: { 'index.html': 'Hello' }, image: 'nginx', replicas: 2, ...spec },
  };
}

/** What the function returns after what it returned before exists, and its web servers are in this state. */
function sync(
  desired: StaticSite,
  before: readonly object[] = [],
  status: Deployment['status'] = {},
): ReturnType<typeof syncStaticSite> {
  const children = structuredClone(before) as KubernetesObject[];
  const deployment = children.find(({ kind }) => kind === 'Deployment') as Deployment | undefined;
  if (deployment) {
    deployment.metadata.generation = 7;
    deployment.status = status;
  }
  return syncStaticSite(desired, observedChildren(desired, ...children));
}

const complete = {
  observedGeneration: 7,
  replicas: 2,
  updatedReplicas: 2,
  availableReplicas: 2,
  readyReplicas: 2,
};

function pagesIn({ children }: ReturnType<typeof syncStaticSite>): unknown[] {
  return children
    .filter(({ kind }) => kind === 'ConfigMap')
    .map((each) => (each as ConfigMap).data?.['index.html']);
}

test('a site has pages, web servers and a Service; an Ingress if it has hosts', () => {
  const kinds = ({ children }: ReturnType<typeof sync>): string[] =>
    children.map(({ kind }) => kind);
  expect(kinds(sync(site()))).toEqual(['ConfigMap', 'Deployment', 'Service']);
  expect(kinds(sync(site({ hosts: ['example.com'] })))).toEqual([
    'ConfigMap',
    'Deployment',
    'Service',
    'Ingress',
  ]);
});

test('the order of the pages does not matter', () => {
  const there = sync(site({ pages: { a: '1', b: '2' } }));
  const back = sync(site({ pages: { b: '2', a: '1' } }));
  expect(back.children).toEqual(there.children);
});

test('earlier pages stay until the last of their web servers is gone', () => {
  const first = sync(site());
  const changed = site({ pages: { 'index.html': 'Goodbye' } });
  const second = sync(changed, first.children, complete);
  expect(pagesIn(second)).toEqual(['Goodbye', 'Hello']);
  expect(second.status?.conditions).toMatchObject([
    { type: 'Ready', status: 'False', observedGeneration: 3 },
  ]);
  for (const status of [
    { ...complete, observedGeneration: 6 },
    { ...complete, updatedReplicas: 1 },
    { ...complete, replicas: 3 },
    { ...complete, availableReplicas: 1 },
  ]) {
    expect(pagesIn(sync(changed, second.children, status))).toEqual(['Goodbye', 'Hello']);
  }
  const third = sync(changed, second.children, complete);
  expect(pagesIn(third)).toEqual(['Goodbye']);
  expect(third.status).toMatchObject({
    readyReplicas: 2,
    conditions: [{ type: 'Ready', status: 'True' }],
  });
});

test('a rollout that is stuck says so', () => {
  const message = 'ReplicaSet "hello-5d" has timed out progressing.';
  const stuck = {
    type: 'Progressing',
    status: 'False',
    reason: 'ProgressDeadlineExceeded',
    message,
  } as const;
  const { status } = sync(site(), sync(site()).children, { conditions: [stuck] });
  expect(status?.conditions).toMatchObject([
    { type: 'Ready', status: 'False', reason: 'ProgressDeadlineExceeded', message },
  ]);
});
