import type { RequestListener } from 'node:http';
import timers from 'node:timers/promises';
import type { ApiServer, LocalService, OwnWrite } from 'ots-apiserver';
import type { Duration } from 'ots-kubernetes';
import { type ConnectionConfig, toMilliseconds } from 'ots-runtime';
import type { Arrival } from '../workloads/mirror-of.ts';
import { exchangeWith } from '../services/local-exchange.ts';
import type { Carry } from '../workloads/network/cluster-network.ts';
import { Activities } from './activities.ts';
import { Deliveries } from './deliveries.ts';
import { type Choose, type Delivery, chooseBy } from './delivery.ts';
import { describeRequest, isReading } from './describe-request.ts';
import { drained } from './drained.ts';
import { QuietWatch } from './quiet-watch.ts';
import { type Channel, type Server, exchangeThrough } from './simulated-exchange.ts';
import { callThrough } from './simulated-call.ts';
import { SimulatedArrival } from './simulated-arrival.ts';
import { seededRandom } from './seeded-random.ts';
import type { TracedWrite } from './trace.ts';
import { VirtualClock } from './virtual-clock.ts';

/** How long nothing may move while something is busy, in real milliseconds. */
const maxStallMs = 10_000;
const pollMs = 1;
/** How often to look whether a cluster that keeps moving repeats itself, in real milliseconds. */
const checkMs = 1000;

/** How long something that stops gets before time passes, in real milliseconds. */
const patienceMs = 10;
/** How long nothing may move while something that stops is busy, in real milliseconds: less than test runners give a test. */
const maxStallOfStopMs = 3000;
/** How much time passes at most while something stops, in milliseconds: what has not ended by then waits for something else. */
const maxPassedMs = 3_600_000;

// Real time: tests and torture may replace the timers of the process.
const { setTimeout: delay } = timers;
const { setTimeout: realTimeout, clearTimeout: clearRealTimeout } = globalThis;

const start = Date.UTC(2026, 0, 1);

/** How a server knows its webhooks' client. */
const apiServer = 'system:apiserver';

/** The time of a cluster, and the order in which everything in it arrives. The same seed gives the same order. */
export class Simulation {
  readonly clock: VirtualClock;
  /** The chance of everything in the cluster, independent of the order of deliveries. */
  readonly random: () => number;
  /** What clients and the server's own controllers have written, in the order in which the server answered or they wrote. */
  readonly trace: TracedWrite[] = [];
  readonly #channel: Channel;
  readonly #quiet = new QuietWatch();

  /**
   * @param seed an integer
   * @param choose decides what arrives next; default the seed
   * @param now where the clock begins; default 0
   */
  constructor(seed: number, choose: Choose = chooseBy(seededRandom(seed ^ 0x5eed)), now = 0) {
    const activities = new Activities();
    this.clock = new TrackedClock(activities, start, now);
    this.random = seededRandom(seed);
    const deliveries = new Deliveries((ready) => {
      this.#quiet.moved();
      return choose(ready);
    });
    this.#channel = { activities, deliveries };
  }

