import { setMaxListeners } from 'node:events';
import { eitherSignal } from 'ots-apimachinery/signals/either-signal';
import type { ConnectionConfig, LocalExchange, Manager } from 'ots-runtime';
import type { Delivery } from '../simulation/delivery.ts';
import { describeRequest } from '../simulation/describe-request.ts';
import { type ObservedWrite, observedWrite } from './observed-write.ts';

/** Knows what an operator asks the server for. */
export interface ProcessObserver {
  /** Before the server receives a write. @param content JSON; null for none */
  before(write: ObservedWrite, content: string | null): void;
  /** When the server has answered a write, before the operator knows. @param isNew whether it created an object */
  after(write: ObservedWrite, isNew: boolean): Promise<void>;
  /** Before each request. @param verb as RBAC sees it @param resource such as `deployments.apps` */
  requests(verb: string, resource: string): void;
  /** When the server has refused a request. */
  refused?(request: Pick<Delivery, 'verb' | 'resource'>, status: number): void;
  /** When a reconcile has thrown. @param what such as `Reconcile of memcached default/web` */
  failed?(what: string, error: unknown): void;
}

/** One life of an operator: a manager on a connection that breaks for good when the process is killed. */
export class OperatorProcess {
  readonly #connection: ConnectionConfig;
  readonly #observer: ProcessObserver;
  readonly #life: string | undefined;
  readonly #death = new AbortController();
  /** The Services that it serves. */
  readonly #served = new Set<string>();
  #manager: Manager | undefined;
  #failure: unknown;

  /**
   * @param connection that of the identity of the operator
   * @param life tells the deliveries of this process from those of others: it ends their user agent. Default: they look like all others
   */
  constructor(connection: ConnectionConfig, observer: ProcessObserver, life?: string) {
    this.#connection = connection;
    this.#observer = observer;
    this.#life = life;
    // Every open request listens.
    setMaxListeners(0, this.#death.signal);
  }

  /** Why it ended, if it was not killed or stopped. */
  get failure(): unknown {
    return this.#failure;
  }

  /** @param create creates the manager, and adds its controllers and webhooks */
  async start(create: (connection: ConnectionConfig) => Manager | Promise<Manager>): Promise<void> {
    const { exchange, services } = this.#connection;
    const connection: ConnectionConfig = {
      ...this.#connection,
      exchange: (request) => this.#exchange(exchange!, request),
      track: (what, work) => this.#track(what, work),
      // What explores moves time, and a killed process ends in no time.
      passTime: undefined,
      ...(services && { services: this.#servicesOf(services) }),
    };
    // The cluster waits for it, as for a reconcile.
    this.#manager = await this.#connection.track!('the start of the operator', async () =>
      create(connection),
    );
    if (this.#death.signal.aborted) return void this.#manager.stop();
    this.#manager.start().catch((error: unknown) => {
      if (!this.#death.signal.aborted) this.#failure = error;
    });
  }

  /** Breaks its connections in the middle of whatever it does. */
  kill(): void {
    this.#death.abort(Object.assign(new Error('the operator was killed'), { code: 'ECONNRESET' }));
    for (const service of this.#served) void this.#connection.services?.delete(service);
    void this.stop();
  }

  /** Stops it gracefully, or lets the code of a killed one end. */
  async stop(): Promise<void> {
    await this.#manager?.stop();
  }

  /** Runs what has an end, such as a reconcile, and reports how it failed unless the process was killed. */
  async #track<T>(what: string, work: () => Promise<T>): Promise<T> {
    try {
      return await this.#connection.track!(what, work);
    } catch (error) {
      if (!this.#death.signal.aborted) this.#observer.failed?.(what, error);
      throw error;
    }
  }

  async #exchange(exchange: LocalExchange, request: Parameters<LocalExchange>[0]): ReturnType<LocalExchange> {
    const { signal: death } = this.#death;
    death.throwIfAborted();
    const { verb, resource, userAgent } = describeRequest(request);
    this.#observer.requests(verb, resource);
    const write = observedWrite(request);
    if (write) this.#observer.before(write, request.body);
    const headers = { ...request.headers, 'user-agent': this.#agent(userAgent) };
    const response = await this.#breakable(exchange, { ...request, headers });
    if (response.status >= 400) this.#observer.refused?.({ verb, resource }, response.status);
    if (write && response.status < 300) {
      await this.#observer.after(write, response.status === 201);
      death.throwIfAborted();
    }
    return response;
  }

  /** Sends a request that breaks when the process is killed. `AbortSignal.any` would take ten times as long on Node.js 20. */
  async #breakable(
    exchange: LocalExchange,
    request: Parameters<LocalExchange>[0],
  ): ReturnType<LocalExchange> {
    const { signal, dispose } = eitherSignal(request.signal, this.#death.signal);
    try {
      const response = await exchange({ ...request, signal });
      if (response.content) dispose();
      else response.body.once('close', dispose);
      return response;
    } catch (error) {
      dispose();
      throw error;
    }
  }

  /** What is before the first slash names the owner of fields: that remains. */
  #agent(userAgent: string): string {
    if (this.#life === undefined) return userAgent;
    return `${userAgent}${userAgent.includes('/') ? ' ' : '/'}${this.#life}`;
  }

  /** Those of the environment, where a killed process changes nothing. */
  #servicesOf(services: NonNullable<ConnectionConfig['services']>): typeof services {
    return {
      set: async (service, endpoint) => {
        this.#death.signal.throwIfAborted();
        this.#served.add(service);
        await services.set(service, endpoint);
      },
      delete: async (service) => {
        if (!this.#death.signal.aborted) await services.delete(service);
      },
    };
  }
}
