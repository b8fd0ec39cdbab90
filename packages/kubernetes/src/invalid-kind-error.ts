/** A kind was defined with a name that every API server refuses. */
export class InvalidKindError extends Error {
  override readonly name = 'InvalidKindError';
  readonly code = 'INVALID_KIND';
  /** What to write instead. */
  readonly hint: string;

  /**
   * @param field the invalid part of the definition
   * @param value its value
   * @param hint what to write instead
   */
  constructor(field: string, value: unknown, hint: string) {
    super(`A kind cannot have the ${field} ${JSON.stringify(value) ?? String(value)}. ${hint}`);
    this.hint = hint;
  }
}
