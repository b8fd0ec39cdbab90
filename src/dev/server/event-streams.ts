import type { ServerResponse } from 'node:http';
import type { DevChange } from '../model/dev-change.ts';
import type { DevState } from '../model/dev-state.ts';

/** Proxies and browsers give up on a connection that stays silent. */
const heartbeatMs = 15_000;
/** What a reader may leave unread beside the state that it received first. */
const maxUnreadBytes = 4 * 1024 * 1024;

/** The readers of `api/events`, as server-sent events (https://html.spec.whatwg.org/multipage/server-sent-events.html). */
export class EventStreams {
  /** Of each reader, how much may be unread. */
  readonly #readers = new Map<ServerResponse, number>();
  readonly #heartbeat = setInterval(() => this.#sendToAll(': heartbeat\n\n'), heartbeatMs).unref();
  #lastId = 0;

  /** Sends everything to a new reader, and each later change. */
  add(response: ServerResponse, state: DevState): void {
    response.writeHead(200, { 'Content-Type': 'text/event-stream', Connection: 'close' });
    const first = `retry: 1000\n\n${textOf('state', state, this.#lastId)}`;
    this.#readers.set(response, Buffer.byteLength(first) + maxUnreadBytes);
    response.on('close', () => this.#readers.delete(response));
    // A reader that disconnected is noticed by the close of its response.
    response.on('error', () => {});
    response.write(first);
  }

  send(change: DevChange): void {
    this.#lastId += 1;
    if (this.#readers.size > 0) this.#sendToAll(textOf(change.type, change, this.#lastId));
  }

  /** Tells readers that nothing follows, so they do not reconnect. */
  end(): void {
    clearInterval(this.#heartbeat);
    for (const response of this.#readers.keys()) response.end('event: end\ndata: {}\n\n');
    this.#readers.clear();
  }

  #sendToAll(text: string): void {
    for (const [response, maxUnread] of this.#readers) {
      // A reader that is too slow reconnects, and receives the state of then.
      if (response.writableLength > maxUnread) response.destroy();
      else response.write(text);
    }
  }
}

function textOf(event: string, data: unknown, id: number): string {
  return `id: ${id}\nevent: ${event}\ndata: ${JSON.stringify(data)}\n\n`;
}
