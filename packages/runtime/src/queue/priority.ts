import { UsageError } from '../errors/usage-error.ts';

/** The priority of what can wait for changes that come in meanwhile: the objects that are there when a watch begins. */
export const lowPriority = -100;

/** @throws {UsageError} when the priority is none: what has it would be lost among the others. */
export function checkPriority(priority: number): void {
  if (Number.isFinite(priority)) return;
  throw new UsageError(`the priority is ${priority}`, 'Use a finite number.');
}
