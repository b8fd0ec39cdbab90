import { type FieldTerm, parseFieldSelector } from 'ots-apimachinery/selectors/field-selector';
import type { UserInfo } from '../authentication/user-info.ts';
import type { Attributes, ResourceAttributes } from './attributes.ts';

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

/** Verbs of requests about a collection whose field selector counts. A list and a watch are both `get` here. */
const collectionVerbs = new Set(['get', 'deletecollection']);

type ResourceParts = Omit<ResourceAttributes, 'user' | 'group' | 'version'>;

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
  const fieldSelector = name === '' && collectionVerbs.has(verb) ? readSelector(query) : [];
  const others = { namespace, resource, subresource, ...(fieldSelector.length > 0 && { fieldSelector }) };
  if (name !== '' || verb !== 'get') return { verb, name, ...others };
  return { verb: isWatch(query) ? 'watch' : 'list', name: selectedName(fieldSelector), ...others };
}

function isWatch(query: URLSearchParams): boolean {
  const value = query.get('watch');
  return value !== null && value !== 'false' && value !== '0';
}

/** Rules for single names also allow lists and watches that a field selector limits to that name. */
function selectedName(terms: readonly FieldTerm[]): string {
  return terms.find(({ field, negated }) => field === 'metadata.name' && !negated)?.value ?? '';
}

/** Empty for a selector that cannot be parsed: then the handler refuses it. */
function readSelector(query: URLSearchParams): FieldTerm[] {
  const text = query.get('fieldSelector');
  if (text === null) return [];
  try {
    return parseFieldSelector(text);
  } catch {
    return [];
  }
}
