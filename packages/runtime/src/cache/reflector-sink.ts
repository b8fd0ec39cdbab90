import type { KubernetesObject } from 'ots-kubernetes';

/** Where a reflector puts what it learns of one collection. */
export interface ReflectorSink<T extends KubernetesObject> {
  /** Makes an object that the server sent ready for keeping. It may be called more than once for one version. */
  prepare(object: T): T;
  /** The whole state, after every list, in prepared objects. */
  replaced(objects: T[], resourceVersion: string): Promise<void>;
  /** One event of the watch that follows: a prepared object, in its final state when it was deleted. */
  changed(type: 'ADDED' | 'MODIFIED' | 'DELETED', object: T): void;
  /** Nothing more happened up to this version. */
  reached(resourceVersion: string): void;
  /**
   * The collection does not exist, as when the CRD is not installed or gone.
   * @param milliseconds for how long that has been known
   * @param signal aborts when nobody needs to know any more
   */
  absent(milliseconds: number, signal: AbortSignal): Promise<void>;
}
