import type { IncomingMessage } from 'node:http';
import { BadReviewError } from './bad-review-error.ts';

/** An object of 1.5 MiB, its old state, and room to spare: what controller-runtime accepts too. */
const longestBody = 7 * 1024 * 1024;

/**
 * The parsed body of a review request.
 * @throws {BadReviewError} when it is not JSON, empty, or larger than 7 MiB.
 */
export async function readReview(request: IncomingMessage): Promise<unknown> {
  if (request.method !== 'POST') throw new BadReviewError(405, 'webhooks answer to POST');
  const type = request.headers['content-type']?.split(';')[0]?.trim().toLowerCase();
  if (type !== 'application/json')
    throw new BadReviewError(400, `expected application/json, got ${type ?? 'no type'}`);
  const chunks: Buffer[] = [];
  let length = 0;
  // The stream must outlive this loop: with it the connection would go, and the answer could not be sent.
  const body: AsyncIterable<Buffer> = request.iterator({ destroyOnReturn: false });
  for await (const chunk of body) {
    length += chunk.length;
    if (length > longestBody) throw new BadReviewError(413, 'the request is larger than 7 MiB');
    chunks.push(chunk);
  }
  if (length === 0) throw new BadReviewError(400, 'the request is empty');
  try {
    return JSON.parse(Buffer.concat(chunks).toString('utf8'));
  } catch {
    throw new BadReviewError(400, 'the request is not valid JSON');
  }
}
