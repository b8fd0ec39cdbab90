import type { Kind, KubernetesObject } from 'ots-kubernetes';
import type { Logger } from '../logging/logger.ts';
import type { ObjectKey } from '../objects/object-key.ts';
import { fieldMatcher } from '../selectors/field-matcher.ts';
import { labelMatcher } from '../selectors/label-matcher.ts';
import type { ObjectOwnership } from './own-objects.ts';
import type { ObjectPreparer } from './object-preparer.ts';
import type { WriteOverlay } from './write-overlay.ts';

export interface OwnWritesOptions<T extends KubernetesObject> {
  kind: Kind<T>;
  overlay: WriteOverlay<T>;
  preparer: ObjectPreparer<T>;
  /** As text; all objects if undefined or empty. */
  labelSelector: string | undefined;
  fieldSelector: string | undefined;
  /** Only its objects; all if undefined. */
  ownership: ObjectOwnership | undefined;
  logger: Logger;
}

/**
 * Shows the writes of this program before the watch delivers them, if the selectors select them. It has no effect if
 * that cannot be decided here: with field selectors that only the server knows, or with versions that are not numbers.
 */
export class OwnWrites<T extends KubernetesObject> {
  readonly #options: OwnWritesOptions<T>;
  readonly #selects: (object: KubernetesObject) => boolean;
  #isPossible: boolean;

  constructor(options: OwnWritesOptions<T>) {
    this.#options = options;
    const labelsMatch = labelMatcher(options.labelSelector ?? '');
    const fieldsMatch = fieldMatcher(options.fieldSelector ?? '');
    this.#selects = (object) =>
      (options.ownership?.owns(object.metadata.uid ?? '') ?? true) &&
      labelsMatch(object.metadata.labels) &&
      (fieldsMatch?.(object) ?? true);
    this.#isPossible = fieldsMatch !== undefined;
  }

  /** Records the response to a write. */
  wrote(object: KubernetesObject): void {
    if (!this.#isPossible) return;
    const { kind, overlay, preparer, logger } = this.#options;
    const show = (): T | undefined => (this.#selects(object) ? preparer.prepareWritten(object) : undefined);
    if (overlay.wrote(object, show)) return;
    this.#isPossible = false;
    overlay.clear();
    logger.info(
      { kind: kind.kind },
      'read-your-writes disabled; the resource versions of this server cannot be compared',
    );
  }

  /** Records the deletion of an object. */
  removed(key: ObjectKey, uid: string | undefined): void {
    if (this.#isPossible) this.#options.overlay.removed(key, uid);
  }
}
