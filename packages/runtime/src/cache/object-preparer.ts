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

/** Freezing costs time in proportion to the objects, and finds mistakes that tests find as well. */
const freeze = process.env['NODE_ENV'] === 'production' ? <T>(value: T): T => value : deepFreeze;

/** Brings objects into the form in which they are cached. */
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

  /** Takes an object as the server sent it, which nobody else holds. */
  prepare(object: T): T {
    // The server leaves both out of the items of lists, and names its projection to metadata in their place.
    // As constants they also are one text for all objects.
    object.apiVersion = this.#kind.apiVersion;
    object.kind = this.#kind.kind;
    const transformed = this.#transformed(this.#project(object));
    if (!Object.isFrozen(transformed.metadata)) this.#shared.share(transformed);
    return freeze(transformed);
  }

  /** Takes an object as the answer to a write, and leaves it as it is: the writer has it, and other caches take it. */
  prepareWritten(object: KubernetesObject): T {
    return this.prepare(copyOf(this.#project(object) as T));
  }

  #transformed(object: T): T {
    if (!this.#transform) return object;
    try {
      const transformed = this.#transform(object);
      if (!transformed?.metadata) throw new TypeError('it returned no object');
      return transformed;
    } catch (error) {
      // The first says it all: the rest of a large list would say it thousands of times.
      this.#logger[this.#hasComplained ? 'debug' : 'error'](
        {
          err: error,
          kind: this.#kind.kind,
          name: object.metadata.name,
          namespace: object.metadata.namespace,
        },
        `a transform failed, the object is cached untransformed: ${errorMessage(error)}`,
      );
      this.#hasComplained = true;
      return object;
    }
  }
}
