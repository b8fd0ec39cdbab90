import { request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { text as textOf } from 'node:stream/consumers';
import type { ExchangeResponse } from '../http/local-connection.ts';
import type { ExchangeRequest } from '../http/local-exchange.ts';
import type { ServiceMap } from '../webhooks/service-endpoints.ts';

/** How to reach an API server. A `ConnectionConfig` of ots-runtime has the same shape. */
export interface Connection {
  /** Such as `http://127.0.0.1:34567`. */
  server: string;
  token?: string;
  /** PEM. */
  caData?: string;
  /** A client certificate and its key, PEM. */
  certData?: string;
  keyData?: string;
  insecureSkipTlsVerify?: boolean;
  /** The user to act as, whom the user of the token must be allowed to impersonate. */
  impersonate?: { user: string; groups?: string[] };
  /** Where the Services that webhooks name listen, for servers on this machine that know no network of pods. */
  services?: ServiceMap;
  /** Answers requests instead of a network. */
  exchange?: ((request: LocalRequest) => Promise<ExchangeResponse>) | undefined;
}

/** A request that names everything. */
interface LocalRequest extends Required<ExchangeRequest> {
  readonly headers: Readonly<Record<string, string | string[]>>;
  readonly body: string | null;
}

/** A response, its body parsed if it is JSON. */
export interface Answer {
  code: number;
  body: unknown;
}

/**
 * Sends one request on its own connection.
 *
 * @param contentType of the body, which is sent as JSON. Default `application/json`.
 * @throws the error of the network
 */
export function send(
  connection: Connection,
  method: string,
  path: string,
  body?: unknown,
  contentType = 'application/json',
): Promise<Answer> {
  const url = new URL(path, connection.server);
  const text = body === undefined ? undefined : JSON.stringify(body);
  const headers = {
    accept: 'application/json',
    ...(text !== undefined && {
      'content-type': contentType,
      'content-length': `${Buffer.byteLength(text)}`,
    }),
    ...(connection.token !== undefined && { authorization: `Bearer ${connection.token}` }),
    ...(connection.impersonate && {
      'impersonate-user': connection.impersonate.user,
      'impersonate-group': connection.impersonate.groups ?? [],
    }),
  };
  if (connection.exchange) {
    const { signal } = new AbortController();
    return answerOf(connection.exchange({ method, path, headers, body: text ?? null, signal }));
  }
  const options = {
    method,
    agent: false as const,
    headers,
    ...(connection.caData !== undefined && { ca: connection.caData }),
    ...(connection.certData !== undefined && { cert: connection.certData, key: connection.keyData }),
    ...(connection.insecureSkipTlsVerify && { rejectUnauthorized: false }),
  };
  return new Promise((resolve, reject) => {
    const outgoing = (url.protocol === 'https:' ? requestHttps : requestHttp)(url, options, (response) => {
      let received = '';
      response.setEncoding('utf8');
      response.on('data', (chunk: string) => (received += chunk));
      response.on('error', reject);
      response.on('end', () => resolve({ code: response.statusCode ?? 0, body: parse(received) }));
    });
    outgoing.on('error', reject);
    outgoing.end(text);
  });
}

async function answerOf(answering: Promise<ExchangeResponse>): Promise<Answer> {
  const { status, body } = await answering;
  return { code: status, body: parse(await textOf(body)) };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
