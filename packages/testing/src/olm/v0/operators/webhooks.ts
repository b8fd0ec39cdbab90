import { createClientAuthority } from 'ots-apiserver';
import {
  MutatingWebhookConfiguration,
  ValidatingWebhookConfiguration,
} from 'ots-kubernetes/admissionregistration/v1';
import { CustomResourceDefinition } from 'ots-kubernetes/apiextensions/v1';
import { Secret, Service } from 'ots-kubernetes/core/v1';
import type { Kind } from 'ots-kubernetes';
import { type DeepReadonly, ownerReference } from 'ots-runtime';
import { ignoringExisting } from '../catalogs/registry-objects.ts';
import type { ClusterServiceVersion, WebhookDescription } from '../kinds.ts';
import { managed } from '../olm-user.ts';
import { ownerLabels } from '../plans/steps.ts';
import { thawed } from '../../thawed.ts';
import type { V0Context } from '../v0-context.ts';
import { certificateSecret, webhookService } from './deployments.ts';

/**
 * Creates the Services, the Secrets with certificates and the configurations of the webhooks of an operator. The certificates are real, but those of an
 * authority only: what answers in a test is not a pod.
 */
export async function installWebhooks(
  csv: DeepReadonly<ClusterServiceVersion>,
  context: V0Context,
): Promise<void> {
  const { webhookdefinitions = [] } = csv.spec;
  if (webhookdefinitions.length === 0) return;
  const authority = createClientAuthority(new Date(context.clock.epoch()));
  for (const deployment of new Set(webhookdefinitions.map(({ deploymentName = '' }) => deploymentName)))
    await serve(deployment, csv, authority, context);
  const caBundle = Buffer.from(authority.cert).toString('base64');
  for (const webhook of webhookdefinitions) await configure(webhook, csv, caBundle, context);
}

async function serve(
  deployment: string,
  csv: DeepReadonly<ClusterServiceVersion>,
  { cert, key }: { cert: string; key: string },
  { client }: V0Context,
): Promise<void> {
  const { namespace = '' } = csv.metadata;
  const written = csv.spec.install.spec?.deployments?.find(({ name }) => name === deployment);
  const webhooks = (csv.spec.webhookdefinitions ?? []).filter(
    ({ deploymentName }) => deploymentName === deployment,
  );
  const ports = new Map(
    webhooks.map(({ containerPort = 443, targetPort }) => [containerPort, targetPort ?? containerPort]),
  );
  const metadata = {
    namespace,
    labels: { ...managed, ...ownerLabels(csv) },
    ownerReferences: [{ ...ownerReference(csv), controller: false, blockOwnerDeletion: false }],
  };
  await ignoringExisting(
    client.create(Service, {
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { ...metadata, name: webhookService(deployment) },
      spec: {
        ports: [...ports].map(([port, targetPort]) => ({ name: `${port}`, port, targetPort })),
        selector: thawed(written?.spec.selector.matchLabels ?? {}),
      },
    }),
  );
  await ignoringExisting(
    client.create(Secret, {
      apiVersion: 'v1',
      kind: 'Secret',
      type: 'kubernetes.io/tls',
      metadata: { ...metadata, name: certificateSecret(deployment) },
      stringData: { 'tls.crt': cert, 'tls.key': key, olmCAKey: cert },
    }),
  );
}

async function configure(
  webhook: DeepReadonly<WebhookDescription>,
  csv: DeepReadonly<ClusterServiceVersion>,
  caBundle: string,
  context: V0Context,
): Promise<void> {
  const { deploymentName = '', webhookPath = '/', containerPort = 443, admissionReviewVersions } = webhook;
  const { namespace = '' } = csv.metadata;
  const service = { name: webhookService(deploymentName), namespace, path: webhookPath, port: containerPort };
  const clientConfig = { service, caBundle };
  if (webhook.type === 'ConversionWebhook') return convert(webhook, clientConfig, context);
  const kind: Kind =
    webhook.type === 'MutatingAdmissionWebhook'
      ? MutatingWebhookConfiguration
      : ValidatingWebhookConfiguration;
  const labels = {
    ...managed,
    ...ownerLabels(csv),
    'olm.webhook-description-generate-name': webhook.generateName,
  };
  const { items } = await context.live.list(kind, { labelSelector: { matchLabels: labels } });
  if (items.length > 0) return;
  const {
    rules,
    failurePolicy,
    matchPolicy,
    objectSelector,
    sideEffects,
    timeoutSeconds,
    reinvocationPolicy,
  } = webhook;
  const entry = {
    name: webhook.generateName,
    rules,
    failurePolicy,
    matchPolicy,
    objectSelector,
    sideEffects,
    timeoutSeconds,
    ...(kind === MutatingWebhookConfiguration && { reinvocationPolicy }),
    admissionReviewVersions,
    clientConfig,
  };
  const configuration = {
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: kind.kind,
    metadata: { generateName: `${webhook.generateName}-`, labels },
    // Fields without a value disappear.
    webhooks: [JSON.parse(JSON.stringify(entry)) as unknown],
  };
  await context.client.create(kind, configuration);
}

/** Definitions name the webhook that converts between their versions. */
async function convert(
  { conversionCRDs = [], admissionReviewVersions }: DeepReadonly<WebhookDescription>,
  clientConfig: object,
  { client }: V0Context,
): Promise<void> {
  for (const name of conversionCRDs) {
    const webhook = { clientConfig, conversionReviewVersions: [...admissionReviewVersions] };
    await client.patch(
      CustomResourceDefinition,
      { name },
      { spec: { conversion: { strategy: 'Webhook', webhook } } },
    );
  }
}
