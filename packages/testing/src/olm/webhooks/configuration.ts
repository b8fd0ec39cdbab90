import type { ServicePort } from 'ots-kubernetes/core/v1';
import type { DeepReadonly } from 'ots-runtime';
import type { WebhookDescription } from '../v0/kinds.ts';
import { webhookService } from './certificates.ts';

/** A webhook in a configuration. */
interface ConfigurationEntry {
  readonly clientConfig: {
    readonly service: { name: string; namespace: string; path: string; port: number };
  };
  readonly [field: string]: unknown;
}

/** The entry of a configuration for a webhook of a ClusterServiceVersion. */
export function configurationEntry(
  webhook: DeepReadonly<WebhookDescription>,
  namespace: string,
): ConfigurationEntry {
  const {
    type,
    deploymentName = '',
    generateName,
    webhookPath = '/',
    containerPort = 443,
    ...rest
  } = webhook;
  const { targetPort: _port, conversionCRDs: _definitions, reinvocationPolicy, ...shared } = rest;
  return {
    ...shared,
    ...(type === 'MutatingAdmissionWebhook' && reinvocationPolicy !== undefined && { reinvocationPolicy }),
    name: generateName,
    clientConfig: {
      service: { name: webhookService(deploymentName), namespace, path: webhookPath, port: containerPort },
    },
  };
}

/** The ports of the Service in front of the webhooks of a Deployment. */
export function servicePorts(
  webhooks: readonly DeepReadonly<WebhookDescription>[],
  deployment: string,
): ServicePort[] {
  const own = webhooks.filter(({ deploymentName }) => deploymentName === deployment);
  const ports = new Map(
    own.map(({ containerPort = 443, targetPort }) => [containerPort, targetPort ?? containerPort]),
  );
  return [...ports].map(([port, targetPort]) => ({ name: `${port}`, port, targetPort }));
}
