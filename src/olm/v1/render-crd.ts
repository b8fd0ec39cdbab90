import type { Csv } from '../bundle/csv.ts';
import { type JsonObject, isObject, textOf } from '../bundle/json.ts';
import { authorityAnnotations, serviceName } from './certificates.ts';
import { conversionWebhook } from './check-bundle.ts';
import type { RenderContext } from './render-for-olm-v1.ts';
import { typedObject } from './typed-object.ts';

/** A CRD, with the webhook that converts its objects. */
export function renderCrd(crd: JsonObject, csv: Csv, context: RenderContext): JsonObject {
  const { apiVersion: stated, kind: __, ...fields } = crd;
  const converted = { ...fields, ...conversionOf(crd, csv, context) };
  const { apiVersion: _, ...typed } = typedObject(
    'apiextensions.k8s.io/v1',
    'CustomResourceDefinition',
    converted,
  );
  return { ...(stated !== undefined && { apiVersion: stated }), ...typed };
}

function conversionOf({ metadata, spec }: JsonObject, csv: Csv, context: RenderContext): JsonObject {
  const name = textOf(metadata, 'name');
  const webhook = (csv.spec?.webhookdefinitions ?? []).find(
    ({ type, conversionCRDs = [] }) => type === conversionWebhook && conversionCRDs.includes(name),
  );
  if (!webhook) return {};
  const { deploymentName = '', webhookPath = '/', containerPort = 0, admissionReviewVersions } = webhook;
  const service = {
    namespace: context.namespace,
    name: serviceName(deploymentName),
    path: webhookPath,
    port: containerPort,
  };
  const annotations = isObject(metadata) && isObject(metadata['annotations']) ? metadata['annotations'] : {};
  const added = authorityAnnotations(deploymentName, context);
  return {
    metadata: {
      ...(isObject(metadata) && metadata),
      ...(Object.keys(added).length > 0 && { annotations: { ...annotations, ...added } }),
    },
    spec: {
      ...(isObject(spec) && spec),
      conversion: {
        strategy: 'Webhook',
        webhook: { clientConfig: { service }, conversionReviewVersions: admissionReviewVersions },
      },
    },
  };
}
