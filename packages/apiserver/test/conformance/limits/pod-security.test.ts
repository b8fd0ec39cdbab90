import { expect, test } from 'vitest';
import { until } from '../../support/fixtures.ts';
import { outcomeOf } from '../../support/kind-cases.ts';
import { onEachServer } from '../../support/on-each-server.ts';
import { asRecorded } from '../../support/recorded.ts';
import type { Answer } from '../../support/session.ts';
import { pods, versionedPods } from './pod-security-cases.ts';

const namespaces = '/api/v1/namespaces';
const prefix = 'pod-security.kubernetes.io/';
const minors = [0, 8, 19, 22, 23, 25, 27, 29, 31, 32, 34, 35];
const levels = ['baseline', 'restricted'];
const labeled = (labels: object) =>
  Object.fromEntries(Object.entries(labels).map(([name, value]) => [`${prefix}${name}`, value]));

/** The refusal, or only the code and warnings of an accepted object. */
function verdict(answer: Answer): unknown {
  const { code, warnings } = answer;
  if (code < 400) return warnings.length > 0 ? { code, warnings } : code;
  const text = JSON.stringify(outcomeOf(answer)).replaceAll(/gen-[a-z0-9]{5}/g, 'gen-<suffix>');
  return JSON.parse(text);
}

