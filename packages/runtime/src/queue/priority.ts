import { UsageError } from '../errors/usage-error.ts';

/** The priority of work that can wait for newer changes: the objects that exist when a watch starts. */
export const lowPriority = -100;

/** @throws {UsageError} if the priority is not a number: such an item would be lost in the queue. */
export function checkPriority(priority: number): void {
  if (Number.isFinite(priority)) return;
  throw new UsageError(`The priority is ${priority}`, 'Use a finite number.');
}
