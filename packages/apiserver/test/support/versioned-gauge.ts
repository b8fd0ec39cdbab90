import type { ConversionWebhook, Convert } from './conversion-webhook.ts';
import { crdOf, objectOf, versionOf } from './fixtures.ts';

const integer = { type: 'integer' as const };
const replicas = { v1: 'replicas', v2: 'size' };

/** A definition with a scale in two versions: `v1` has `spec.replicas`, and `v2`, which is stored, `spec.size`. */
export function gaugeCrd(kind: string, webhook: ConversionWebhook): any {
  const crd = crdOf(kind, {});
  crd.spec.versions = Object.entries(replicas).map(([name, field]) => {
    const version = versionOf(name, name === 'v2', { [field]: integer });
    const status = { type: 'object', properties: { replicas: integer, ready: { type: 'boolean' } } };
    version.schema.openAPIV3Schema.properties.status = status;
    const scale = { specReplicasPath: `.spec.${field}`, statusReplicasPath: '.status.replicas' };
    return { ...version, subresources: { status: {}, scale } };
  });
  crd.spec.conversion = webhook.conversion();
  return crd;
}

/** A gauge in `v2`. */
export function gauge(kind: string, name: string, size: number, labels?: object): any {
  const object = objectOf(kind, name, { size }, 'v2');
  return { ...object, metadata: { name, ...(labels && { labels }) } };
}

/** Converts a gauge. */
export const convertGauge: Convert = ({ spec, ...object }, apiVersion) => {
  const size = spec?.replicas ?? spec?.size;
  const field = apiVersion.endsWith('v1') ? replicas.v1 : replicas.v2;
  return { ...object, apiVersion, ...(spec && { spec: size === undefined ? {} : { [field]: size } }) };
};
