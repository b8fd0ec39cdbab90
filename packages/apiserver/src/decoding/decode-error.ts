/** A body, or a field of it, has the wrong type. The message is Go's. */
export class DecodeError extends Error {
  override readonly name = 'DecodeError';
}
