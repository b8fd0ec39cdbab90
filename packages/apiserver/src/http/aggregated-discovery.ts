import type { JsonObject } from '../json/json-object.ts';
import type { ResourceRegistry } from '../registry/resource-registry.ts';
import type { Resource } from '../registry/resource.ts';
import type { ApiRequest } from './api-request.ts';
import { entityTag } from './entity-tag.ts';
import { parseAccept } from './parse-accept.ts';
import type { Reply } from './reply.ts';
import { servedGroups } from './served-groups.ts';

const contentType = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList';

/** A document, and the generation of the served resources that it describes. */
interface Cached {
  generation: number;
  body: string;
  etag: string;
}

/** All resources in one document: what clients since Kubernetes 1.26 request first. */
export class AggregatedDiscovery {
  readonly #registry: ResourceRegistry;
  readonly #cache = new Map<string, Cached>();

  constructor(registry: ResourceRegistry) {
    this.#registry = registry;
  }

  /**
   * Answers `GET /api` and `GET /apis` for clients that accept the aggregated document.
   *
   * @returns undefined for a client that only knows the older lists
   */
  answer(request: ApiRequest, root: 'api' | 'apis'): Reply | undefined {
    if (!asksForAggregated(request.accept)) return undefined;
    const { body, etag } = this.#document(root);
    const headers = { ETag: etag, Vary: 'Accept', 'Cache-Control': 'public' };
    return request.header('if-none-match') === etag
      ? { code: 304, contentType, body: '', headers }
      : { code: 200, contentType, body, headers };
  }

  #document(root: 'api' | 'apis'): Cached {
    const { generation } = this.#registry;
    const cached = this.#cache.get(root);
    if (cached?.generation === generation) return cached;
    const items = servedGroups(this.#registry)
      .filter(({ name }) => (name === '') === (root === 'api'))
      .map(({ name, versions }) => ({
        metadata: name === '' ? {} : { name },
        versions: versions.map(({ version, resources }) => ({
          version,
          resources: resources.map(resourceEntry),
          freshness: 'Current',
        })),
      }));
    const list = { kind: 'APIGroupDiscoveryList', apiVersion: 'apidiscovery.k8s.io/v2', metadata: {}, items };
    const body = JSON.stringify(list);
    const made = { generation, body, etag: entityTag(body) };
    this.#cache.set(root, made);
    return made;
  }
}

/** Whether a client accepts the document at all: then it gets it, even if it prefers something else. */
function asksForAggregated(accept: string): boolean {
  return parseAccept(accept).some(
    ({ parameters }) =>
      parameters.get('as') === 'APIGroupDiscoveryList' &&
      parameters.get('g') === 'apidiscovery.k8s.io' &&
      parameters.get('v') === 'v2',
  );
}

function resourceEntry(resource: Resource): JsonObject {
  const { plural, singular, scope, verbs, shortNames, categories, subresources } = resource;
  const entries = subresources.map((subresource) => ({
    subresource: subresource.name,
    responseKind: responseKind(resource, subresource),
    verbs: subresource.verbs,
  }));
  return {
    resource: plural,
    responseKind: responseKind(resource, resource),
    scope,
    singularResource: singular,
    verbs,
    ...(shortNames.length > 0 && { shortNames }),
    ...(categories.length > 0 && { categories }),
    ...(entries.length > 0 && { subresources: entries }),
  };
}

/** Built-in resources state the group and version of a kind only where they differ from their own. */
function responseKind(
  { custom, ...own }: Resource,
  shown: { group?: string; version?: string; kind?: string },
): JsonObject {
  const { group = own.group, version = own.version, kind = own.kind } = shown;
  const isOwn = !custom && group === own.group && version === own.version;
  return isOwn ? { group: '', version: '', kind } : { group, version, kind };
}
