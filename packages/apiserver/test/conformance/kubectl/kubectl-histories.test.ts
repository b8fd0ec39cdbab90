import { afterAll, beforeAll, expect, test } from 'vitest';
import { seen, steadied } from '../../support/history-outcome.ts';
import { KubectlRunner, hasKubectl } from './kubectl-runner.ts';
import { transcribe, writeFiles } from './kubectl-transcript.ts';
import { mergePatched } from '../../support/merge-patched.ts';
import { onEachServer } from '../../support/on-each-server.ts';
import { asRecorded } from '../../support/recorded.ts';

/** The commands of a story about one object, in which `@name` is a variant of it. */
interface Story {
  collection: string;
  base: Record<string, unknown>;
  /** Merge patches of the base. */
  variants?: Record<string, unknown>;
  commands: readonly string[];
}

const labels = { app: 'x' };
const web = { name: 'web', image: 'web:1', env: [{ name: 'A', value: '1' }], ports: [{ containerPort: 80 }] };
const side = { name: 'side', image: 'side:1' };
const pods = (...containers: unknown[]) => ({ template: { metadata: { labels }, spec: { containers } } });

const deployment = {
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  spec: { selector: { matchLabels: labels }, ...pods(web) },
};
const deployments = {
  collection: '/apis/apps/v1/namespaces/default/deployments',
  base: deployment,
  variants: {
    image: { spec: pods({ ...web, image: 'web:2' }) },
    'no-env': { spec: { replicas: 2, ...pods({ name: 'web', image: 'web:2', ports: web.ports }) } },
    'more-containers': { spec: { strategy: { type: 'Recreate' }, ...pods(side, web) } },
    another: { metadata: { labels: { l: '1' } }, spec: { replicas: 3 } },
  },
};

