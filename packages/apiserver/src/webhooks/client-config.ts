import type { WebhookClientConfig } from 'ots-kubernetes/admissionregistration/v1';
import type { ServiceEndpoints } from './service-endpoints.ts';

/** Where a webhook listens, and whom to trust there. */
export interface WebhookAddress {
  /** The URL as messages show it, without the query. */
  readonly url: string;
  /** Where to connect instead, for a webhook behind a Service. */
  readonly endpoint?: string;
  /** Certificates in PEM. Undefined for those that Node trusts. */
  readonly ca?: string;
  /** The name in the certificate, if it is not the host of the URL. */
  readonly serverName?: string;
  /** Why there is nothing to connect to. */
  readonly unreachable?: string;
}

/** Resolves the `clientConfig` of a webhook, which names a URL or a Service. */
export function addressOf(
  { url, service, caBundle = '' }: WebhookClientConfig,
  services: ServiceEndpoints,
): WebhookAddress {
  const ca = Buffer.from(caBundle, 'base64').toString('utf8');
  if (!service) return { url: url ?? '', ...(ca !== '' && { ca }) };
  const { namespace, name, path = '', port = 443 } = service;
  const shown = `https://${name}.${namespace}.svc:${port}${path}`;
  const found = services.resolve(namespace, name, port);
  if ('unreachable' in found) return { url: shown, unreachable: found.unreachable };
  const endpoint = `${found.url}${path}`;
  if (found.ca !== undefined) return { url: shown, endpoint, ca: found.ca };
  return { url: shown, endpoint, serverName: `${name}.${namespace}.svc`, ...(ca !== '' && { ca }) };
}
