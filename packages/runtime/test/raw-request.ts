import { type IncomingHttpHeaders, request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { text } from 'node:stream/consumers';
import type { ConnectionConfig } from '../src/kubeconfig/connection-config.ts';

export interface RawAnswer {
  code: number;
  headers: IncomingHttpHeaders;
  body: any;
}

/** One request to an API server as kubectl sends it, with all that comes back: warnings are in the headers. */
export function rawRequest(
  { server, token, caData, certData, keyData }: ConnectionConfig,
  method: string,
  path: string,
  body?: unknown,
): Promise<RawAnswer> {
  return new Promise((resolve, reject) => {
    const send = server.startsWith('https:') ? httpsRequest : httpRequest;
    const request = send(
      new URL(path, server),
      {
        method,
        agent: false,
        ca: caData,
        cert: certData,
        key: keyData,
        headers: { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) },
      },
      (response) => {
        text(response).then(
          (answer) =>
            resolve({
              code: response.statusCode ?? 0,
              headers: utf8(response.headers),
              body: bodyOf(answer, response.headers['content-type']),
            }),
          reject,
        );
      },
    );
    request.on('error', reject);
    request.end(body === undefined ? undefined : JSON.stringify(body));
  });
}

/** An API server that does not know a path yet answers with a line of text. */
function bodyOf(answer: string, contentType = ''): unknown {
  if (!contentType.startsWith('application/json')) return answer === '' ? undefined : answer;
  return JSON.parse(answer);
}

/** The API server sends warnings in UTF-8; Node takes headers for Latin-1. */
function utf8(headers: IncomingHttpHeaders): IncomingHttpHeaders {
  const { warning } = headers;
  if (warning === undefined) return headers;
  return { ...headers, warning: Buffer.from(warning, 'latin1').toString('utf8') };
}
