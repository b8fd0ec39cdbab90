import {
  Agent as HttpAgent,
  type IncomingHttpHeaders,
  type IncomingMessage,
  request as requestHttp,
} from 'node:http';
import { Agent as HttpsAgent, request as requestHttps } from 'node:https';
import type { Connection } from 'ots-apiserver';

/** An answer as a test sees it. */
export interface Answer {
  code: number;
  contentType: string;
  warnings: string[];
  headers: IncomingHttpHeaders;
  body: any;
}

/** What to send in addition to method and path. */
export interface Sending {
  body?: unknown;
  /** The raw body to send instead of JSON. */
  raw?: string | Buffer;
  contentType?: string;
  accept?: string;
  headers?: Record<string, string>;
  /** Gives up. */
  signal?: AbortSignal;
}

/** Sends requests to one server over keep-alive connections. */
export class Session {
  readonly #connection: Connection;
  readonly #agent: HttpAgent;

  constructor(connection: Connection) {
    this.#connection = connection;
    const isTls = connection.server.startsWith('https:');
    this.#agent = isTls
      ? new HttpsAgent({
          keepAlive: true,
          ca: connection.caData,
          cert: connection.certData,
          key: connection.keyData,
        })
      : new HttpAgent({ keepAlive: true });
  }

  async send(method: string, path: string, sending: Sending = {}): Promise<Answer> {
    const response = await this.open(method, path, sending);
    let text = '';
    response.setEncoding('utf8');
    for await (const chunk of response) text += chunk;
    const contentType = response.headers['content-type'] ?? '';
    const body: unknown = contentType.startsWith('application/json') && text !== '' ? JSON.parse(text) : text;
    const { headers, statusCode: code = 0 } = response;
    return { code, contentType, warnings: warningsOf(response), headers, body };
  }

  get(path: string): Promise<Answer> {
    return this.send('GET', path);
  }

  post(path: string, body: unknown): Promise<Answer> {
    return this.send('POST', path, { body });
  }

  put(path: string, body: unknown): Promise<Answer> {
    return this.send('PUT', path, { body });
  }

  delete(path: string, body?: unknown): Promise<Answer> {
    return this.send('DELETE', path, { body });
  }

  merge(path: string, body: unknown): Promise<Answer> {
    return this.send('PATCH', path, { body, contentType: 'application/merge-patch+json' });
  }

  jsonPatch(path: string, body: unknown): Promise<Answer> {
    return this.send('PATCH', path, { body, contentType: 'application/json-patch+json' });
  }

  /** Sends a request. @returns the response before its body has arrived */
  open(
    method: string,
    path: string,
    { body, raw, contentType, accept, headers, signal }: Sending = {},
  ): Promise<IncomingMessage> {
    const payload = raw ?? (body === undefined ? undefined : JSON.stringify(body));
    const { server, token } = this.#connection;
    const options = {
      method,
      agent: this.#agent,
      ...(signal && { signal }),
      headers: {
        accept: accept ?? 'application/json',
        'user-agent': 'conformance',
        ...headers,
        ...(payload !== undefined && {
          'content-type': contentType ?? 'application/json',
          'content-length': Buffer.byteLength(payload),
        }),
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
      },
    };
    const { hostname, port, protocol } = new URL(server);
    return new Promise((resolve, reject) => {
      // Passed separately from the URL, so a malformed path is sent unchanged.
      const send = protocol === 'https:' ? requestHttps : requestHttp;
      const outgoing = send({ ...options, hostname, port, path }, resolve);
      outgoing.on('error', reject);
      outgoing.end(payload);
    });
  }

  close(): void {
    this.#agent.destroy();
  }
}

function warningsOf(response: IncomingMessage): string[] {
  const header = response.headers['warning'] ?? '';
  return [...header.matchAll(/299 - "((?:[^"\\]|\\.)*)"/g)].map(([, text = '']) =>
    text.replaceAll('\\"', '"'),
  );
}
