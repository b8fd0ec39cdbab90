import { type JsonObject, isObject, textOf, valueOf } from '../bundle/json.ts';
import type { Collection } from './collection.ts';
import type { InputObject } from './input-object.ts';
import { objectsAt } from './objects-at.ts';

/** The webhooks of a ClusterServiceVersion, and what they lose. */
export interface Webhooks {
  /** Sorted by name. */
  readonly definitions: readonly JsonObject[];
  readonly problems: readonly string[];
}

const types = {
  ValidatingWebhookConfiguration: 'ValidatingAdmissionWebhook',
  MutatingWebhookConfiguration: 'MutatingAdmissionWebhook',
} as const;

/** Fields that a ClusterServiceVersion has under the same name. */
const copied = [
  'rules',
  'failurePolicy',
  'matchPolicy',
  'objectSelector',
  'timeoutSeconds',
  'reinvocationPolicy',
] as const;
/** Fields for which it has no place. */
const lost = ['namespaceSelector', 'matchConditions'] as const;

/** Describes the webhooks of the configurations and of the conversions of CRDs for a ClusterServiceVersion. */
export function webhooksOf(collection: Collection): Webhooks {
  const problems: string[] = [];
  const seen = new Set<string>();
  const definitions = [...validatingFirst(collection.webhooks)].flatMap(({ kind, object }) =>
    objectsAt(object, 'webhooks').flatMap((webhook) => {
      const text = JSON.stringify([kind, webhook]);
      if (seen.has(text)) return [];
      seen.add(text);
      return [admissionWebhook(collection, kind as keyof typeof types, webhook, problems)];
    }),
  );
  const conversions = conversionWebhooks(collection, problems);
  return {
    definitions: [...definitions, ...conversions].toSorted((a, b) =>
      textOf(a, 'generateName') < textOf(b, 'generateName') ? -1 : 1,
    ),
    problems,
  };
}

function validatingFirst(configurations: readonly InputObject[]): InputObject[] {
  return configurations.toSorted((a, b) => Number(a.kind < b.kind) - Number(a.kind > b.kind));
}

function admissionWebhook(
  collection: Collection,
  kind: keyof typeof types,
  webhook: JsonObject,
  problems: string[],
): JsonObject {
  const name = textOf(webhook, 'name');
  for (const field of lost)
    if (!isEmpty(valueOf(webhook, field)))
      problems.push(
        `webhook ${name} loses its ${field}, for which a ClusterServiceVersion has no place: it is called for more requests`,
      );
  const versions = valueOf(webhook, 'admissionReviewVersions');
  return {
    type: types[kind],
    generateName: name,
    ...Object.fromEntries(
      copied.map((field) => [field, valueOf(webhook, field)]).filter(([, value]) => !isAbsent(value)),
    ),
    sideEffects: valueOf(webhook, 'sideEffects') ?? 'None',
    admissionReviewVersions: Array.isArray(versions) && versions.length > 0 ? versions : ['v1beta1'],
    ...backendOf(collection, webhook, problems),
  };
}

function isEmpty(value: unknown): boolean {
  return isAbsent(value) || (isObject(value) && Object.keys(value).length === 0);
}

function isAbsent(value: unknown): boolean {
  return value === undefined || value === null || (Array.isArray(value) && value.length === 0);
}

/** Where OLM sends the requests of a webhook. */
function backendOf(collection: Collection, webhook: JsonObject, problems: string[]): JsonObject {
  const name = textOf(webhook, 'name');
  const reference = valueOf(valueOf(webhook, 'clientConfig'), 'service');
  if (!isObject(reference)) {
    problems.push(`webhook ${name} has no Service: OLM calls webhooks only in Deployments of the bundle`);
    return {};
  }
  const serviceName = textOf(reference, 'name');
  const service = collection.services.find((each) => each.name === serviceName);
  const deployment = service && isSelecting(service) ? deploymentOf(collection, service) : undefined;
  if (!service) problems.push(`webhook ${name} names the Service ${serviceName}, which is not in the input`);
  else if (!deployment)
    problems.push(`webhook ${name} is not served: its Service ${serviceName} selects no Deployment`);
  const path = valueOf(reference, 'path');
  return {
    deploymentName: deployment?.name ?? serviceName.replace(/-service$/, ''),
    ...portsOf(service, reference),
    ...(typeof path === 'string' && { webhookPath: path }),
  };
}

function isSelecting({ object }: InputObject): boolean {
  const spec = valueOf(object, 'spec');
  return textOf(spec, 'type') !== 'ExternalName' && !isEmpty(valueOf(spec, 'selector'));
}

/** The first Deployment whose pods have the labels that the Service selects. */
function deploymentOf({ deployments }: Collection, { object }: InputObject): InputObject | undefined {
  const wanted = valueOf(valueOf(object, 'spec'), 'selector');
  return deployments.find((deployment) => {
    const template = valueOf(valueOf(deployment.object, 'spec'), 'template');
    const labels = valueOf(valueOf(template, 'metadata'), 'labels');
    return (
      isObject(labels) &&
      Object.entries(isObject(wanted) ? wanted : {}).every(([key, value]) => valueOf(labels, key) === value)
    );
  });
}

/** The port of the Service, and the one of the pod behind it; none if the Service has no such port. */
function portsOf(service: InputObject | undefined, reference: JsonObject): JsonObject {
  const wanted = valueOf(reference, 'port') ?? 443;
  const port = objectsAt(valueOf(service?.object, 'spec'), 'ports').find((each) => each['port'] === wanted);
  // Without a target port, the Service sends to its own port.
  return port ? { containerPort: wanted, targetPort: valueOf(port, 'targetPort') || wanted } : {};
}

/** One definition for all CRDs that convert at the same port and path of a Service. */
function conversionWebhooks(collection: Collection, problems: string[]): JsonObject[] {
  const groups = new Map<string, { reference: JsonObject; webhook: JsonObject; crds: string[] }>();
  for (const { name, object } of collection.crds) {
    const conversion = valueOf(valueOf(object, 'spec'), 'conversion');
    const webhook = valueOf(conversion, 'webhook');
    if (textOf(conversion, 'strategy') !== 'Webhook' || !isObject(webhook)) continue;
    const reference = valueOf(valueOf(webhook, 'clientConfig'), 'service');
    if (
      !isObject(reference) ||
      !collection.services.some((each) => each.name === textOf(reference, 'name'))
    ) {
      problems.push(`CRD ${name} has a conversion webhook, but its Service is not in the input`);
      continue;
    }
    const { name: service, port, path } = reference;
    const key = JSON.stringify([service, port, path]);
    const group = groups.get(key) ?? { reference, webhook, crds: [] };
    groups.set(key, { ...group, crds: [...group.crds, name].toSorted() });
  }
  return [...groups.values()].map(({ reference, webhook, crds }) => {
    const service = collection.services.find((each) => each.name === textOf(reference, 'name'))!;
    const path = valueOf(reference, 'path');
    return {
      type: 'ConversionWebhook',
      conversionCRDs: crds,
      generateName: `c${crds.map((crd) => crd.split('.')[0]).join('')}.kb.io`,
      sideEffects: 'None',
      admissionReviewVersions: valueOf(webhook, 'conversionReviewVersions'),
      deploymentName: deploymentOf(collection, service)?.name ?? service.name.replace(/-service$/, ''),
      ...portsOf(service, reference),
      ...(typeof path === 'string' && { webhookPath: path }),
    };
  });
}