onEachServer('pod security', (server) => {
  async function createNamespace(name: string, labels: object): Promise<string> {
    const metadata = { name, labels: labeled(labels) };
    const { code, body } = await server.session.post(namespaces, { metadata });
    expect(body.message ?? code).toBe(201);
    return `${namespaces}/${name}`;
  }

  async function askPods(path: string, asked: Record<string, any>): Promise<Record<string, unknown>> {
    const outcomes: Record<string, unknown> = {};
    for (const [name, { metadata = { name: 'p' }, spec }] of Object.entries(asked)) {
      const named = { name: metadata.generateName ? undefined : 'p', ...metadata };
      outcomes[name] = verdict(
        await server.session.post(`${path}/pods?dryRun=All`, { metadata: named, spec }),
      );
    }
    return outcomes;
  }

  test.each(levels)('the newest version of %s', async (level) => {
    const path = await createNamespace(level, { enforce: level });
    await expect(asRecorded(await askPods(path, pods))).toMatchFileSnapshot(
      `../recorded/pod-security/${level}.yaml`,
    );
  });

  test.each(levels)('all versions of %s', async (level) => {
    const outcomes: Record<string, unknown> = {};
    for (const minor of [...minors, 36, 99]) {
      const labels = { enforce: level, 'enforce-version': `v1.${minor}` };
      const path = await createNamespace(`${level}-${minor}`, labels);
      outcomes[`v1.${minor}`] = await askPods(path, versionedPods);
    }
    await expect(asRecorded(outcomes)).toMatchFileSnapshot(
      `../recorded/pod-security/versions-of-${level}.yaml`,
    );
  });

  const modes: Record<string, object> = {
    'nothing enforced': {},
    'a privileged level': { enforce: 'privileged', warn: 'privileged' },
    'only warnings': { warn: 'restricted' },
    'only audit': { audit: 'restricted' },
    'warnings of an old version': { warn: 'restricted', 'warn-version': 'v1.20' },
    'stricter warnings': { enforce: 'baseline', warn: 'restricted' },
    'laxer warnings': { enforce: 'restricted', warn: 'privileged' },
    'only a version of warnings': { enforce: 'baseline', 'warn-version': 'v1.10' },
    'only a version': { 'enforce-version': 'v1.10' },
  };

  test.each(Object.keys(modes))('%s', async (title) => {
    const name = title.replaceAll(' ', '-');
    const path = await createNamespace(name, modes[title] ?? {});
    const { plain, compliant, privileged } = pods;
    const outcomes = await askPods(path, {
      plain,
      compliant,
      privileged,
      'host network': pods['host network'],
    });
    await expect(asRecorded(outcomes)).toMatchFileSnapshot(`../recorded/pod-security/modes/${name}.yaml`);
  });

  test('workloads get warnings', async () => {
    const path = await createNamespace('workloads', { enforce: 'baseline', warn: 'restricted' });
    const paths = {
      core: path,
      apps: path.replace('/api/v1', '/apis/apps/v1'),
      batch: path.replace('/api/v1', '/apis/batch/v1'),
    };
    const metadata = { labels: { a: 'b' } };
    const selector = { matchLabels: { a: 'b' } };
    const never = { restartPolicy: 'Never' };
    const outcomes: Record<string, unknown> = {};
    for (const name of ['plain', 'compliant', 'privileged']) {
      const { spec } = pods[name];
      const template = { metadata, spec };
      const job = { template: { metadata, spec: { ...spec, ...never } } };
      const workloads: Record<string, [path: string, fields: object]> = {
        PodTemplate: [`${paths.core}/podtemplates`, { template }],
        ReplicationController: [
          `${paths.core}/replicationcontrollers`,
          { spec: { selector: { a: 'b' }, template } },
        ],
        ReplicaSet: [`${paths.apps}/replicasets`, { spec: { selector, template } }],
        Deployment: [`${paths.apps}/deployments`, { spec: { selector, template } }],
        StatefulSet: [`${paths.apps}/statefulsets`, { spec: { selector, template, serviceName: 's' } }],
        DaemonSet: [`${paths.apps}/daemonsets`, { spec: { selector, template } }],
        Job: [`${paths.batch}/jobs`, { spec: job }],
        CronJob: [`${paths.batch}/cronjobs`, { spec: { schedule: '* * * * *', jobTemplate: { spec: job } } }],
      };
      for (const [kind, [collection, fields]] of Object.entries(workloads)) {
        const object = { metadata: { name }, ...fields };
        outcomes[`${name} ${kind}`] = verdict(await server.session.post(collection, object));
        const patch = { metadata: { annotations: { changed: 'yes' } } };
        outcomes[`${name} ${kind}, updated`] = verdict(
          await server.session.merge(`${collection}/${name}`, patch),
        );
        const status = await server.session.merge(`${collection}/${name}/status`, {
          metadata: patch.metadata,
        });
        outcomes[`${name} ${kind}, its status`] = verdict(status);
      }
    }
    await expect(asRecorded(outcomes)).toMatchFileSnapshot('../recorded/pod-security/workloads.yaml');
  });

  test('updates of pods', async () => {
    const path = await createNamespace('updates', {});
    for (const name of ['plain', 'compliant']) {
      await server.session.post(`${path}/pods`, { ...pods[name], metadata: { name } });
    }
    await server.session.merge(path, { metadata: { labels: labeled({ enforce: 'restricted' }) } });
    const probe = { metadata: { name: 'p' }, ...pods['plain'] };
    // Admission may not see the new label at once.
    while ((await server.session.post(`${path}/pods?dryRun=All`, probe)).code === 201);
    const outcomes: Record<string, unknown> = {};
    const patch = async (pod: string, endpoint: string, body: object) =>
      verdict(
        await server.session.send('PATCH', `${path}/pods/${pod}${endpoint}?dryRun=All`, {
          contentType: 'application/strategic-merge-patch+json',
          body,
        }),
      );
    const debugging = (more: object) => ({
      spec: { ephemeralContainers: [{ name: 'debug', image: 'i', ...more }] },
    });
    const { securityContext } = pods['compliant'].spec.containers[0];
    for (const pod of ['plain', 'compliant']) {
      outcomes[`${pod}: labels`] = await patch(pod, '', { metadata: { labels: { a: 'b' } } });
      outcomes[`${pod}: image`] = await patch(pod, '', { spec: { containers: [{ name: 'a', image: 'j' }] } });
      outcomes[`${pod}: status`] = await patch(pod, '/status', { status: { phase: 'Running' } });
      outcomes[`${pod}: debugging`] = await patch(pod, '/ephemeralcontainers', debugging({}));
      outcomes[`${pod}: restricted debugging`] = await patch(
        pod,
        '/ephemeralcontainers',
        debugging({ securityContext }),
      );
    }
    await expect(asRecorded(outcomes)).toMatchFileSnapshot('../recorded/pod-security/updates.yaml');
  });

  test('labels that cannot be read', async () => {
    const wrong: Record<string, object> = {
      level: { enforce: 'Baseline' },
      'empty level': { warn: '' },
      version: { 'enforce-version': '1.30' },
      'leading zero': { 'audit-version': 'v1.01' },
      'large version': { 'warn-version': 'v1.99999999999999999999' },
      all: {
        enforce: 'a',
        'enforce-version': 'b',
        audit: 'c',
        'audit-version': 'd',
        warn: 'e',
        'warn-version': 'f',
      },
      fine: {
        enforce: 'baseline',
        'enforce-version': 'latest',
        audit: 'restricted',
        'audit-version': 'v1.30',
      },
      unknown: { other: 'x' },
    };
    const outcomes: Record<string, unknown> = {};
    await createNamespace('relabeled', {});
    for (const [name, labels] of Object.entries(wrong)) {
      const metadata = { name: 'labels', labels: labeled(labels) };
      outcomes[name] = verdict(await server.session.post(`${namespaces}?dryRun=All`, { metadata }));
      const patch = { metadata: { labels: labeled(labels) } };
      outcomes[`${name}, updated`] = verdict(
        await server.session.merge(`${namespaces}/relabeled?dryRun=All`, patch),
      );
    }
    await expect(asRecorded(outcomes)).toMatchFileSnapshot('../recorded/pod-security/labels.yaml');
  });

  test('a stricter level warns about existing pods', async () => {
    const path = await createNamespace('existing', {});
    const controller = { apiVersion: 'apps/v1', kind: 'ReplicaSet', name: 'r', uid: 'u', controller: true };
    const stored: [name: string, pod: any, more?: object][] = [
      ['plain', pods['plain']],
      ['compliant', pods['compliant']],
      ['privileged-b', pods['privileged']],
      ['privileged-a', pods['privileged']],
      ...[1, 2, 3].map((index): [string, any, object] => [
        `replica-${index}`,
        pods['host network'],
        { ownerReferences: [controller] },
      ]),
    ];
    for (const [name, { spec }, more] of stored) {
      const { code, body } = await server.session.post(`${path}/pods`, { metadata: { name, ...more }, spec });
      expect(body.message ?? code).toBe(201);
    }
    const outcomes: Record<string, unknown> = {};
    const relabel = async (labels: object, query = '') =>
      verdict(await server.session.merge(`${path}${query}`, { metadata: { labels: labeled(labels) } }));
    // A real server reads the pods from a cache.
    await until(async () => {
      const verdicts = JSON.stringify(await relabel({ enforce: 'baseline' }, '?dryRun=All'));
      return verdicts.includes('replica-1 (and 2 other pods)');
    });
    const steps: Record<string, object> = {
      baseline: { enforce: 'baseline' },
      'only warnings': { warn: 'restricted' },
      'an old version': { 'enforce-version': 'v1.10' },
      restricted: { enforce: 'restricted' },
      laxer: { enforce: 'baseline' },
      'the same': { enforce: 'baseline' },
      privileged: { enforce: 'privileged' },
      'restricted again': { enforce: 'restricted', 'enforce-version': null },
    };
    for (const [name, labels] of Object.entries(steps)) {
      outcomes[name] = await relabel(labels);
      // A patch starts from the namespace in the cache, too. If that is old, the server patches twice, and warns about both.
      const { body } = await server.session.get(path);
      await until(async () => {
        const cached = await server.session.get(`${path}?resourceVersion=0`);
        return cached.body.metadata.resourceVersion === body.metadata.resourceVersion;
      });
    }
    await expect(asRecorded(outcomes)).toMatchFileSnapshot('../recorded/pod-security/existing-pods.yaml');
  });
});