const stories: Record<string, Story> = {
  'a created deployment is applied': {
    ...deployments,
    commands: [
      'create -f @base',
      'apply -f @base',
      'apply -f @image',
      'apply -f @no-env',
      'apply -f @no-env',
      'apply -f @more-containers',
      'apply -f @base',
    ],
  },
  'an applied deployment moves to the server': {
    ...deployments,
    commands: [
      'apply -f @base',
      'apply -f @no-env --server-side',
      'apply -f @more-containers --server-side',
      'apply -f @another --server-side --field-manager=other',
      'apply -f @image --server-side --field-manager=other',
      'apply -f @image --server-side --field-manager=other --force-conflicts',
      'apply -f @base --server-side',
      'apply -f @base',
      'scale deployment NAME --replicas=4',
      'apply -f @another',
      'apply -f @another --server-side --dry-run=server',
    ],
  },
  'a created deployment is applied on the server': {
    ...deployments,
    commands: [
      'create -f @base',
      'apply -f @image --server-side',
      'apply -f @image --server-side --force-conflicts',
      'label deployment NAME l=2',
      'apply -f @another --server-side',
      'set image deployment/NAME web=web:9',
      'apply -f @base --server-side --field-manager=kubectl-create',
    ],
  },
  'a deployment is replaced': {
    ...deployments,
    commands: [
      'replace -f @base',
      'create -f @base --save-config',
      'replace -f @no-env',
      'replace -f @no-env',
      'replace -f @more-containers --save-config',
      'apply -f @base',
      'replace -f @another --force',
    ],
  },
  'the ports of a service change': {
    collection: '/api/v1/namespaces/default/services',
    base: { apiVersion: 'v1', kind: 'Service', spec: { selector: labels, ports: [{ port: 80 }] } },
    variants: {
      named: { spec: { ports: [{ port: 80, name: 'http', targetPort: 'web' }] } },
      two: {
        spec: {
          ports: [
            { port: 443, name: 'https' },
            { port: 80, name: 'http' },
          ],
        },
      },
      protocols: {
        spec: {
          ports: [
            { port: 53, name: 'tcp' },
            { port: 53, name: 'udp', protocol: 'UDP' },
          ],
        },
      },
      external: { spec: { type: 'NodePort', externalTrafficPolicy: 'Local' } },
      headless: { spec: { clusterIP: 'None' } },
    },
    commands: [
      'apply -f @base',
      'apply -f @named',
      'apply -f @two',
      'apply -f @protocols',
      'apply -f @external',
      'apply -f @base',
      'apply -f @headless',
      'replace -f @two',
      'apply -f @base --server-side',
      'apply -f @two --server-side --force-conflicts',
      'apply -f @two --server-side',
    ],
  },
  'a job changes little': {
    collection: '/apis/batch/v1/namespaces/default/jobs',
    base: {
      apiVersion: 'batch/v1',
      kind: 'Job',
      spec: { template: { spec: { restartPolicy: 'Never', containers: [side] } } },
    },
    variants: {
      image: {
        spec: { template: { spec: { restartPolicy: 'Never', containers: [{ ...side, image: 'x' }] } } },
      },
      suspended: { spec: { suspend: true, backoffLimit: 1 } },
      parallel: { spec: { parallelism: 2 } },
    },
    commands: [
      'apply -f @base',
      'apply -f @image',
      'apply -f @suspended',
      'apply -f @suspended --server-side',
      'apply -f @parallel --server-side',
      'replace -f @parallel',
      'replace -f @image --force --cascade=background',
    ],
  },
  'a secret with texts': {
    collection: '/api/v1/namespaces/default/secrets',
    base: { apiVersion: 'v1', kind: 'Secret', stringData: { a: '1', b: '2' } },
    variants: {
      fewer: { stringData: { a: '3', b: null } },
      bytes: { data: { a: 'eA==' }, stringData: null },
    },
    commands: [
      'apply -f @base',
      'apply -f @base',
      'apply -f @fewer',
      'apply -f @bytes',
      'apply -f @bytes --server-side',
      'apply -f @base --server-side',
    ],
  },
  'an autoscaler of the first version': {
    collection: '/apis/autoscaling/v2/namespaces/default/horizontalpodautoscalers',
    base: {
      apiVersion: 'autoscaling/v1',
      kind: 'HorizontalPodAutoscaler',
      spec: {
        scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'x' },
        maxReplicas: 3,
        targetCPUUtilizationPercentage: 70,
      },
    },
    variants: {
      second: {
        apiVersion: 'autoscaling/v2',
        spec: { targetCPUUtilizationPercentage: null, minReplicas: 2, metrics: [] },
      },
      more: { spec: { maxReplicas: 5 } },
    },
    commands: [
      'apply -f @base',
      'apply -f @more',
      'apply -f @second',
      'apply -f @base --server-side',
      'apply -f @second --server-side',
      'replace -f @more',
    ],
  },
  'a claim stays as it is': {
    collection: '/api/v1/namespaces/default/persistentvolumeclaims',
    base: {
      apiVersion: 'v1',
      kind: 'PersistentVolumeClaim',
      spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
    },
    variants: {
      larger: { spec: { resources: { requests: { storage: '2Gi' } } } },
      'same-size': { metadata: { labels }, spec: { resources: { requests: { storage: '1024Mi' } } } },
    },
    commands: [
      'apply -f @base',
      'apply -f @larger',
      'apply -f @same-size',
      'apply -f @same-size --server-side',
      'replace -f @base',
    ],
  },
};

onEachServer('kubectl applies and replaces', { skip: !hasKubectl }, (server) => {
  let runner: KubectlRunner;
  beforeAll(async () => {
    runner = await KubectlRunner.create(server.environment);
  });
  afterAll(async () => {
    await runner.close();
  });

  test.each(Object.entries(stories))(
    '%s',
    async (title, { collection, base, variants = {}, commands }) => {
      const name = title.replaceAll(' ', '-');
      const whole = mergePatched(base, { metadata: { name } });
      const changed = Object.entries(variants).map(([key, change]) => [key, mergePatched(whole, change)]);
      await writeFiles(runner, { base: whole, ...Object.fromEntries(changed) });
      const history = [];
      for (const command of commands) {
        const [transcript] = await transcribe(runner, [command.replace('NAME', name)]);
        const { code, body } = await server.session.get(`${collection}/${name}`);
        history.push(steadied({ ...transcript, ...(code === 200 && seen(body)) }));
      }
      await expect(asRecorded(history)).toMatchFileSnapshot(`../recorded/kubectl-histories/${name}.yaml`);
    },
    120_000,
  );
});
