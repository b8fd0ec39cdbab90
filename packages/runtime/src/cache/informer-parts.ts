import { setMaxListeners } from 'node:events';
import type { Kind, KubernetesObject } from 'ots-kubernetes';
import { untilAborted } from '../signals/until-aborted.ts';
import { CacheSyncError, NamespaceNotCachedError } from './cache-errors.ts';
import type { InformerPart } from './informer-part.ts';
import type { NamespaceFeed } from './namespace-feed.ts';

export interface InformerPartsOptions<T extends KubernetesObject> {
  kind: Kind<T>;
  namespaces: NamespaceFeed;
  /** Creates the part of a namespace; of all if undefined. */
  make: (namespace: string | undefined) => InformerPart<T>;
  /**
   * Removes the objects of a namespace that has left.
   * @returns what notifies the handlers of that
   */
  forget: (namespace: string) => () => Promise<void>;
  /** Other namespaces than before are cached, or are known to be. */
  changed: () => void;
}

/** A part that runs. */
interface Member<T extends KubernetesObject> {
  part: InformerPart<T>;
  stop: AbortController;
  running: Promise<void>;
}

/** The parts of an informer: one for each of its namespaces, which may come and go, or a single one for all. */
export class InformerParts<T extends KubernetesObject> {
  readonly #options: InformerPartsOptions<T>;
  readonly #members = new Map<string | undefined, Member<T>>();
  /** The namespaces that have left while their handlers do not know yet: one that comes back waits for that. */
  readonly #leaving = new Map<string, Promise<void>>();
  /** Whether all parts were settled once: namespaces that are added later do not delay other reads. */
  #wasSettled = false;

  constructor(options: InformerPartsOptions<T>) {
    this.#options = options;
  }

  get #all(): InformerPart<T>[] {
    return [...this.#members.values()].map(({ part }) => part);
  }

  get #areKnown(): boolean {
    return this.#options.namespaces.names !== undefined;
  }

  /** Whether it can serve reads: it was once complete, except for namespaces that the server forbids to read. */
  get isSynced(): boolean {
    if (this.#wasSettled) return true;
    return this.#areKnown && this.#all.every(({ isSynced, isRefused }) => isSynced || isRefused);
  }

  /** Whether the handlers have seen what it has when it is synced. */
  get isSettled(): boolean {
    this.#wasSettled ||= this.#areKnown && this.#all.every((part) => part.isSettled);
    return this.#wasSettled;
  }

  /** Whether it has the objects of every namespace now. */
  get isComplete(): boolean {
    return this.#areKnown && this.#all.every((part) => part.isSynced);
  }

  /** False when the kind does not exist on the server. */
  get exists(): boolean {
    return this.#all.every((part) => part.exists);
  }

  /** Whether there is anything to watch. */
  get isEmpty(): boolean {
    return this.#members.size === 0;
  }

  /** One text for each namespace that has a problem. */
  get problems(): string[] {
    return textsOf(this.#all);
  }

  /**
   * The same without namespaces that were selected at run time and are being read for the first time, or that the server
   * forbids to read: a single namespace must not stop the operator for all others.
   */
  get commonProblems(): string[] {
    const isLoading = (part: InformerPart<T>): boolean => this.#wasSettled && part.isComing && !part.failure;
    return textsOf(this.#all.filter((part) => !part.isRefused && !isLoading(part)));
  }

  /**
   * The part with the objects of the namespace (undefined for cluster-scoped ones), or undefined if no part has them.
   */
  of(namespace: string | undefined): InformerPart<T> | undefined {
    return (this.#members.get(undefined) ?? this.#members.get(namespace))?.part;
  }

  /** Whether the namespaces change at run time, and this one is not among them. */
  hasLeft(namespace: string): boolean {
    const { names, isDynamic } = this.#options.namespaces;
    return isDynamic && names !== undefined && !names.has(namespace);
  }

  /**
   * Checks whether the namespace can be read.
   * @throws {NamespaceNotCachedError} if no part has the namespace. {CacheSyncError} if the namespace was selected at run
   *   time and its objects are not there yet.
   */
  check(namespace: string): void {
    const { kind, namespaces } = this.#options;
    const part = this.of(namespace);
    if (!part) {
      const names = [...this.#members.keys()].map(String);
      throw new NamespaceNotCachedError(kind, namespace, { names, isDynamic: namespaces.isDynamic });
    }
    if (!part.isComing) return;
    throw new CacheSyncError(
      part.problem ?? `${kind.kind} in ${namespace} is not cached yet`,
      'The namespace was selected at run time. A reconcile runs again when its objects are there; manager.apiReader works at any time.',
    );
  }

  /** As `InformerPart.isBehind`, for any of them; also true while namespaces leave. */
  async isBehind(signal: AbortSignal): Promise<boolean> {
    if (!this.#areKnown || this.#leaving.size > 0) return true;
    const behind = await Promise.all(this.#all.map((part) => part.isBehind(signal)));
    return behind.includes(true) || this.#leaving.size > 0;
  }

  /** Runs until the signal aborts. Never rejects. */
  async run(signal: AbortSignal): Promise<void> {
    const follow = (): void => {
      if (!signal.aborted) this.#follow();
    };
    const following = this.#options.namespaces.follow(follow);
    const stop = (): void => {
      following[Symbol.dispose]();
      for (const member of this.#members.values()) member.stop.abort(signal.reason);
    };
    signal.addEventListener('abort', stop, { once: true });
    if (signal.aborted) stop();
    follow();
    await untilAborted(signal);
    await Promise.all([...this.#members.values()].map(({ running }) => running));
    await Promise.all(this.#leaving.values());
  }

  /** Starts the parts of namespaces that are new, and stops those of namespaces that have left. */
  #follow(): void {
    const { names } = this.#options.namespaces;
    if (!names) return;
    for (const [namespace, member] of this.#members) {
      if (namespace !== undefined && !names.has(namespace)) this.#leave(namespace, member);
    }
    for (const namespace of names) if (!this.#members.has(namespace)) this.#enter(namespace);
    this.#options.changed();
  }

  #enter(namespace: string | undefined): void {
    const part = this.#options.make(namespace);
    const stop = new AbortController();
    setMaxListeners(0, stop.signal);
    const leaving = namespace === undefined ? undefined : this.#leaving.get(namespace);
    const running = leaving
      ? leaving.then(() => (stop.signal.aborted ? undefined : part.run(stop.signal)))
      : part.run(stop.signal);
    this.#members.set(namespace, { part, stop, running });
  }

  #leave(namespace: string, { stop, running }: Member<T>): void {
    this.#members.delete(namespace);
    stop.abort();
    const tell = this.#options.forget(namespace);
    // Handlers may still be receiving the objects of the part: they must not learn that an object left before it came.
    const leaving = running.then(tell).then(() => {
      if (this.#leaving.get(namespace) === leaving) this.#leaving.delete(namespace);
      this.#options.changed();
    });
    this.#leaving.set(namespace, leaving);
  }
}

function textsOf(parts: readonly { problem: string | undefined }[]): string[] {
  return parts.map((part) => part.problem).filter((problem) => problem !== undefined);
}
