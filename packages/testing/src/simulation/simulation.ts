import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import type { ExchangeRequest, ExchangeResponse } from 'ots-apiserver';
import type { Duration } from 'ots-kubernetes';
import { type ConnectionConfig, type LocalRequest, type LocalResponse, toMilliseconds } from 'ots-runtime';
import { TestEnvironmentError } from '../errors/test-environment-error.ts';
import { Activities } from './activities.ts';
import { type Exchange, Deliveries } from './deliveries.ts';
import { type Delivery, chooseBy } from './delivery.ts';
import { describeRequest } from './describe-request.ts';
import { drained } from './drained.ts';
import { seededRandom } from './seeded-random.ts';
import type { TracedWrite } from './trace.ts';
import { VirtualClock } from './virtual-clock.ts';

/** How long the cluster may take to become quiet at one time of its clock, in real milliseconds. */
const maxQuietMs = 10_000;
const pollMs = 1;

const start = Date.UTC(2026, 0, 1);

/** A server of this process. */
interface Server {
  exchange(request: ExchangeRequest): Promise<ExchangeResponse>;
}

/** The time of a cluster, and the order in which everything in it arrives. The same seed gives the same order. */
export class Simulation {
  readonly clock: VirtualClock;
  /** The chance of everything in the cluster, independent of the order of deliveries. */
  readonly random: () => number;
  /** What was written, in the order in which the server answered. */
  readonly trace: TracedWrite[] = [];
  readonly #deliveries: Deliveries;
  readonly #activities = new Activities();

  /** @param seed an integer */
  constructor(seed: number) {
    this.clock = new TrackedClock(start, this.#activities);
    this.random = seededRandom(seed);
    this.#deliveries = new Deliveries(chooseBy(seededRandom(seed ^ 0x5eed)));
  }

  /** What connects clients to a server through the simulation. */
  connectionTo(server: Server): Pick<ConnectionConfig, 'clock' | 'random' | 'exchange' | 'track'> {
    const { clock, random } = this;
    return {
      clock,
      random,
      exchange: (request) => this.#exchange(server, request),
      track: (what, work) => this.#activities.run(what, work),
    };
  }

  /**
   * Waits until nothing can happen without time.
   *
   * @param limit how long the cluster may take, in real milliseconds; default 10,000
   * @throws {TestEnvironmentError} after the limit; it says what is still busy
   */
  async settle(limit: number = maxQuietMs): Promise<void> {
    const deadline = performance.now() + limit;
    for (;;) {
      const { running } = this.#deliveries;
      if (running) await atMost(deadline - performance.now(), running);
      else await drained();
      const { busy } = this.#activities;
      const isDelivering = this.#deliveries.running !== undefined;
      if (!isDelivering && busy.length === 0) return;
      if (performance.now() >= deadline) throw notQuiet(limit, isDelivering, busy);
      if (!isDelivering) await delay(pollMs);
    }
  }

  /**
   * Moves time and runs what becomes due, in order.
   *
   * @param time a duration, or milliseconds
   * @throws as {@link settle}; {UsageError} for what is not a duration
   */
  async advance(time: Duration | number): Promise<void> {
    const milliseconds = toMilliseconds(time);
    await this.settle();
    const end = this.clock.now() + milliseconds;
    while (this.clock.fireNext(end)) await this.settle();
  }

  #exchange(server: Server, request: LocalRequest): Promise<LocalResponse> {
    const { signal } = request;
    const about = describeRequest(request);
    const exchange: Exchange = [];
    const arrived = this.#activities.wait();
    return new Promise<LocalResponse>((resolve, reject) => {
      const abort = () => {
        this.#deliveries.drop(exchange);
        reject(signal.reason);
      };
      signal.addEventListener('abort', abort, { once: true });
      if (signal.aborted) abort();
      const add = (kind: Delivery['kind'], deliver: () => void, line?: string) => {
        if (!signal.aborted)
          this.#deliveries.add(exchange, { ...about, kind, ...(line !== undefined && { line }) }, deliver);
      };
      const answer = async () => {
        try {
          const response = await server.exchange(request);
          if (about.verb === 'watch' && response.status === 200) {
            add('response', () => resolve({ ...response, body: eventsOf(response.body, add) }));
            return;
          }
          const body = await buffer(response.body);
          this.#record(about, response.status, body, request.path);
          add('response', () => resolve({ ...response, body: Readable.from([body]) }));
        } catch (error) {
          add('response', () => reject(error));
        }
      };
      const what = `${about.verb} ${about.resource} of ${about.user}`;
      add('request', () => void this.#activities.run(what, answer));
    }).finally(arrived);
  }

  #record(about: Omit<Delivery, 'kind'>, status: number, body: Buffer, path: string): void {
    const { user, verb, resource, namespace, name } = about;
    if (['get', 'list', 'watch', 'head'].includes(verb) || status >= 300 || path.includes('dryRun=')) return;
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the server answers writes with objects
    const { metadata = {} } = JSON.parse(body.toString()) as {
      metadata?: { name?: string; resourceVersion?: string };
    };
    this.trace.push({
      user,
      verb,
      resource,
      namespace,
      name: metadata.name ?? name,
      resourceVersion: metadata.resourceVersion ?? '',
      time: this.clock.epoch(),
    });
  }
}

/** A clock that knows which activities wait for it. */
class TrackedClock extends VirtualClock {
  readonly #activities: Activities;
  readonly #waits = new WeakMap<object, () => void>();

  constructor(epoch: number, activities: Activities) {
    super(epoch);
    this.#activities = activities;
  }

  override setTimeout(callback: () => void, milliseconds: number): unknown {
    const over = this.#activities.wait();
    const fire = () => {
      over();
      callback();
    };
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a timer is an object
    const timer = super.setTimeout(fire, milliseconds) as object;
    this.#waits.set(timer, over);
    return timer;
  }

  override clearTimeout(handle: unknown): void {
    super.clearTimeout(handle);
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the handle comes from setTimeout
    this.#waits.get(handle as object)?.();
  }
}

/** The body of a watch, whose lines arrive as one delivery each. */
function eventsOf(
  source: Readable,
  add: (kind: Delivery['kind'], deliver: () => void, line?: string) => void,
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

/** Waits for something, but only for a while. */
async function atMost(milliseconds: number, awaited: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, milliseconds);
  });
  await Promise.race([awaited, late]);
  clearTimeout(timer);
}

function notQuiet(limit: number, isDelivering: boolean, busy: readonly string[]): TestEnvironmentError {
  const doing = isDelivering ? ['requests and events keep arriving', ...busy] : busy;
  return new TestEnvironmentError(
    `The cluster was not quiet after ${limit / 1000} s: ${doing.join('; ')}`,
    'Look for a reconciler that writes in every reconcile, or waits for something outside of the cluster.',
  );
}
