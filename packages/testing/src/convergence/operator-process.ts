import type { ConnectionConfig, LocalExchange, Manager } from 'ots-runtime';
import { describeRequest } from '../simulation/describe-request.ts';
import { type ObservedWrite, observedWrite } from './observed-write.ts';

/** Knows what an operator asks the server for. */
export interface ProcessObserver {
  /** Before the server receives a write. */
  before(write: ObservedWrite): void;
  /** When the server has answered a write, before the operator knows. @param isNew whether it created an object */
  after(write: ObservedWrite, isNew: boolean): Promise<void>;
  /** @param resource such as `deployments.apps` */
  watches(resource: string): void;
}

/** One life of an operator: a manager on a connection that breaks for good when the process is killed. */
export class OperatorProcess {
  readonly #connection: ConnectionConfig;
  readonly #observer: ProcessObserver;
  readonly #death = new AbortController();
  /** The Services that it serves. */
  readonly #served = new Set<string>();
  #manager: Manager | undefined;
  #failure: unknown;

  /** @param connection that of the identity of the operator */
  constructor(connection: ConnectionConfig, observer: ProcessObserver) {
    this.#connection = connection;
    this.#observer = observer;
  }

  /** Why it ended, if it was not killed or stopped. */
  get failure(): unknown {
    return this.#failure;
  }

  /** @param create creates the manager, and adds its controllers and webhooks */
  async start(create: (connection: ConnectionConfig) => Manager | Promise<Manager>): Promise<void> {
    const { exchange, services, track } = this.#connection;
    const connection: ConnectionConfig = {
      ...this.#connection,
      exchange: (request) => this.#exchange(exchange!, request),
      ...(services && { services: this.#servicesOf(services) }),
    };
    // The cluster waits for it, as for a reconcile.
    this.#manager = await track!('the start of the operator', async () => create(connection));
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

  async #exchange(exchange: LocalExchange, request: Parameters<LocalExchange>[0]): ReturnType<LocalExchange> {
    const { signal: death } = this.#death;
    death.throwIfAborted();
    const { verb, resource } = describeRequest(request);
    if (verb === 'watch') this.#observer.watches(resource);
    const write = observedWrite(request);
    if (write) this.#observer.before(write);
    const signal = AbortSignal.any([request.signal, death]);
    const response = await exchange({ ...request, signal });
    if (write && response.status < 300) {
      await this.#observer.after(write, response.status === 201);
      death.throwIfAborted();
    }
    return response;
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
