import { UsageError } from '../errors/usage-error.ts';
import { type CheckedRequest, readRequest } from './read-request.ts';
import type { Request } from './reconciler.ts';
import { requestKey } from './request-key.ts';
import type { EnqueueFunction, EnqueueOptions, Source, SourceContext } from './source.ts';

/** How a channel behaves. */
export interface ChannelOptions {
  /** For logs; `channel` by default. */
  name?: string | undefined;
  /** How many requests for different objects can wait until the controller starts; 1024 by default. */
  capacity?: number | undefined;
}

/**
 * Requests from code: `channel.push({ name, namespace })` runs the controller that watches it for that object. Requests
 * that are pushed before the controller starts wait for it: one per object, with its highest priority and its shortest
 * delay, which starts with the controller. Later requests go to the controller's queue.
 */
export class Channel implements Source {
  /** For logs. */
  readonly name: string;
  readonly #capacity: number;
  readonly #waiting = new Map<string, CheckedRequest>();
  #enqueue: EnqueueFunction | undefined;
  #isStarted = false;
  #isClosed = false;

  constructor({ name = 'channel', capacity = 1024 }: ChannelOptions = {}) {
    this.name = name;
    this.#capacity = capacity;
  }

  /**
   * Requests a reconcile of the object. False if the request was dropped: the channel is closed, its controller has
   * stopped, or it has not started yet and the channel is full. A controller that waits for leadership has not started.
   * @throws {UsageError} if the request has no name, the delay is not a duration, or the priority is not a number.
   */
  push(request: Request, options?: EnqueueOptions): boolean {
    if (this.#isClosed) return false;
    if (this.#enqueue) {
      this.#enqueue(request, options);
      return true;
    }
    return !this.#isStarted && this.#keep(readRequest(request, options));
  }

  /** Closes the channel: requests that were pushed before still arrive, later ones are dropped. */
  close(): void {
    this.#isClosed = true;
  }

  /** For the controller. */
  async start({ enqueue, signal }: SourceContext): Promise<void> {
    if (this.#isStarted) {
      throw new UsageError(`Two controllers watch the channel ${this.name}`, 'Give each its own channel.');
    }
    this.#isStarted = true;
    this.#enqueue = enqueue;
    signal.addEventListener('abort', () => (this.#enqueue = undefined), { once: true });
    for (const { request, ...options } of this.#waiting.values()) enqueue(request, options);
    this.#waiting.clear();
  }

  #keep(added: CheckedRequest): boolean {
    const key = requestKey(added.request);
    const waiting = this.#waiting.get(key);
    if (!waiting) {
      if (this.#waiting.size >= this.#capacity) return false;
      this.#waiting.set(key, added);
      return true;
    }
    waiting.after = Math.min(waiting.after, added.after);
    waiting.priority = Math.max(waiting.priority, added.priority);
    return true;
  }
}
