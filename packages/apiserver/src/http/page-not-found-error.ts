/** A path that no handler stands behind. It is answered with plain text, as by a real server. */
export class PageNotFoundError extends Error {
  override readonly name = 'PageNotFoundError';
}
