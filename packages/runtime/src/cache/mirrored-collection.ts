import type { Kind, KubernetesObject } from 'ots-kubernetes';
import type { LocalMirror } from '../kubeconfig/local-mirror.ts';
import { deepFreeze } from '../objects/deep-readonly.ts';
import type { ReflectorSink } from './reflector-options.ts';

interface MirroredChange<T> {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED';
  readonly object: T;
}

/** Fills a sink with a whole collection of an API server in this process, in place of a reflector. */
export class MirroredCollection<T extends KubernetesObject> {
  readonly #kind: Kind<T>;
  readonly #sink: ReflectorSink<T>;
  /** What has changed while the sink takes in all objects. */
  #waiting: MirroredChange<T>[] | undefined;
  /** While it does. */
  #replacing: Promise<void> = Promise.resolve();

  constructor(kind: Kind<T>, sink: ReflectorSink<T>) {
    this.#kind = kind;
    this.#sink = sink;
  }

  /**
   * Runs until the signal aborts, or the server ends it. Never rejects.
   * @returns undefined if the server cannot show this kind.
   */
  run(mirror: LocalMirror, signal: AbortSignal): Promise<void> | undefined {
    let finish!: () => void;
    const over = new Promise<void>((resolve) => {
      finish = resolve;
    });
    const end = mirror(this.#kind, {
      replaced: (objects, resourceVersion) =>
        (this.#replacing = this.#replace(objects as readonly T[], resourceVersion)),
      changed: (type, object) => this.#change({ type, object: object as T }),
      ended: finish,
    });
    if (!end) return undefined;
    if (signal.aborted) finish();
    signal.addEventListener('abort', finish, { once: true });
    return over.then(() => {
      end();
      return this.#replacing;
    });
  }

  async #replace(objects: readonly T[], resourceVersion: string): Promise<void> {
    const waiting: MirroredChange<T>[] = [];
    this.#waiting = waiting;
    const prepared = objects.map((object) => this.#sink.prepare(deepFreeze(object)));
    await this.#sink.replaced(prepared, resourceVersion);
    // Another list has come meanwhile, which these changes are part of.
    if (this.#waiting !== waiting) return;
    this.#waiting = undefined;
    for (const change of waiting) this.#change(change);
  }

  #change(change: MirroredChange<T>): void {
    if (this.#waiting) this.#waiting.push(change);
    else this.#sink.changed(change.type, this.#sink.prepare(deepFreeze(change.object)));
  }
}
