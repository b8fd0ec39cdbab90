import type { KubernetesObject } from 'ots-kubernetes';
import type { Clock } from 'ots-apimachinery/clock/clock';
import { errorMessage } from '../errors/error-message.ts';
import type { Logger } from '../logging/logger.ts';
import type { DeepReadonly } from '../objects/deep-readonly.ts';
import { EventLoopPauses } from './event-loop-pauses.ts';
import type { Change } from './object-store.ts';
import type { InformerHandler } from './informer-handler.ts';

export interface InformerHandlersOptions {
  /** The name of the kind, for logs. */
  kind: string;
  clock: Clock;
  logger: Logger;
}

/** The handlers of an informer. What one of them throws is logged and does not affect the others. */
export class InformerHandlers<T extends KubernetesObject> {
  readonly #options: InformerHandlersOptions;
  readonly #handlers = new Set<InformerHandler<T>>();

  constructor(options: InformerHandlersOptions) {
    this.#options = options;
  }

  /**
   * Adds a handler and notifies it of the existing objects.
   * @returns a function that removes it.
   */
  add(handler: InformerHandler<T>, objects: Iterable<T>): () => void {
    // A separate object: the same handler can be added twice, and each registration ends separately.
    const own: InformerHandler<T> = {
      added: (object, details) => handler.added(object, details),
      updated: (oldObject, object) => handler.updated(oldObject, object),
      deleted: (object, details) => handler.deleted(object, details),
      uncached: (object) => handler.uncached?.(object),
    };
    this.#handlers.add(own);
    for (const object of objects) this.#notify(own, { type: 'added', object }, true);
    return () => this.#handlers.delete(own);
  }

  /** Those that are registered now. */
  get current(): readonly InformerHandler<T>[] {
    return [...this.#handlers];
  }

  clear(): void {
    this.#handlers.clear();
  }

  /** Notifies the handlers of one event. */
  tell(changes: readonly Change<T>[]): void {
    const handlers = this.current;
    for (const change of changes) this.#tellAll(handlers, change, false);
  }

  /** Notifies these handlers of a list, in slices if it is large. */
  async tellList(
    changes: readonly Change<T>[],
    isInitial: boolean,
    handlers: readonly InformerHandler<T>[] = this.current,
  ): Promise<void> {
    const pauses = new EventLoopPauses(this.#options.clock);
    for (const change of changes) {
      this.#tellAll(handlers, change, isInitial);
      if (pauses.isDue) await pauses.pause();
    }
  }

  /** Handlers that were added in the meantime have already received all of it; removed ones receive no more. */
  #tellAll(handlers: readonly InformerHandler<T>[], change: Change<T>, isInitial: boolean): void {
    for (const handler of handlers) if (this.#handlers.has(handler)) this.#notify(handler, change, isInitial);
  }

  #notify(handler: InformerHandler<T>, change: Change<T>, isInitial: boolean): void {
    try {
      const result: unknown = call(handler, change, isInitial);
      // A function that returns a promise is a handler to TypeScript, too.
      if (result instanceof Promise) result.catch((error: unknown) => this.#failed(error));
    } catch (error) {
      this.#failed(error);
    }
  }

  #failed(error: unknown): void {
    const { kind, logger } = this.#options;
    logger.error({ err: error, kind, reason: errorMessage(error) }, 'event handler threw');
  }
}

function call<T extends KubernetesObject>(
  handler: InformerHandler<T>,
  change: Change<T>,
  isInitial: boolean,
): unknown {
  const object = change.object as DeepReadonly<T>;
  if (change.type === 'added') return handler.added(object, { isInitial });
  if (change.type === 'updated') return handler.updated(change.oldObject as DeepReadonly<T>, object);
  if (change.type === 'uncached') return handler.uncached?.(object);
  return handler.deleted(object, { finalStateUnknown: change.finalStateUnknown });
}
