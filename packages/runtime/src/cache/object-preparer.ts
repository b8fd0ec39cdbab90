import type { Kind, KubernetesObject } from 'ots-kubernetes';
import { errorMessage } from '../errors/error-message.ts';
import type { Logger } from '../logging/logger.ts';
import { copyOf } from '../objects/copy-of.ts';
import { deepFreeze } from '../objects/deep-readonly.ts';
import { type Projector, projectorOf } from '../objects/projector.ts';
import type { Transform } from './informer-options.ts';
import { SharedParts } from './shared-parts.ts';

export interface ObjectPreparerOptions<T extends KubernetesObject> {
  kind: Kind<T>;
  transform: Transform<T> | undefined;
  logger: Logger;
}

/** Freezing costs time in proportion to the objects and finds bugs that tests also find. */
const freeze = process.env['NODE_ENV'] === 'production' ? <T>(value: T): T => value : deepFreeze;

/** Converts objects to the form in which they are cached. */
export class ObjectPreparer<T extends KubernetesObject> {
  readonly #kind: Kind<T>;
  readonly #project: Projector;
  readonly #transform: Transform<T> | undefined;
  readonly #logger: Logger;
  readonly #shared = new SharedParts();
  #hasComplained = false;

  constructor({ kind, transform, logger }: ObjectPreparerOptions<T>) {
    this.#kind = kind;
    this.#project = projectorOf(kind);
    this.#transform = transform;
    this.#logger = logger;
  }

  /** Prepares an object that the server sent and that only the caller has, or that is frozen and whole. */
  prepare(object: T): T {
    if (Object.isFrozen(object))
      return this.#transform ? this.prepare(copyOf(object)) : freeze(this.#project(object));
    // The server omits both from list items, or writes those of its metadata projection. As constants they also share
    // one string among all objects.
    object.apiVersion = this.#kind.apiVersion;
    object.kind = this.#kind.kind;
    const transformed = this.#transformed(this.#project(object));
    if (!Object.isFrozen(transformed.metadata)) this.#shared.share(transformed);
    return freeze(transformed);
  }

  /** Prepares the response to a write without modifying it: the writer has it, and other caches receive it too. */
  prepareWritten(object: KubernetesObject): T {
    return this.prepare(Object.isFrozen(object) ? (object as T) : copyOf(this.#project(object) as T));
  }

  #transformed(object: T): T {
    if (!this.#transform) return object;
    try {
      const transformed = this.#transform(object);
      if (!transformed?.metadata) throw new TypeError('it returned no object');
      return transformed;
    } catch (error) {
      // One message is enough: a large list would repeat it thousands of times.
      this.#logger[this.#hasComplained ? 'debug' : 'error'](
        {
          err: error,
          kind: this.#kind.kind,
          name: object.metadata.name,
          namespace: object.metadata.namespace,
        },
        `transform failed; caching the object untransformed: ${errorMessage(error)}`,
      );
      this.#hasComplained = true;
      return object;
    }
  }
}
