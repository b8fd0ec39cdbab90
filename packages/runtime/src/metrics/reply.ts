import type { ServerResponse } from 'node:http';

/** Answers with a line of text, unless an answer has begun already. */
export function reply(response: ServerResponse, code: number, text: string): void {
  if (response.headersSent) {
    response.destroy();
    return;
  }
  const headers = {
    'content-type': 'text/plain; charset=utf-8',
    'x-content-type-options': 'nosniff',
    ...(code === 401 && { 'www-authenticate': 'Bearer' }),
    ...(code === 429 && { 'retry-after': '1' }),
    ...(code === 405 && { allow: 'GET, HEAD' }),
  };
  response.writeHead(code, headers).end(`${text}\n`);
}
