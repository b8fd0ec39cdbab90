/** The body, or a field in it, has the wrong type. The message is Go's. */
export class DecodeError extends Error {
  override readonly name = 'DecodeError';
}
