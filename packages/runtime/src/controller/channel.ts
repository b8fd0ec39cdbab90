import { UsageError } from '../errors/usage-error.ts';
import { keyText } from '../objects/object-key.ts';
import { type CheckedRequest, readRequest } from './read-request.ts';
import type { Request } from './reconciler.ts';
import type { EnqueueFunction, EnqueueOptions, Source, SourceContext } from './source.ts';

/** How a channel behaves. */
export interface ChannelOptions {
  /** For logs; `channel` by default. */
  name?: string | undefined;
  /** How many requests of different objects wait for the controller to start; 1024 by default. */
  capacity?: number | undefined;
}

/**
 * Requests from code: `channel.push({ name, namespace })` runs the controller that watches it for that object. What is
 * pushed before the controller starts waits for it, each object once, with its highest priority and its shortest delay,
 * which begins with the controller; afterwards the controller's queue takes it.
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
   * Asks for a run for the object. False when the request was dropped: the channel is closed, its controller has
   * stopped, or has not started while as many other objects wait as fit. Controllers that wait for the leadership
   * have not started.
   * @throws {UsageError} when the request has no name, the delay is no duration, or the priority no number.
   */
  push(request: Request, options?: EnqueueOptions): boolean {
    if (this.#isClosed) return false;
    if (this.#enqueue) {
      this.#enqueue(request, options);
      return true;
    }
    return !this.#isStarted && this.#keep(readRequest(request, options));
  }

  /** Ends it: what was pushed before still arrives, nothing more is taken. */
  close(): void {
    this.#isClosed = true;
  }

  /** For the controller. */
  async start({ enqueue, signal }: SourceContext): Promise<void> {
    if (this.#isStarted) {
      throw new UsageError(
        `two controllers watch the channel ${this.name}`,
        'Give each a channel of its own.',
      );
    }
    this.#isStarted = true;
    this.#enqueue = enqueue;
    signal.addEventListener('abort', () => (this.#enqueue = undefined), { once: true });
    for (const { request, ...options } of this.#waiting.values()) enqueue(request, options);
    this.#waiting.clear();
  }

  #keep(added: CheckedRequest): boolean {
    const key = keyText(added.request);
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
