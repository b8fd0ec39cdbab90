import { get as getHttp } from 'node:http';
import { type RequestOptions, get as getHttps } from 'node:https';

/** Asks a server once, on a connection of its own. */
export function get(url: string, options: RequestOptions = {}): Promise<{ code: number; body: string }> {
  const send = url.startsWith('https:') ? getHttps : getHttp;
  return new Promise((resolve, reject) => {
    const request = send(url, { ...options, agent: false }, (response) => {
      let body = '';
      response.setEncoding('utf8').on('data', (chunk: string) => (body += chunk));
      response.on('end', () => resolve({ code: response.statusCode ?? 0, body }));
    });
    request.on('error', reject);
  });
}
