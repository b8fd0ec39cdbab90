import { expect, test } from 'vitest';
import { onEachServer } from '../../support/on-each-server.ts';
import { asRecorded } from '../../support/recorded.ts';
import type { Answer } from '../../support/session.ts';

const labels = { app: 'warned' };
const container = { name: 'c', image: 'i' };
/** What a server accepts with a warning. */
const warned = {
  nodeSelector: { 'beta.kubernetes.io/os': 'linux' },
  hostAliases: [{ ip: '2001:DB8::1', hostnames: ['a'] }],
  containers: [
    {
      ...container,
      env: [
        { name: 'A', value: '1' },
        { name: 'A', value: '2' },
      ],
      resources: { requests: { memory: '1500m' } },
    },
  ],
};

interface Kind {
  path: string;
  /** The part of the spec around a template. */
  specOf: (template: object) => any;
  restartPolicy?: string;
}

const apps = '/apis/apps/v1/namespaces/default';
const selector = { matchLabels: labels };
const kinds: Record<string, Kind> = {
  ReplicationController: {
    path: '/api/v1/namespaces/default/replicationcontrollers',
    specOf: (template) => ({ template, selector: labels }),
  },
  ReplicaSet: { path: `${apps}/replicasets`, specOf: (template) => ({ template, selector }) },
  Deployment: { path: `${apps}/deployments`, specOf: (template) => ({ template, selector }) },
  DaemonSet: { path: `${apps}/daemonsets`, specOf: (template) => ({ template, selector }) },
  StatefulSet: {
    path: `${apps}/statefulsets`,
    specOf: (template) => ({
      template,
      selector,
      revisionHistoryLimit: -1,
      volumeClaimTemplates: [
        {
          metadata: { name: 'data' },
          spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1500m' } } },
        },
      ],
    }),
  },
  Job: {
    path: '/apis/batch/v1/namespaces/default/jobs',
    specOf: (template) => ({
      template,
      completionMode: 'Indexed',
      completions: 100_001,
      parallelism: 10_001,
      suspend: true,
    }),
    restartPolicy: 'Never',
  },
  CronJob: {
    path: '/apis/batch/v1/namespaces/default/cronjobs',
    specOf: (template) => ({ schedule: '0 0 * * *', suspend: true, jobTemplate: { spec: { template } } }),
    restartPolicy: 'Never',
  },
};

/** Updates of an object whose template causes a warning, and of one whose template does not. */
const updates: Record<string, (object: any) => void> = {
  'as it is': () => {},
  'an annotation': ({ metadata }) => {
    metadata.annotations = { ...metadata.annotations, a: 'b' };
  },
  'a label': ({ metadata }) => {
    metadata.labels = { ...metadata.labels, a: 'b' };
  },
  'another field': ({ spec }) => {
    if (spec.suspend === undefined) spec.minReadySeconds = 1;
    else spec.suspend = false;
  },
  'another image': ({ spec }) => {
    const template = spec.template ?? spec.jobTemplate.spec.template;
    template.spec.containers[0].image = 'j';
  },
  'a template without faults': ({ spec }) => {
    const template = spec.template ?? spec.jobTemplate.spec.template;
    template.spec.containers[0].env = [];
    template.spec.containers[0].resources = {};
    delete template.spec.nodeSelector;
    delete template.spec.hostAliases;
  },
};

function objectOf({ specOf, restartPolicy }: Kind, spec: object): any {
  const template = { metadata: { labels }, spec: { ...spec, ...(restartPolicy && { restartPolicy }) } };
  return { metadata: { name: 'warned' }, spec: specOf(template) };
}

/** The warnings, sorted: a server checks some fields in the order of a Go map. */
function said(answer: Answer): unknown {
  return answer.code >= 400 ? answer.body.reason : answer.warnings.toSorted();
}

onEachServer('warnings about templates', (server) => {
  test('workloads cause warnings about their templates', async () => {
    const outcomes: Record<string, Record<string, unknown>> = {};
    for (const [name, kind] of Object.entries(kinds)) {
      const outcome: Record<string, unknown> = {};
      const created = await server.session.post(kind.path, objectOf(kind, warned));
      outcome['created'] = said(created);
      expect(created.code).toBe(201);
      for (const [what, change] of Object.entries(updates)) {
        const object = structuredClone(created.body);
        change(object);
        delete object.metadata.resourceVersion;
        outcome[what] = said(await server.session.put(`${kind.path}/warned?dryRun=All`, object));
      }
      outcome['its status'] = said(
        await server.session.put(`${kind.path}/warned/status?dryRun=All`, created.body),
      );
      outcome['a patch that changes nothing'] = said(
        await server.session.merge(`${kind.path}/warned?dryRun=All`, { spec: {} }),
      );
      outcome['a dotted name'] = said(
        await server.session.post(`${kind.path}?dryRun=All`, {
          ...objectOf(kind, warned),
          metadata: { name: 'a.b' },
        }),
      );
      await server.session.delete(`${kind.path}/warned`, { propagationPolicy: 'Background' });
      outcomes[name] = outcome;
    }
    await expect(asRecorded(outcomes)).toMatchFileSnapshot('../recorded/template-warnings.yaml');
  });
});
