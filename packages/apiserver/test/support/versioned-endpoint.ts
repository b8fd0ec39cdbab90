import { crdOf, objectOf, versionOf } from './fixtures.ts';
import type { ConversionWebhook, Convert } from './conversion-webhook.ts';

const group = 'conformance.example.com';
const string = { type: 'string' };
const tlsAnnotation = 'example.com/tls';

/** What all versions of an Endpoint say, each in its own form. */
interface Endpoint {
  host?: string;
  port?: string;
  note?: string;
  tls?: boolean;
}

/**
 * A definition with three versions: `v1` has a host and a port, `v2` an address, and `v3` a nested endpoint. `v2` is stored and
 * keeps what it has no field for in an annotation.
 */
export function endpointCrd(kind: string, webhook: ConversionWebhook, reviewVersions?: string[]): any {
  const note = { ...string, default: 'first' };
  const crd = crdOf(kind, { host: string, port: string, note });
  const nested = { type: 'object', properties: { host: string, port: { type: 'integer' } } };
  crd.spec.versions = [
    { ...crd.spec.versions[0], storage: false },
    versionOf('v2', true, { address: string, note: { ...string, default: 'second' } }),
    versionOf('v3', false, { endpoint: nested, note: string, tls: { type: 'boolean', default: true } }),
  ];
  crd.spec.conversion = webhook.conversion(reviewVersions);
  return crd;
}

/** An Endpoint in one of the versions. */
export function endpoint(kind: string, version: string, name: string, fields: Endpoint): any {
  return convertEndpoint({ ...objectOf(kind, name, fields, 'v1') }, `${group}/${version}`);
}

/** Converts an Endpoint. */
export const convertEndpoint: Convert = ({ metadata: sent, ...object }, apiVersion) => {
  // A server may send parts of an object, without metadata.
  const metadata = sent ?? {};
  const { [tlsAnnotation]: kept, ...annotations } = metadata.annotations ?? {};
  const fields = read(object.spec ?? {}, kept);
  const isStored = apiVersion === `${group}/v2` && fields.tls !== undefined;
  const all = isStored ? { ...annotations, [tlsAnnotation]: `${fields.tls}` } : annotations;
  const { annotations: _, ...others } = metadata;
  const annotated = Object.keys(all).length === 0 ? others : { ...others, annotations: all };
  const converted = { ...object, apiVersion, metadata: annotated };
  return object.spec ? { ...converted, spec: write(fields, apiVersion) } : converted;
};

function read(spec: any, kept: string | undefined): Endpoint {
  const { note } = spec;
  const tls = spec.tls ?? (kept === undefined ? undefined : kept === 'true');
  const [host, port] = spec.address?.split(':') ?? [
    spec.endpoint?.host ?? spec.host,
    spec.endpoint?.port ?? spec.port,
  ];
  return defined({ host, port: port === undefined || port === '' ? undefined : `${port}`, note, tls });
}

function write({ host, port, note, tls }: Endpoint, apiVersion: string): object {
  switch (apiVersion) {
    case `${group}/v1`:
      return defined({ host, port, note });
    case `${group}/v2`:
      return defined({
        address: host === undefined && port === undefined ? undefined : `${host ?? ''}:${port ?? ''}`,
        note,
      });
    default: {
      const nested = defined({ host, port: port === undefined ? undefined : Number(port) });
      return defined({ endpoint: Object.keys(nested).length === 0 ? undefined : nested, note, tls });
    }
  }
}

function defined(fields: Record<string, unknown>): any {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}
