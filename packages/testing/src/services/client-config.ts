/** The part of a webhook that says where it listens. */
export interface ClientConfig {
  service?: { namespace: string; name: string; path?: string; port?: number };
  url?: string;
  caBundle?: string;
}
