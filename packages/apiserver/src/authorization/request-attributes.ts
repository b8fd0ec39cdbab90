import { parseFieldSelector } from 'ots-apimachinery/selectors/field-selector';
import type { UserInfo } from '../authentication/user-info.ts';
import type { Attributes } from './attributes.ts';

/** The parts of a request that decide what it asks for. */
export interface RequestLine {
  readonly method: string;
  /** The decoded path as the client sent it. */
  readonly fullPath: string;
  /** The decoded parts of the path. */
  readonly segments: readonly string[];
  readonly query: URLSearchParams;
}

const verbOfMethod = new Map([
  ['POST', 'create'],
  ['GET', 'get'],
  ['HEAD', 'get'],
  ['PUT', 'update'],
  ['PATCH', 'patch'],
  ['DELETE', 'delete'],
]);

/** Parts of a path that are verbs of their own. */
const pathVerbs = new Set(['proxy', 'watch']);

/** What follows the name of a Namespace and belongs to it: anything else is a resource inside of it. */
const namespaceSubresources = new Set(['status', 'finalize']);

/**
 * What a request asks for. It depends on the form of the path only: the resource need not exist, so that clients learn
 * nothing about what they may not see.
 */
export function requestAttributes(user: UserInfo, request: RequestLine): Attributes {
  const { method, segments } = request;
  const isGroup = segments[0] === 'apis';
  const start = isGroup ? 3 : 2;
  if ((segments[0] !== 'api' && !isGroup) || segments.length <= start)
    return { user, verb: method.toLowerCase(), path: request.fullPath };
  const [group = '', version = ''] = isGroup ? segments.slice(1) : ['', segments[1]];
  return { user, group, version, ...resourceOf(segments.slice(start), request) };
}

type ResourceParts = Record<'verb' | 'namespace' | 'resource' | 'name' | 'subresource', string>;

/** @param rest the path below the version */
function resourceOf(rest: readonly string[], { method, query }: RequestLine): ResourceParts {
  let verb = verbOfMethod.get(method) ?? '';
  let parts = rest;
  if (pathVerbs.has(parts[0] ?? '') && parts.length > 1) {
    verb = parts[0] ?? '';
    parts = parts.slice(1);
  }
  let namespace = '';
  if (parts[0] === 'namespaces' && parts.length > 1) {
    namespace = parts[1] ?? '';
    if (parts.length > 2 && !namespaceSubresources.has(parts[2] ?? '')) parts = parts.slice(2);
  }
  const [resource = '', name = '', subresource = ''] = parts;
  if (name === '' && verb === 'delete') verb = 'deletecollection';
  if (name !== '' || verb !== 'get') return { verb, namespace, resource, name, subresource };
  return {
    verb: isWatch(query) ? 'watch' : 'list',
    namespace,
    resource,
    name: selectedName(query),
    subresource,
  };
}

function isWatch(query: URLSearchParams): boolean {
  const value = query.get('watch');
  return value !== null && value !== 'false' && value !== '0';
}

/** Rules for single names also allow lists and watches that a field selector limits to that name. */
function selectedName(query: URLSearchParams): string {
  try {
    const terms = parseFieldSelector(query.get('fieldSelector') ?? '');
    return terms.find(({ field, negated }) => field === 'metadata.name' && !negated)?.value ?? '';
  } catch {
    return '';
  }
}
