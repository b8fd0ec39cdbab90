import type { IncomingMessage } from 'node:http';
import type { Session } from './session.ts';

/** A running watch and its events so far. */
export class Watcher {
  readonly events: any[] = [];
  /** Resolves when the server has ended the watch, or the connection is cut. */
  readonly ended: Promise<void>;
  readonly #response: IncomingMessage;
  #wake = () => {};

  private constructor(response: IncomingMessage) {
    this.#response = response;
    let rest = '';
    response.setEncoding('utf8');
    response.on('data', (text: string) => {
      const lines = (rest + text).split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) this.events.push(JSON.parse(line));
      this.#wake();
    });
    this.ended = new Promise((resolve) => response.once('close', resolve).once('error', () => resolve()));
  }

  /** @param accept default JSON */
  static async start(session: Session, path: string, accept = 'application/json'): Promise<Watcher> {
    return new Watcher(await session.open('GET', path, { accept }));
  }

  /** Waits for a number of events. If they do not arrive, the test times out. */
  async until(count: number): Promise<any[]> {
    while (this.events.length < count) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
    return this.events;
  }

  /** Waits for an event about the object with this name. */
  async untilNamed(name: string): Promise<any[]> {
    while (!this.events.some(({ object }) => object.metadata.name === name))
      await this.until(this.events.length + 1);
    return this.events;
  }

  /** The events as `TYPE name`. */
  summary(): string[] {
    return this.events.map(
      ({ type, object }) => `${type} ${object.metadata.name ?? object.metadata.resourceVersion}`,
    );
  }

  stop(): void {
    this.#response.destroy();
  }
}
