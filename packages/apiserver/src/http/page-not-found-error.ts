/** No handler serves the path. Answered with plain text, as by a real server. */
export class PageNotFoundError extends Error {
  override readonly name = 'PageNotFoundError';
}
