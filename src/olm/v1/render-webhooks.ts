import type { Csv, WebhookDescription } from '../bundle/csv.ts';
import type { JsonObject } from '../bundle/json.ts';
import { authorityAnnotations, serviceAnnotations, serviceName } from './certificates.ts';
import type { RenderContext } from './render-for-olm-v1.ts';
import { typedObject } from './typed-object.ts';

/** The configurations of admission webhooks: a configuration for each webhook, and validating ones first. */
export function renderWebhooks({ spec }: Csv, context: RenderContext): JsonObject[] {
  return ['Validating', 'Mutating'].flatMap((type) =>
    (spec?.webhookdefinitions ?? [])
      .filter((webhook) => webhook.type === `${type}AdmissionWebhook`)
      .map((webhook) => configurationOf(`${type}WebhookConfiguration`, webhook, context)),
  );
}

function configurationOf(kind: string, webhook: WebhookDescription, context: RenderContext): JsonObject {
  const { namespace } = context;
  const {
    generateName = '',
    deploymentName = '',
    webhookPath,
    containerPort = 0,
    reinvocationPolicy,
  } = webhook;
  const name = generateName.replace(/-$/, '');
  const { rules, failurePolicy, matchPolicy, objectSelector, sideEffects, timeoutSeconds } = webhook;
  const service = {
    namespace,
    name: serviceName(deploymentName),
    ...(webhookPath !== undefined && { path: webhookPath }),
    port: containerPort,
  };
  return typedObject('admissionregistration.k8s.io/v1', kind, {
    metadata: { name, namespace, annotations: authorityAnnotations(deploymentName, context) },
    webhooks: [
      {
        name,
        clientConfig: { service },
        rules,
        failurePolicy,
        matchPolicy,
        objectSelector,
        namespaceSelector: namespaceSelector(context),
        sideEffects,
        timeoutSeconds,
        admissionReviewVersions: webhook.admissionReviewVersions,
        ...(kind === 'MutatingWebhookConfiguration' && { reinvocationPolicy }),
      },
    ],
  });
}

/** Objects outside of namespaces reach a webhook with a selector, too. */
function namespaceSelector({ targets }: RenderContext): object | undefined {
  if (targets.length === 0 || targets.includes('')) return undefined;
  return { matchExpressions: [{ key: 'kubernetes.io/metadata.name', operator: 'In', values: targets }] };
}

/** A Service for each Deployment with webhooks. */
export function renderServices({ spec }: Csv, context: RenderContext): JsonObject[] {
  const webhooks = spec?.webhookdefinitions ?? [];
  return (spec?.install?.spec?.deployments ?? []).flatMap(({ name = '', spec: deployment }) => {
    const own = webhooks.filter(({ deploymentName = '' }) => deploymentName === name);
    if (own.length === 0) return [];
    const metadata = {
      name: serviceName(name),
      namespace: context.namespace,
      annotations: serviceAnnotations(name, context),
    };
    const selector = deployment?.selector?.matchLabels;
    return [typedObject('v1', 'Service', { metadata, spec: { ports: portsOf(own), selector } })];
  });
}

interface Port {
  readonly name: string;
  readonly port: number;
  readonly targetPort: number | string;
}

/** Each pair of ports once, in the order of numbers. */
function portsOf(webhooks: readonly WebhookDescription[]): Port[] {
  const ports = webhooks.map(({ containerPort = 0, targetPort }): Port => {
    const port = containerPort > 0 ? containerPort : 443;
    return { name: String(port), port, targetPort: targetPort ?? port };
  });
  const distinct = new Map(ports.map((port) => [JSON.stringify([port.port, port.targetPort]), port]));
  return [...distinct.values()].toSorted(
    (left, right) => left.port - right.port || numberOf(left.targetPort) - numberOf(right.targetPort),
  );
}

/** The names of ports have no order. */
function numberOf(port: number | string): number {
  return typeof port === 'number' ? port : Number(/^[-+]?\d+$/.test(port) ? port : 0);
}
