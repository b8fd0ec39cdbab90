import type { IncomingMessage } from 'node:http';
import { errorMessage } from '../errors/error-message.ts';
import { RuntimeError } from '../errors/runtime-error.ts';

/** A request to the webhook server that no API server would send. */
export class BadReviewError extends RuntimeError {
  readonly code = 'BAD_REVIEW';
  /** The HTTP status of the response. */
  readonly status: 400 | 405 | 413 | 415;

  constructor(status: 400 | 405 | 413 | 415, message: string) {
    super(message, 'Only an API server is meant to call webhooks.');
    this.status = status;
  }
}

/** An object of 1.5 MiB, its old state, and room to spare: what controller-runtime accepts too. */
const maxBodyBytes = 7 * 1024 * 1024;

/**
 * The parsed body of a review request.
 * @param signal ends the wait for a body that does not arrive.
 * @throws {BadReviewError} if it is not JSON in UTF-8, empty, incomplete, late, or larger than 7 MiB.
 */
export async function readReview(request: IncomingMessage, signal: AbortSignal): Promise<unknown> {
  if (request.method !== 'POST') throw new BadReviewError(405, 'webhooks accept only POST');
  const { 'content-type': contentType, 'content-encoding': encoding } = request.headers;
  const type = contentType?.split(';')[0]?.trim().toLowerCase();
  if (type !== 'application/json')
    throw new BadReviewError(400, `expected application/json, got ${type ?? 'no type'}`);
  if (encoding !== undefined && encoding !== 'identity')
    throw new BadReviewError(415, 'expected an uncompressed body');
  const giveUp = (): void => void request.destroy(new Error('it took too long'));
  signal.addEventListener('abort', giveUp, { once: true });
  try {
    return parse(await readBody(request));
  } finally {
    signal.removeEventListener('abort', giveUp);
  }
}

async function readBody(request: IncomingMessage): Promise<Buffer> {
  if (Number(request.headers['content-length']) > maxBodyBytes) throw tooLarge();
  const chunks: Buffer[] = [];
  let length = 0;
  // The stream must outlive this loop: otherwise the connection would close before the response is sent.
  const body: AsyncIterable<Buffer> = request.iterator({ destroyOnReturn: false });
  try {
    for await (const chunk of body) {
      length += chunk.length;
      if (length > maxBodyBytes) throw tooLarge();
      chunks.push(chunk);
    }
  } catch (error) {
    if (error instanceof BadReviewError) throw error;
    throw new BadReviewError(400, `the request was cut off: ${errorMessage(error)}`);
  }
  if (length === 0) throw new BadReviewError(400, 'the request is empty');
  return Buffer.concat(chunks);
}

function tooLarge(): BadReviewError {
  return new BadReviewError(413, 'the request is larger than 7 MiB');
}

function parse(body: Buffer): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body));
  } catch {
    throw new BadReviewError(400, 'the request is not valid JSON in UTF-8');
  }
}
