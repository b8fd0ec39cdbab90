import { RuntimeError } from '../errors/runtime-error.ts';
import type { ObjectKey } from '../objects/object-key.ts';

/** An object that could not be rewritten. */
export interface FailedObject extends Readonly<ObjectKey> {
  /** Why, in the words of the server. */
  readonly message: string;
}

/** Objects of a CRD could not be rewritten in the storage version, so the CRD keeps its old versions. */
export class StorageMigrationError extends RuntimeError {
  /** Stable; to branch on. */
  readonly code = 'STORAGE_MIGRATION';
  /** The objects that failed: at most the first 100. */
  readonly failures: readonly FailedObject[];

  /** @param cause what the first of them failed with. */
  constructor(message: string, hint: string, failures: readonly FailedObject[] = [], cause?: unknown) {
    super(message, hint, cause);
    this.failures = failures;
  }
}
