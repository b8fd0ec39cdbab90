import type { Kind, KubernetesObject } from 'ots-kubernetes';
import type { InformerPart } from './informer-part.ts';
import { NamespaceNotCachedError } from './cache-errors.ts';

/** The parts of an informer: one for each of its namespaces, or a single one for all. */
export class InformerParts<T extends KubernetesObject> {
  readonly #kind: Kind<T>;
  readonly #parts: ReadonlyMap<string | undefined, InformerPart<T>>;

  /** @param namespaces all of them in one part when undefined. */
  constructor(
    kind: Kind<T>,
    namespaces: readonly string[] | undefined,
    make: (namespace: string | undefined) => InformerPart<T>,
  ) {
    this.#kind = kind;
    this.#parts = new Map((namespaces ?? [undefined]).map((namespace) => [namespace, make(namespace)]));
  }

  get #all(): InformerPart<T>[] {
    return [...this.#parts.values()];
  }

  /** Whether it can serve reads of every namespace. */
  get isSynced(): boolean {
    return this.#all.every((part) => part.isSynced);
  }

  /** False when the kind does not exist on the server. */
  get exists(): boolean {
    return this.#all.every((part) => part.exists);
  }

  /** One text for each namespace that has a problem. */
  get problems(): string[] {
    return this.#all.map((part) => part.problem).filter((problem) => problem !== undefined);
  }

  /**
   * The part with the objects of the namespace (undefined for cluster-scoped ones), or undefined if no part has them.
   */
  of(namespace: string | undefined): InformerPart<T> | undefined {
    return this.#parts.get(undefined) ?? this.#parts.get(namespace);
  }

  /** @throws {NamespaceNotCachedError} if no part has the namespace. */
  check(namespace: string): void {
    if (this.of(namespace)) return;
    throw new NamespaceNotCachedError(this.#kind, namespace, [...this.#parts.keys()].map(String));
  }

  /** As `InformerPart.isBehind`, for any of them. */
  async isBehind(signal: AbortSignal): Promise<boolean> {
    const behind = await Promise.all(this.#all.map((part) => part.isBehind(signal)));
    return behind.includes(true);
  }

  /** Runs until the signal aborts. Never rejects. */
  async run(signal: AbortSignal): Promise<void> {
    await Promise.all(this.#all.map((part) => part.run(signal)));
  }
}
