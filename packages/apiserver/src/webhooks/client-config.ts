import { posix } from 'node:path';
import type { WebhookClientConfig } from 'ots-kubernetes/admissionregistration/v1';
import { problemOfBundle } from './ca-bundle.ts';
import { WebhookCallError } from './webhook-call-error.ts';
import type { LocalService, ServiceEndpoints } from './service-endpoints.ts';

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
  /** Answers instead of a network. */
  readonly local?: LocalService;
  /** Why there is nothing to connect to. */
  readonly unreachable?: string;
}

/**
 * Resolves the `clientConfig` of a webhook, which names a URL or a Service.
 *
 * @throws {WebhookCallError} when its bundle of certificates cannot be read
 */
export function addressOf(config: WebhookClientConfig, services: ServiceEndpoints): WebhookAddress {
  const ca = bundleOf(config);
  const { url = '', service } = config;
  if (!service) return { url: withCleanPath(url), ...(ca !== '' && { ca }) };
  const { namespace, name, port = 443 } = service;
  const path = cleanPath(service.path ?? '');
  const shown = `https://${name}.${namespace}.svc:${port}${path}`;
  const found = services.resolve(namespace, name, port);
  if ('unreachable' in found) return { url: shown, unreachable: found.unreachable };
  const endpoint = `${found.url}${path}`;
  if (found.local) return { url: shown, endpoint, local: found.local };
  if (found.ca !== undefined) return { url: shown, endpoint, ca: found.ca };
  return { url: shown, endpoint, serverName: `${name}.${namespace}.svc`, ...(ca !== '' && { ca }) };
}

/** The bundles that can be read, by the configuration that they are in. */
const bundles = new WeakMap<WebhookClientConfig, string>();

function bundleOf(config: WebhookClientConfig): string {
  const known = bundles.get(config);
  if (known !== undefined) return known;
  const bundle = Buffer.from(config.caBundle ?? '', 'base64').toString('utf8');
  const problem = bundle === '' ? undefined : problemOfBundle(bundle);
  if (problem !== undefined)
    throw new WebhookCallError(`could not get REST client: unable to load root certificates: ${problem}`);
  bundles.set(config, bundle);
  return bundle;
}

/** @param url without a query, as validation requires */
function withCleanPath(url: string): string {
  const [, origin = '', path = ''] = /^(\w+:\/\/[^/]*)(.*)$/s.exec(url) ?? [];
  return `${origin}${cleanPath(path)}`;
}

/** The path as kube-apiserver's client sends it: without empty steps, and without a slash at the end. */
function cleanPath(path: string): string {
  return posix.join('/', path).replace(/(?<=.)\/$/, '');
}