  /** What connects clients to a server through the simulation. */
  connectionTo(
    server: Server,
  ): Pick<ConnectionConfig, 'clock' | 'random' | 'exchange' | 'track' | 'passTime'> {
    const { clock, random } = this;
    return {
      clock,
      random,
      exchange: (request) => {
        const about = describeRequest(request);
        this.#quiet.sent(about);
        const record = (status: number, body: Buffer) => {
          if (isAccepted(about, status, request.path))
            this.#record(about, JSON.parse(body.toString()) as object);
        };
        return exchangeThrough(this.#channel, server, { about, request, record });
      },
      track: (what, work) => this.#channel.activities.run(what, work),
      passTime: (until) => this.passTime(until),
    };
  }

  /** Lets components of the cluster ask its server without HTTP: {@link ApiServer.call}. */
  callsTo(server: Pick<ApiServer, 'call'>): NonNullable<ConnectionConfig['call']> {
    return async (request) => {
      const about = describeRequest(request);
      this.#quiet.sent(about);
      const response = await callThrough(this.#channel, server, about, request);
      if (response?.object && isAccepted(about, response.status, request.path))
        this.#record(about, response.object);
      return response;
    };
  }

  /** Lets what the server shows of a resource arrive when it is its turn. */
  readonly arrivalOf = (resource: string): Arrival => new SimulatedArrival(this.#channel, resource);

  /** Sends a request to a simulated application. It arrives, and the response, when it is their turn. */
  readonly carry: Carry = ({ client, url, namespace, pod }, request, exchange) => {
    const about: Omit<Delivery, 'kind'> = {
      user: client,
      userAgent: String(request.headers['user-agent'] ?? ''),
      verb: request.method.toLowerCase(),
      resource: `${url.origin}${url.pathname}`,
      namespace,
      name: pod,
    };
    this.#quiet.sent(about);
    return exchangeThrough(this.#channel, { exchange }, { about, request, record: () => {} });
  };

  /** What lets a handler of HTTP requests answer the API server through the simulation, as a webhook does. */
  localService(handler: RequestListener): LocalService {
    const service = { exchange: exchangeWith(handler) };
    return {
      clock: this.clock,
      exchange: (request) => {
        const about = { ...describeRequest(request), user: apiServer };
        return exchangeThrough(this.#channel, service, { about, request, record: () => {} });
      },
    };
  }

  /**
   * Waits until nothing can happen without time.
   *
   * @param limit how long nothing may move while something is busy, in real milliseconds; default 10,000
   * @throws {TestEnvironmentError} after the limit, with what is still busy, or when the same request is sent 5,000 times
   */
  async settle(limit: number = maxStallMs): Promise<void> {
    await this.#untilQuiet(limit);
  }

  /** @param over aborts when nothing needs the quiet any more */
  async #untilQuiet(limit: number, over?: AbortSignal): Promise<void> {
    const { activities, deliveries } = this.#channel;
    this.#quiet.restart();
    deliveries.resume();
    for (;;) {
      const { running } = deliveries;
      if (running) await atMost(Math.min(limit, checkMs), running);
      else await drained();
      const { busy } = activities;
      const isDelivering = deliveries.running !== undefined;
      if (over?.aborted || (!isDelivering && busy.length === 0)) return;
      this.#quiet.check(busy, limit);
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

  /**
   * Moves time while something needs it to end: what a test awaits, so that it cannot move time itself, such as the stop of a manager.
   * Where something in the cluster calls it, the test still moves time.
   *
   * @param until ends; whether it rejects does not matter
   */
  async passTime(until: Promise<unknown>): Promise<void> {
    if (this.#channel.activities.isCalling) return;
    const ending = new AbortController();
    const over = ending.signal;
    const end = (): void => ending.abort();
    const ended = until.then(end, end);
    const last = this.clock.now() + maxPassedMs;
    let limit = maxStallOfStopMs;
    do {
      // Most of what stops needs no time, but a few turns of the event loop: sockets close.
      await atMost(patienceMs, ended);
      if (over.aborted) return;
      // What is stuck once will not move later.
      await this.#untilQuiet(limit, over).catch(() => {
        limit = 0;
      });
    } while (!over.aborted && this.clock.fireNext(last));
  }

  /** Records a write of the server itself. */
  recordOwn({ group, resource, subresource, ...write }: OwnWrite): void {
    const named = `${resource}${subresource && `/${subresource}`}${group && `.${group}`}`;
    this.trace.push({ ...write, resource: named, time: this.clock.epoch() });
  }

  /** @param written what the server answered: an object, or a Status */
  #record(about: Omit<Delivery, 'kind'>, written: object): void {
    const { user, verb, resource, namespace, name } = about;
    const { metadata = {} } = written as { metadata?: { name?: string; resourceVersion?: string } };
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

function isAccepted({ verb }: Omit<Delivery, 'kind'>, status: number, path: string): boolean {
  return !isReading(verb) && status < 300 && !path.includes('dryRun=');
}

/** A clock that knows which activities wait for it. */
class TrackedClock extends VirtualClock {
  readonly #activities: Activities;
  readonly #waits = new WeakMap<object, () => void>();

  constructor(activities: Activities, ...time: ConstructorParameters<typeof VirtualClock>) {
    super(...time);
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

/** Waits for something, but only for a while. */
async function atMost(milliseconds: number, awaited: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => {
    timer = realTimeout(resolve, milliseconds);
  });
  await Promise.race([awaited, late]);
  clearRealTimeout(timer);
}
