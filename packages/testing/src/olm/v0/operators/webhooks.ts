import { createClientAuthority } from 'ots-apiserver';
import type { Kind } from 'ots-kubernetes';
import {
  MutatingWebhookConfiguration,
  ValidatingWebhookConfiguration,
} from 'ots-kubernetes/admissionregistration/v1';
import { CustomResourceDefinition } from 'ots-kubernetes/apiextensions/v1';
import { Secret, Service } from 'ots-kubernetes/core/v1';
import { type DeepReadonly, ownerReference } from 'ots-runtime';
import { thawed } from '../../thawed.ts';
import { certificateSecret, webhookService } from '../../webhooks/certificates.ts';
import { configurationEntry, servicePorts } from '../../webhooks/configuration.ts';
import { ignoringExisting } from '../catalogs/registry-objects.ts';
import type { ClusterServiceVersion, WebhookDescription } from '../kinds.ts';
import { managed } from '../olm-user.ts';
import { ownerLabels } from '../plans/steps.ts';
import type { V0Context } from '../v0-context.ts';

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
        ports: servicePorts(csv.spec.webhookdefinitions ?? [], deployment),
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
  const entry = configurationEntry(webhook, csv.metadata.namespace!);
  const clientConfig = { ...entry.clientConfig, caBundle };
  if (webhook.type === 'ConversionWebhook') return convert(webhook, clientConfig, context);
  const kind: Kind =
    webhook.type === 'MutatingAdmissionWebhook'
      ? MutatingWebhookConfiguration
      : ValidatingWebhookConfiguration;
  const { generateName } = webhook;
  const labels = {
    ...managed,
    ...ownerLabels(csv),
    'olm.webhook-description-generate-name': generateName,
  };
  const { items } = await context.live.list(kind, { labelSelector: { matchLabels: labels } });
  if (items.length > 0) return;
  const configuration = {
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: kind.kind,
    metadata: { generateName: `${generateName}-`, labels },
    webhooks: [{ ...entry, clientConfig }],
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
    const conversion = { strategy: 'Webhook', webhook };
    await client.patch(CustomResourceDefinition, { name }, { spec: { conversion } });
  }
}
