import type { ExchangeRequest } from 'ots-apiserver';
import type { Delivery } from './delivery.ts';

const verbs: Readonly<Record<string, string>> = { POST: 'create', PUT: 'update', PATCH: 'patch' };

const readingVerbs: ReadonlySet<string> = new Set(['get', 'list', 'watch', 'head']);

/** Whether a request changes nothing. @param verb as in a {@link Delivery} */
export function isReading(verb: string): boolean {
  return readingVerbs.has(verb);
}

/** What an activity of the server is called. */
export function whatOf({ verb, resource, user }: Omit<Delivery, 'kind'>): string {
  return `${verb} ${resource} of ${user}`;
}

/** Who asks for what. */
export function describeRequest({
  method,
  path,
  headers,
}: Pick<ExchangeRequest, 'method' | 'path' | 'headers'>): Omit<Delivery, 'kind'> {
  const [pathname = '', query = ''] = path.split('?', 2);
  const encoded = pathname.split('/').slice(1);
  const parts = pathname.includes('%') ? encoded.map(decodeURIComponent) : encoded;
  const user = userOf(headers);
  const userAgent = String(headers['user-agent'] ?? '');
  const group = parts[0] === 'apis' ? (parts[1] ?? '') : '';
  let rest = parts.slice(parts[0] === 'apis' ? 3 : 2);
  if ((parts[0] !== 'api' && parts[0] !== 'apis') || rest.length === 0)
    return { user, userAgent, verb: method.toLowerCase(), resource: pathname, namespace: '', name: '' };
  let namespace = '';
  if (rest[0] === 'namespaces' && rest.length > 2 && !['finalize', 'status'].includes(rest[2]!)) {
    namespace = rest[1]!;
    rest = rest.slice(2);
  }
  const [plural = '', name = '', ...subresource] = rest;
  const resource = [plural, ...subresource].join('/') + (group === '' ? '' : `.${group}`);
  const verb = verbOf(method, name, query !== '' && /(?:^|&)watch(?:=|&|$)/.test(query));
  return { user, userAgent, verb, resource, namespace, name };
}

function verbOf(method: string, name: string, isWatch: boolean): string {
  if (method === 'GET') return isWatch ? 'watch' : name === '' ? 'list' : 'get';
  if (method === 'DELETE') return name === '' ? 'deletecollection' : 'delete';
  return verbs[method] ?? method.toLowerCase();
}

function userOf(headers: ExchangeRequest['headers']): string {
  const impersonated = headers['impersonate-user'];
  if (impersonated !== undefined) return String(impersonated);
  const authorization = headers['authorization'];
  if (authorization === undefined) return 'admin';
  const [, claims] = String(authorization).split('.');
  if (claims === undefined) return 'admin';
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the server signed the token
  return (JSON.parse(Buffer.from(claims, 'base64url').toString()) as { sub: string }).sub;
}
