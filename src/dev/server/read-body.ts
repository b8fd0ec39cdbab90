import type { IncomingMessage } from 'node:http';
import { HttpError } from './http-reply.ts';

const maxBodyBytes = 64 * 1024;

/**
 * The body of a request as text.
 *
 * @throws {HttpError} 415 if it is not JSON, which other pages cannot send unasked; 413 if it is longer than 64 KiB
 */
export async function readJsonBody(request: IncomingMessage): Promise<string> {
  const [type = ''] = (request.headers['content-type'] ?? '').split(';');
  if (type.trim().toLowerCase() !== 'application/json') {
    throw new HttpError(415, 'Content-Type is not application/json');
  }
  const chunks: Buffer[] = [];
  let length = 0;
  // A request that is destroyed takes the response with it.
  for await (const chunk of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length > maxBodyBytes) throw new HttpError(413, `The body is longer than ${maxBodyBytes} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}
