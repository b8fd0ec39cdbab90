import { isInternalError } from '../errors/api-error.ts';
import { errorMessage } from '../errors/error-message.ts';
import type { DeepReadonly } from '../objects/deep-readonly.ts';
import type { MetadataObject } from '../objects/metadata-of.ts';
import { keyOf, keyText } from '../objects/object-key.ts';
import { type FailedObject, StorageMigrationError } from './storage-migration-error.ts';
import type { StorageState } from './storage-state.ts';

const maxNamed = 100;
const maxInMessage = 3;
/** After so many failures of the server in a row, a webhook is down, and so it would be for all other objects. */
const maxServerFailures = 20;

/** The objects of one listing that could not be rewritten. */
export class FailedObjects {
  readonly #state: StorageState;
  readonly #named: FailedObject[] = [];
  #count = 0;
  #serverFailures = 0;
  #cause: unknown;

  constructor(state: StorageState) {
    this.#state = state;
  }

  get count(): number {
    return this.#count;
  }

  /** Another object was rewritten. */
  succeeded(): void {
    this.#serverFailures = 0;
  }

  /** @throws {StorageMigrationError} if it is not worth to go on. */
  add(object: DeepReadonly<MetadataObject>, error: unknown): void {
    this.#count += 1;
    this.#cause ??= error;
    if (this.#named.length < maxNamed) this.#named.push({ ...keyOf(object), message: errorMessage(error) });
    this.#serverFailures = isInternalError(error) ? this.#serverFailures + 1 : 0;
    if (this.#serverFailures >= maxServerFailures) this.throwIfAny();
  }

  /** @throws {StorageMigrationError} if objects failed. */
  throwIfAny(): void {
    if (this.#count === 0) return;
    const { definition, storageVersion, oldVersions } = this.#state;
    const shown = this.#named
      .slice(0, maxInMessage)
      .map(({ message, ...key }) => `${keyText(key)}: ${message}`);
    const more = this.#count - shown.length;
    const objects = this.#count === 1 ? '1 object' : `${this.#count} objects`;
    throw new StorageMigrationError(
      `${objects} of ${definition.metadata.name} could not be rewritten in ${storageVersion}: ` +
        `${shown.join('; ')}${more > 0 ? `; and ${more} more` : ''}`,
      `Correct the objects, or the webhook that refuses them, and migrate again; ${oldVersions.join(', ')} stays in status.storedVersions.`,
      this.#named,
      this.#cause,
    );
  }
}
