import type { RequestRecord } from './reconcile-record.ts';
import type { WorkRequest } from '../context/work-context.ts';

type Target = Pick<
  RequestRecord,
  'verb' | 'group' | 'resource' | 'subresource' | 'namespace' | 'name' | 'path' | 'patch' | 'dryRun'
>;

/** A namespace is itself a resource, and has two subresources. */
const resourcePath =
  /^\/(?:api|apis\/([^/]+))\/[^/]+(?:\/namespaces\/([^/]+)(?=\/(?!(?:status|finalize)$)))?\/([^/]+)(?:\/([^/]+)(?:\/(.+))?)?$/;
const patchType = /^application\/(apply|strategic-merge|merge|json)-patch\+/;

/** What a request is about, as RBAC sees it. Takes nothing else from its body than the name of the object. */
export function targetOf({ method, path: encoded, query, body, contentType = '' }: WorkRequest): Target {
  const path = encoded.split('?', 1)[0]!;
  const match = resourcePath.exec(path);
  if (!match) return { verb: method.toLowerCase(), path };
  const [, group = '', namespace, resource, name, subresource] = match.map(decoded);
  const created = method === 'POST' ? nameIn(body) : undefined;
  const patch = patchType.exec(contentType)?.[1]?.replace('-merge', '') as Target['patch'];
  return {
    verb: query?.['watch'] === undefined ? verbOf(method, name !== undefined) : 'watch',
    group,
    resource,
    ...(subresource !== undefined && { subresource }),
    ...(namespace !== undefined && { namespace }),
    ...((name ?? created) !== undefined && { name: name ?? created }),
    ...(patch && { patch }),
    ...(query?.['dryRun'] !== undefined && { dryRun: true }),
  };
}

function verbOf(method: WorkRequest['method'], hasName: boolean): string {
  const verbs = { GET: 'list', DELETE: 'deletecollection', POST: 'create', PUT: 'update', PATCH: 'patch' };
  const named = { ...verbs, GET: 'get', DELETE: 'delete' };
  return hasName ? named[method] : verbs[method];
}

function nameIn(body: unknown): string | undefined {
  const name = (body as { metadata?: { name?: unknown } } | undefined)?.metadata?.name;
  return typeof name === 'string' ? name : undefined;
}

function decoded(text: string | undefined): string | undefined {
  try {
    return text && decodeURIComponent(text);
  } catch {
    // The path of a raw request may be anything.
    return text;
  }
}
