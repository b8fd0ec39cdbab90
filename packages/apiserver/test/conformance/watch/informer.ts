import type { Session } from '../../support/session.ts';
import { Watcher } from '../../support/watcher.ts';

/** Follows a list as clients do: lists once, watches, resumes after the last version, and relists if that is too old. */
export class Informer {
  readonly selector: string;
  /** All events of the watches. */
  readonly heard: any[] = [];
  relists = -1;
  readonly #session: Session;
  readonly #path: string;
  readonly #known = new Map<string, string>();
  #version = '';
  #watcher: Watcher | undefined;

  constructor(session: Session, path: string, selector: string) {
    this.#session = session;
    this.#path = path;
    this.selector = selector;
  }

  get isRunning(): boolean {
    return this.#watcher !== undefined;
  }

  async start(parameter = ''): Promise<void> {
    if (this.#version === '') await this.#list();
    const query = `watch=1&${parameter}&${this.selector}&resourceVersion=${this.#version}`;
    this.#watcher = await Watcher.start(this.#session, `${this.#path}?${query}`);
  }

  /** Disconnects, and keeps the events that have arrived. */
  stop(): void {
    this.#watcher?.stop();
    for (const event of this.#watcher?.events.splice(0) ?? []) this.#take(event);
    this.#watcher = undefined;
  }

  /** Receives the remaining events. No more writes may follow. */
  async finish(): Promise<void> {
    this.stop();
    do {
      await this.start('timeoutSeconds=1');
      await this.#watcher?.ended;
      this.stop();
    } while (this.#version === '');
  }

  /** `name version` of the objects that it knows, sorted by name. */
  state(): string[] {
    return [...this.#known].map(([name, version]) => `${name} ${version}`).toSorted();
  }

  async #list(): Promise<void> {
    const { body } = await this.#session.get(`${this.#path}?${this.selector}`);
    this.#known.clear();
    for (const { metadata } of body.items) this.#known.set(metadata.name, metadata.resourceVersion);
    this.#version = body.metadata.resourceVersion;
    this.relists += 1;
  }

  #take(event: any): void {
    const { type, object } = event;
    if (type === 'ERROR') {
      this.#version = '';
      return;
    }
    const { name, resourceVersion } = object.metadata;
    this.#version = resourceVersion;
    this.heard.push(event);
    if (type === 'DELETED') this.#known.delete(name);
    else this.#known.set(name, resourceVersion);
  }
}
