import { TestEnvironmentError } from '../errors/test-environment-error.ts';

/** @throws {TestEnvironmentError} when an object has a field that is not among those that are known */
export function checkFields(what: string, given: object, known: readonly string[]): void {
  const unknown = Object.keys(given).find((field) => !known.includes(field));
  if (unknown === undefined) return;
  const hint = known.length === 1 ? `Its only field is ${known[0]}.` : `Its fields are ${known.join(', ')}.`;
  throw new TestEnvironmentError(`${JSON.stringify(unknown)} is not a field of ${what}`, hint);
}
