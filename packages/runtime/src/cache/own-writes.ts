import type { Kind, KubernetesObject } from 'ots-kubernetes';
import type { Logger } from '../logging/logger.ts';
import type { ObjectKey } from '../objects/object-key.ts';
import { fieldMatcher } from '../selectors/field-matcher.ts';
import { labelMatcher } from '../selectors/label-matcher.ts';
import type { ObjectPreparer } from './object-preparer.ts';
import type { WriteOverlay } from './write-overlay.ts';

export interface OwnWritesOptions<T extends KubernetesObject> {
  kind: Kind<T>;
  overlay: WriteOverlay<T>;
  preparer: ObjectPreparer<T>;
  /** As texts; all objects when undefined or empty. */
  labelSelector: string | undefined;
  fieldSelector: string | undefined;
  logger: Logger;
}

/**
 * Shows the writes of this program before the watch brings them, as far as they are among what is selected. Without
 * effect where that cannot be told here: of fields that only the server knows, and of versions that are no numbers.
 */
export class OwnWrites<T extends KubernetesObject> {
  readonly #options: OwnWritesOptions<T>;
  readonly #selects: (object: KubernetesObject) => boolean;
  #isPossible: boolean;

  constructor(options: OwnWritesOptions<T>) {
    this.#options = options;
    const labelsMatch = labelMatcher(options.labelSelector ?? '');
    const fieldsMatch = fieldMatcher(options.fieldSelector ?? '');
    this.#selects = (object) => labelsMatch(object.metadata.labels) && (fieldsMatch?.(object) ?? true);
    this.#isPossible = fieldsMatch !== undefined;
  }

  /** Takes the answer to a write. */
  wrote(object: KubernetesObject): void {
    if (!this.#isPossible) return;
    const { kind, overlay, preparer, logger } = this.#options;
    const show = (): T | undefined => (this.#selects(object) ? preparer.prepareWritten(object) : undefined);
    if (overlay.wrote(object, show)) return;
    this.#isPossible = false;
    overlay.clear();
    logger.info(
      { kind: kind.kind },
      'own writes are seen when the watch brings them: the resource versions of the server cannot be compared',
    );
  }

  /** Takes the removal of an object. */
  removed(key: ObjectKey, uid: string | undefined): void {
    if (this.#isPossible) this.#options.overlay.removed(key, uid);
  }
}
