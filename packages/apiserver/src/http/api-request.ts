import type { ClientConnection, HttpRequest } from './http-message.ts';
import { TLSSocket } from 'node:tls';
import type { AuditAnnotations } from '../audit/audit-annotations.ts';
import type { UserInfo } from '../authentication/user-info.ts';
import type { RequestClient } from '../registry/request-client.ts';
import { requestTooLarge } from '../status/errors.ts';

/** The largest body in bytes that the server reads, like kube-apiserver. */
const maxBodyBytes = 3 * 1024 * 1024;

const unknownUser: UserInfo = { name: '', groups: [] };

/** A request with a parsed URL. */
export class ApiRequest implements RequestClient {
  readonly method: string;
  /** Who sends it. Without a name and groups until the server knows. */
  user: UserInfo = unknownUser;
  /** The decoded parts of the path, without empty ones at the end. */
  readonly segments: readonly string[];
  readonly query: URLSearchParams;
  /** Warnings for the client, collected while the request is handled. */
  readonly warnings: string[] = [];
  /** Receives audit annotations. Undefined when nothing records the request. */
  readonly audit: AuditAnnotations | undefined;
  readonly #incoming: HttpRequest;
  readonly #connection: ClientConnection | undefined;
  readonly #encodedPath: string;
  /** The query as the client sent it, after its question mark. Empty for none. */
  readonly queryText: string;
  #body: Promise<Buffer> | undefined;
  #signal: AbortSignal | undefined;

  /**
   * @param connection ends when the client gives up. Undefined where nothing needs to know that.
   * @throws {URIError} when the path cannot be decoded
   */
  constructor(
    incoming: HttpRequest,
    {
      connection,
      audit,
    }: { connection?: ClientConnection | undefined; audit?: AuditAnnotations | undefined } = {},
  ) {
    this.#incoming = incoming;
    this.#connection = connection;
    this.audit = audit;
    this.method = incoming.method ?? 'GET';
    const [path, query] = splitOnce(incoming.url ?? '/', '?');
    const encoded = path.split('/').slice(1);
    const segments = path.includes('%') ? encoded.map(decodeURIComponent) : encoded;
    while (segments.at(-1) === '') segments.pop();
    this.segments = segments;
    this.#encodedPath = path;
    this.query = new URLSearchParams(query);
    this.queryText = query === '' ? '' : `?${query}`;
  }

  get signal(): AbortSignal {
    if (this.#signal) return this.#signal;
    const controller = new AbortController();
    this.#signal = controller.signal;
    const connection = this.#connection;
    if (connection?.closed) controller.abort();
    // After an answer nothing waits for the signal, and an abort takes time.
    else connection?.once('close', () => connection.writableFinished || controller.abort());
    return this.#signal;
  }

  /** The decoded path as the client sent it. */
  get fullPath(): string {
    return decodeURIComponent(this.#encodedPath);
  }

  /** The decoded path without slashes at the end. */
  get path(): string {
    return `/${this.segments.join('/')}`;
  }

  /** The media type of the body, in lower case and without parameters. */
  get contentType(): string {
    return mediaType(this.contentTypeHeader);
  }

  /** Whether the client asks for another protocol, and its connection can have one. */
  get canUpgrade(): boolean {
    const asksForUpgrade = /\bupgrade\b/i.test(this.header('connection')) && this.header('upgrade') !== '';
    return asksForUpgrade && this.#connection?.takeOver !== undefined;
  }

  /** The request as it arrived. */
  get incoming(): HttpRequest {
    return this.#incoming;
  }

  /** The Content-Type header as the client sent it. */
  get contentTypeHeader(): string {
    return this.#incoming.headers['content-type'] ?? '';
  }

  /** The User-Agent up to the first slash. */
  get clientName(): string {
    return this.#incoming.headers['user-agent']?.split('/')[0] ?? '';
  }

  /** The server as the client addresses it, such as `https://127.0.0.1:6443`. */
  get origin(): string {
    const { socket, headers } = this.#incoming;
    return `${socket instanceof TLSSocket ? 'https' : 'http'}://${headers.host ?? ''}`;
  }

  get accept(): string {
    return this.#incoming.headers.accept ?? '';
  }

  /** @param name in lower case */
  header(name: string): string {
    const value = this.#incoming.headers[name] ?? '';
    return typeof value === 'string' ? value : value.join(',');
  }

  /**
   * Reads the body, once.
   *
   * @throws {StatusError} 413 beyond 3 MiB
   */
  body(): Promise<Buffer> {
    return (this.#body ??= this.#readBody());
  }

  /** Uses events: an asynchronous iterator costs more than everything else about a small body. */
  #readBody(): Promise<Buffer> {
    const incoming = this.#incoming;
    const { content } = incoming;
    // Do not wait for a body whose announced length is too large.
    const announced = content?.length ?? Number(incoming.headers['content-length'] ?? 0);
    if (announced > maxBodyBytes) return Promise.reject(tooLarge());
    if (content) return Promise.resolve(content);
    return new Promise((resolve, reject) => {
      const chunks: Buffer[] = [];
      let size = 0;
      incoming.on('data', (chunk: Buffer) => {
        size += chunk.length;
        chunks.push(chunk);
        if (size <= maxBodyBytes) return;
        incoming.removeAllListeners('data').pause();
        reject(tooLarge());
      });
      incoming.once('end', () => resolve(chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks)));
      incoming.once('error', reject);
    });
  }
}

function tooLarge(): Error {
  return requestTooLarge(`limit is ${maxBodyBytes}`);
}

function mediaType(header: string): string {
  return (header.split(';')[0] ?? '').trim().toLowerCase();
}

function splitOnce(text: string, separator: string): [string, string] {
  const index = text.indexOf(separator);
  return index === -1 ? [text, ''] : [text.slice(0, index), text.slice(index + separator.length)];
}
