import type { ApiRequest } from '../http/api-request.ts';
import { hashOf } from '../http/entity-tag.ts';
import { PageNotFoundError } from '../http/page-not-found-error.ts';
import { parseAccept } from '../http/parse-accept.ts';
import { type Reply, text } from '../http/reply.ts';
import { type ServedGroup, servedGroups } from '../http/served-groups.ts';
import type { ResourceRegistry } from '../registry/resource-registry.ts';
import { apiVersionOf } from '../registry/resource.ts';
import { groupVersionDocument } from './group-version-document.ts';

type ServedVersion = ServedGroup['versions'][number];

interface Document {
  hash: string;
  body: string;
}

const yearMilliseconds = 365 * 24 * 3600 * 1000;

/** The schemas of all kinds, one document a group and version: clients read them to check, explain and apply. */
export class OpenApiPages {
  readonly #registry: ResourceRegistry;
  readonly #builtIn = new Map<string, Document>();
  readonly #custom = new Map<string, Document>();
  #generation = -1;

  constructor(registry: ResourceRegistry) {
    this.#registry = registry;
  }

  /**
   * Answers for `/openapi/v3` and what is below it. Undefined for other paths.
   *
   * @throws {PageNotFoundError} for a group and version that is not served
   */
  answer(request: ApiRequest): Reply | undefined {
    const [root, version, ...rest] = request.segments;
    if (root !== 'openapi' || version !== 'v3') return undefined;
    return rest.length === 0 ? this.#index() : this.#page(request, rest.join('/'));
  }

  #index(): Reply {
    const paths = servedGroups(this.#registry).flatMap((group) =>
      group.versions.map((version) => {
        const path = pathOf(group, version);
        return [path, { serverRelativeURL: urlOf(path, this.#document(path, version).hash) }] as const;
      }),
    );
    return text(200, JSON.stringify({ paths: Object.fromEntries(paths) }));
  }

  #page(request: ApiRequest, path: string): Reply {
    const served = this.#find(path);
    if (!served) throw new PageNotFoundError();
    const vary = { Vary: 'Accept' };
    if (!takesJson(request.accept)) return { ...text(406, ''), headers: vary };
    const { hash, body } = this.#document(path, served);
    const headers = { ...vary, ETag: `"${hash}"` };
    const contentType = 'application/json';
    const asked = request.query.get('hash') ?? '';
    if (asked !== '' && asked !== hash) {
      return { code: 301, contentType, body: '', headers: { ...headers, Location: urlOf(path, hash) } };
    }
    // What has its hash in its address never changes.
    const lasting = asked !== '' && {
      'Cache-Control': 'public, immutable',
      Expires: new Date(Date.now() + yearMilliseconds).toUTCString(),
    };
    const isKnown = request.header('if-none-match') === headers.ETag;
    return {
      code: isKnown ? 304 : 200,
      contentType,
      body: isKnown ? '' : body,
      headers: { ...headers, ...lasting },
    };
  }

  #find(path: string): ServedVersion | undefined {
    for (const group of servedGroups(this.#registry))
      for (const version of group.versions) if (pathOf(group, version) === path) return version;
    return undefined;
  }

  /** Documents of built-in groups stay; all others are made anew when something else is served. */
  #document(path: string, { resources }: ServedVersion): Document {
    if (this.#generation !== this.#registry.generation) {
      this.#custom.clear();
      this.#generation = this.#registry.generation;
    }
    const cache = resources.some(({ custom }) => custom) ? this.#custom : this.#builtIn;
    let document = cache.get(path);
    if (!document) {
      const body = JSON.stringify(groupVersionDocument(resources));
      document = { body, hash: hashOf(body) };
      cache.set(path, document);
    }
    return document;
  }
}

function pathOf({ name }: ServedGroup, { version }: ServedVersion): string {
  return `${name === '' ? 'api' : 'apis'}/${apiVersionOf({ group: name, version })}`;
}

function urlOf(path: string, hash: string): string {
  return `/openapi/v3/${path}?hash=${hash}`;
}

/** One that wants protobuf only is refused: unlike objects, these documents are decoded as what was asked for. */
function takesJson(accept: string): boolean {
  return (
    accept === '' ||
    parseAccept(accept).some(({ type }) => ['*/*', 'application/*', 'application/json'].includes(type))
  );
}
