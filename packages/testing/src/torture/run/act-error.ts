/** What a user does was refused: the plan is not about the operator then. */
export class ActError extends Error {
  override readonly name = 'ActError';

  constructor(title: string, cause: unknown) {
    super(`A user could not do what follows: the object ${title}`, { cause });
  }
}
