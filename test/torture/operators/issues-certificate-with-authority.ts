import { Deployment } from 'ots-kubernetes/apps/v1';
import { ConfigMap, Secret } from 'ots-kubernetes/core/v1';
import {
  ControllerBuilder,
  type DeepReadonly,
  type KubernetesObject,
  controllerReference,
  defineKind,
  objectReconciler,
} from 'ots-runtime';
import { createManager } from '../building-blocks/create-manager.ts';
import { definitionOf } from '../building-blocks/definition-of.ts';
import { defineSubject } from '../subject.ts';

interface Proxy extends KubernetesObject {
  spec: { replicas: number };
}

const Proxy = defineKind<Proxy>({
  apiVersion: 'databases.example.com/v1',
  kind: 'Proxy',
  plural: 'proxies',
  scope: 'Namespaced',
});
const key = { namespace: 'default', name: 'proxy' };

function deploymentOf(proxy: DeepReadonly<Proxy>) {
  const labels = { app: proxy.metadata.name! };
  const volumes = [{ name: 'tls', secret: { secretName: `${proxy.metadata.name}-tls` } }];
  const containers = [{ name: 'proxy', image: 'haproxy' }];
  return {
    metadata: { ...key, ownerReferences: [controllerReference(proxy)] },
    spec: {
      replicas: proxy.spec.replicas,
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: { containers, volumes } },
    },
  };
}

export const issuesCertificateWithAuthority = defineSubject<Proxy>({
  title: 'creates an authority, and a certificate that it signs',
  bugs: ['percona/percona-xtradb-cluster-operator K8SPXC-896'],
  pattern: 'crash',
  consequence: 'The authority has no certificate, and the pods wait for it forever.',
  definition: definitionOf(Proxy, {
    spec: { replicas: { type: 'integer', minimum: 1 } },
    required: ['replicas'],
  }),
  object: { apiVersion: 'databases.example.com/v1', kind: 'Proxy', metadata: key, spec: { replicas: 1 } },
  changes: {
    'is scaled': ({ client }) => client.patch(Proxy, key, { spec: { replicas: 2 } }),
  },
  workloads: true,
  async start(connection, variant, leaderElection) {
    const manager = await createManager('proxies', connection, leaderElection);
    const { client } = manager;
    const reconciler = objectReconciler(client, Proxy, async (proxy) => {
      const { name, namespace } = proxy.metadata;
      const ownerReferences = [controllerReference(proxy)];
      const certificate = { name: `${name}-tls`, namespace };
      const authority = { name: `${name}-ca`, namespace };
      const issue = () =>
        client.apply(Secret, {
          metadata: { ...certificate, ownerReferences },
          stringData: { 'tls.crt': `signed by ${authority.name}` },
        });
      const hasAuthority = (await client.get(ConfigMap, authority)) !== undefined;
      if (!hasAuthority) {
        await client.apply(ConfigMap, {
          metadata: { ...authority, ownerReferences },
          data: { 'ca.crt': `authority of ${name}` },
        });
        await issue();
      } else if (variant === 'fixed' && !(await client.get(Secret, certificate))) await issue();
      await client.apply(Deployment, deploymentOf(proxy));
    });
    new ControllerBuilder(manager)
      .for(Proxy)
      .owns(ConfigMap)
      .owns(Secret)
      .owns(Deployment)
      .complete(reconciler);
    return manager;
  },
  demonstration: {
    seenIn: 'state',
    plan: { crashAfter: { verb: 'patch', resource: 'configmaps' } },
    async isHarmed({ client }) {
      const deployment = await client.get(Deployment, key);
      return !deployment?.status?.readyReplicas;
    },
  },
});
