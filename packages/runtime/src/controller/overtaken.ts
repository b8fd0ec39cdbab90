import type { AwaitNews } from '../context/work-context.ts';

/**
 * The requests whose last reconcile decided on old objects: the server refused a write because an object had changed or was gone. Each can
 * run again when readers see the newer objects.
 */
export class Overtaken {
  readonly #awaited = new Map<string, Disposable[]>();

  /**
   * Calls back when all news of a request is there.
   *
   * @param key of the request
   * @returns false if there is none to wait for
   */
  await(key: string, news: readonly AwaitNews[], callback: () => void): boolean {
    this.forget(key);
    let left = 0;
    const arrived = (): void => {
      left -= 1;
      if (left > 0) return;
      this.#awaited.delete(key);
      callback();
    };
    const awaited = news.map((awaitNews) => awaitNews(arrived)).filter((each) => each !== undefined);
    left = awaited.length;
    if (left > 0) this.#awaited.set(key, awaited);
    return left > 0;
  }

  /** The request runs again, whatever the news. */
  forget(key: string): void {
    for (const each of this.#awaited.get(key) ?? []) each[Symbol.dispose]();
    this.#awaited.delete(key);
  }

  clear(): void {
    for (const key of this.#awaited.keys()) this.forget(key);
  }
}
