/** A mutation cannot be evaluated or applied: the failure policy of its policy decides. */
export class MutationError extends Error {
  override readonly name = 'MutationError';
}
