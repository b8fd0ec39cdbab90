import type { ApiRequest } from './api-request.ts';
import { hashOf } from './entity-tag.ts';
import { PageNotFoundError } from './page-not-found-error.ts';
import { parseAccept } from './parse-accept.ts';
import { type Reply, type StreamingReply, text } from './reply.ts';
import { type ServedGroup, servedGroups } from './served-groups.ts';
import type { ResourceRegistry } from '../registry/resource-registry.ts';
import { apiVersionOf } from '../registry/resource.ts';
import { encodeSwagger } from '../openapi/encode-swagger.ts';
import { groupVersionDocument } from '../openapi/group-version-document.ts';
import { SwaggerDocument } from '../openapi/swagger-document.ts';

type ServedVersion = ServedGroup['versions'][number];

interface Document {
  hash: string;
  body: string;
}

const protobufTypes = [
  'application/com.github.proto-openapi.spec.v2.v1.0+protobuf',
  'application/com.github.proto-openapi.spec.v2@v1.0+protobuf',
];
const jsonTypes = ['*/*', 'application/*', 'application/json'];
const yearMilliseconds = 365 * 24 * 3600 * 1000;

/** Serves the schemas of all kinds, one document per group and version. Clients use them to validate, explain and apply. */
export class OpenApiPages {
  readonly #registry: ResourceRegistry;
  readonly #builtIn = new Map<string, Document>();
  readonly #custom = new Map<string, Document>();
  readonly #swagger = new SwaggerDocument();
  #whole: Document | undefined;
  #wholeEncoded: Buffer | undefined;
  #generation = -1;

  constructor(registry: ResourceRegistry) {
    this.#registry = registry;
  }

  /**
   * Answers `/openapi/v2`, `/openapi/v3` and the paths below it. Undefined for other paths.
   *
   * @throws {PageNotFoundError} for a group and version that is not served
   */
  answer(request: ApiRequest): Reply | StreamingReply | undefined {
    const [root, version, ...rest] = request.segments;
    if (root !== 'openapi') return undefined;
    if (version === 'v2' && rest.length === 0) return this.#wholePage(request);
    if (version !== 'v3') return undefined;
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
    if (!takesJson(request.accept)) return notAcceptable();
    const document = this.#document(path, served);
    const { hash } = document;
    const asked = request.query.get('hash') ?? '';
    if (asked !== '' && asked !== hash) {
      const headers = { ...documentHeaders(hash), Location: urlOf(path, hash) };
      return { code: 301, contentType: 'application/json', body: '', headers };
    }
    // A document with its hash in the URL never changes.
    const lasting = {
      'Cache-Control': 'public, immutable',
      Expires: new Date(Date.now() + yearMilliseconds).toUTCString(),
    };
    return documentReply(request, document, asked === '' ? {} : lasting);
  }

  /** The OpenAPI 2 document. Clients in Go decode only its protobuf form. */
  #wholePage(request: ApiRequest): Reply | StreamingReply {
    const wanted = swaggerType(request.accept);
    if (wanted === undefined) return notAcceptable();
    this.#forgetOld();
    this.#whole ??= documentOf(this.#swagger.write(this.#registry.all()));
    const reply = documentReply(request, this.#whole, {});
    if (wanted === 'json' || reply.code === 304) return reply;
    const bytes = (this.#wholeEncoded ??= encodeSwagger(this.#whole.body));
    return (response) => {
      response.writeHead(200, {
        'Content-Type': protobufTypes[0],
        'Cache-Control': 'no-cache, private',
        'Content-Length': bytes.length,
        ...reply.headers,
      });
      response.end(bytes);
    };
  }

  #find(path: string): ServedVersion | undefined {
    for (const group of servedGroups(this.#registry))
      for (const version of group.versions) if (pathOf(group, version) === path) return version;
    return undefined;
  }

  /** Documents of built-in groups stay; all others are rebuilt when the served resources change. */
  #document(path: string, { resources }: ServedVersion): Document {
    this.#forgetOld();
    const cache = resources.some(({ custom }) => custom) ? this.#custom : this.#builtIn;
    let document = cache.get(path);
    if (!document) {
      document = documentOf(JSON.stringify(groupVersionDocument(resources)));
      cache.set(path, document);
    }
    return document;
  }

  #forgetOld(): void {
    if (this.#generation === this.#registry.generation) return;
    this.#custom.clear();
    this.#whole = undefined;
    this.#wholeEncoded = undefined;
    this.#generation = this.#registry.generation;
  }
}

function documentOf(body: string): Document {
  return { body, hash: hashOf(body) };
}

function documentHeaders(hash: string): Record<string, string> {
  return { Vary: 'Accept', ETag: `"${hash}"` };
}

function documentReply(
  request: ApiRequest,
  { body, hash }: Document,
  more: Readonly<Record<string, string>>,
): Reply {
  const headers = { ...documentHeaders(hash), ...more };
  const isKnown = request.header('if-none-match') === headers['ETag'];
  return { code: isKnown ? 304 : 200, contentType: 'application/json', body: isKnown ? '' : body, headers };
}

function notAcceptable(): Reply {
  return { ...text(406, ''), headers: { Vary: 'Accept' } };
}

function pathOf({ name }: ServedGroup, { version }: ServedVersion): string {
  return `${name === '' ? 'api' : 'apis'}/${apiVersionOf({ group: name, version })}`;
}

function urlOf(path: string, hash: string): string {
  return `/openapi/v3/${path}?hash=${hash}`;
}

/** A client that only accepts protobuf is refused: unlike objects, these documents are decoded by the requested format. */
function takesJson(accept: string): boolean {
  return accept === '' || parseAccept(accept).some(({ type }) => jsonTypes.includes(type));
}

/** The format of the OpenAPI 2 document that a client prefers; undefined when it accepts none. */
function swaggerType(accept: string): 'json' | 'protobuf' | undefined {
  if (accept === '') return 'json';
  const found = parseAccept(accept).find(({ type }) => [...jsonTypes, ...protobufTypes].includes(type));
  if (!found) return undefined;
  return jsonTypes.includes(found.type) ? 'json' : 'protobuf';
}
