import { Readable } from 'node:stream';
import type { ExchangeRequest, ExchangeResponse, LocalService } from 'ots-apiserver';
import type { Activities } from './activities.ts';
import type { Deliveries, Exchange, Pending } from './deliveries.ts';
import type { Delivery } from './delivery.ts';
import { whatOf } from './describe-request.ts';

/** A server of this process. */
export type Server = Pick<LocalService, 'exchange'>;

/** What requests and responses travel through. */
export interface Channel {
  readonly deliveries: Deliveries;
  readonly activities: Activities;
}

/** A request to send. */
interface Sending {
  /** Who asks for what. */
  readonly about: Omit<Delivery, 'kind'>;
  readonly request: ExchangeRequest;
  /** Receives each complete response of the server, also one that the client does not receive. */
  readonly record: (status: number, body: Buffer) => void;
}

/**
 * Sends a request, whose way there and back are deliveries.
 *
 * @returns the response when it has arrived
 * @throws the reason of the request's signal; the error of the server; an error with the code `ECONNRESET` when a delivery is dropped
 */
export function exchangeThrough(
  channel: Channel,
  server: Server,
  sending: Sending,
): Promise<ExchangeResponse> {
  const arrived = channel.activities.wait();
  return new Promise<ExchangeResponse>((resolve, reject) => {
    const succeed = (response: ExchangeResponse) => {
      arrived();
      resolve(response);
    };
    const fail = (error: unknown) => {
      arrived();
      reject(error);
    };
    new SimulatedExchange(channel, sending, succeed, fail).start(server);
  });
}

/** What a client sees when the network loses its request. */
export function brokenConnection(): Error {
  return Object.assign(new Error('the connection broke'), { code: 'ECONNRESET' });
}

class SimulatedExchange implements Exchange {
  readonly pending: Pending[] = [];
  readonly #channel: Channel;
  readonly #sending: Sending;
  readonly #resolve: (response: ExchangeResponse) => void;
  readonly #reject: (error: unknown) => void;
  /** The open watch. */
  #stream: Readable | undefined;
  #isAnswered = false;
  #isBroken = false;

  constructor(
    channel: Channel,
    sending: Sending,
    resolve: (response: ExchangeResponse) => void,
    reject: (error: unknown) => void,
  ) {
    this.#channel = channel;
    this.#sending = sending;
    this.#resolve = resolve;
    this.#reject = reject;
  }

  start(server: Server): void {
    const { about, request } = this.#sending;
    const { signal } = request;
    signal?.addEventListener('abort', this.#abort, { once: true });
    if (signal?.aborted) this.#abort();
    this.#add('request', () => void this.#channel.activities.run(whatOf(about), () => this.#ask(server)));
  }

  readonly #abort = (): void => {
    const reason: unknown = this.#sending.request.signal?.reason;
    this.#channel.deliveries.drop(this);
    this.#reject(reason);
    // A server that has ended its stream does not notice, and the end was dropped.
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what streams are destroyed with
    this.#stream?.destroy(reason as Error);
  };

  break(): void {
    this.#isBroken = true;
    const error = brokenConnection();
    this.#reject(error);
    this.#stream?.destroy(error);
  }

  /** A copy of the request asks the server, too, but the client has its response. */
  async #ask(server: Server): Promise<void> {
    const { about, request, record } = this.#sending;
    try {
      const response = await server.exchange(request);
      if (about.verb === 'watch' && response.status === 200) {
        this.#open(response);
        return;
      }
      const content = response.content ?? (await contentOf(response.body));
      record(response.status, content);
      const received = response.content ? response : { ...response, body: bodyOf(content) };
      this.#answer(() => {
        // One signal may end any number of requests, and none stays on it.
        request.signal?.removeEventListener('abort', this.#abort);
        this.#resolve(received);
      });
    } catch (error) {
      this.#answer(() => this.#reject(error));
    }
  }

  #open(response: ExchangeResponse): void {
    if (this.#isAnswered || this.#isBroken) {
      response.body.destroy();
      return;
    }
    this.#stream = response.body;
    this.#answer(() => {
      this.#stream = eventsOf(response.body, (...delivery) => this.#add(...delivery));
      this.#resolve({ ...response, body: this.#stream });
    });
  }

  #answer(deliver: () => void): void {
    if (!this.#isAnswered) this.#add('response', deliver);
    this.#isAnswered = true;
  }

  #add(kind: Delivery['kind'], deliver: () => void, line?: string): void {
    const { about, request } = this.#sending;
    if (request.signal?.aborted || this.#isBroken) return;
    const delivery = { ...about, kind, ...(line !== undefined && { line }) };
    this.#channel.deliveries.add(this, delivery, deliver);
  }
}

/** Reads a body. The consumers of Node.js make a Blob of it first, which takes longer than the rest of a small request. */
function contentOf(body: Readable): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    body
      .on('data', (chunk: Buffer) => chunks.push(chunk))
      .once('end', () => resolve(Buffer.concat(chunks)))
      .once('error', reject);
    // The server may have broken the connection already.
    if (body.errored) reject(body.errored);
  });
}

function bodyOf(content: Buffer): Readable {
  const body = new Readable({ read: () => {} });
  if (content.length > 0) body.push(content);
  body.push(null);
  return body;
}

/** The body of a watch, whose lines arrive as one delivery each. */
function eventsOf(
  source: Readable,
  add: (kind: 'event' | 'end', deliver: () => void, line?: string) => void,
): Readable {
  const events = new Readable({
    read: () => {},
    destroy: (error, done) => {
      source.destroy();
      done(error);
    },
  });
  let rest = '';
  source.setEncoding('utf8');
  source.on('data', (text: string) => {
    const lines = (rest + text).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) add('event', () => events.push(`${line}\n`), line);
  });
  source.once('end', () => add('end', () => events.push(null)));
  // Not delivered: the client caused it, the server has stopped, or a fault has broken the connection, perhaps already.
  source.once('error', (error) => events.destroy(error));
  if (source.errored) events.destroy(source.errored);
  return events;
}
