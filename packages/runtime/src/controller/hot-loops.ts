import type { Kind, KubernetesObject } from 'ots-kubernetes';
import type { Logger } from '../logging/logger.ts';
import type { Request } from './reconciler.ts';
import { requestKey } from './request-key.ts';

export interface HotLoopsOptions {
  /** The controller's own. */
  logger: Logger;
  /** Called for each reconcile of a hot loop. */
  looped: () => void;
}

/** A write of a reconcile. */
interface Write {
  kind: Kind;
  subresource: string | undefined;
  /** The resourceVersion in the server's response: the watch delivers it. */
  version: string;
}

/** What is known about one object while its reconciles write. */
interface Trace {
  /** The last writes of its reconciles. */
  readonly writes: Write[];
  /** The versions of the events since the last reconcile started. */
  events: string[];
  /** Something other than an event requested a reconcile since then, or too many events did. */
  hasOtherCause: boolean;
  hasWritten: boolean;
  /** How many consecutive reconciles were caused only by the writes of the previous ones. */
  length: number;
}

/**
 * A controller that works in steps may trigger this many reconciles itself. One that always writes something different,
 * such as the time of day, triggers them forever.
 */
const maxChainLength = 50;
/** How many objects are tracked, and remembered as reported. */
const capacity = 1000;
/** How many writes and events are kept per object: two consecutive reconciles rarely write more. */
const kept = 16;

/**
 * Finds objects whose reconciles trigger each other: each one writes something, and only the event of that write
 * requests the next one. A change by another client, a reconcile without a write, or one that only `requeueAfter`
 * requested breaks the chain.
 */
export class HotLoops {
  readonly #options: HotLoopsOptions;
  readonly #traces = new Map<string, Trace>();
  readonly #warned = new Set<string>();

  constructor(options: HotLoopsOptions) {
    this.#options = options;
  }

  /** How many objects are followed. */
  get size(): number {
    return this.#traces.size;
  }

  /** A reconcile of the object with this key has written an object. */
  wrote(key: string, kind: Kind, subresource: string | undefined, { metadata }: KubernetesObject): void {
    const version = metadata?.resourceVersion;
    if (version === undefined) return;
    const trace = this.#traces.get(key) ?? this.#follow(key);
    if (!trace) return;
    trace.hasWritten = true;
    trace.writes.push({ kind, subresource, version });
    if (trace.writes.length > kept) trace.writes.shift();
  }

  /** A reconcile was requested, by an event with this version or by something else. */
  requested(request: Request, version: string | undefined): void {
    // Building the key would be wasted work in most operators.
    if (this.#traces.size === 0) return;
    const trace = this.#traces.get(requestKey(request));
    if (!trace) return;
    if (version === undefined || trace.events.length === kept) trace.hasOtherCause = true;
    else trace.events.push(version);
  }

  /** A reconcile starts: what its predecessors wrote and what requested it is known by now. */
  began(key: string, request: Request): void {
    const trace = this.#traces.get(key);
    if (!trace) return;
    const { writes, events, hasOtherCause } = trace;
    const causes = events.map((event) => writes.find(({ version }) => version === event));
    const cause = hasOtherCause ? undefined : causes.at(-1);
    trace.length = cause && !causes.includes(undefined) ? trace.length + 1 : 0;
    trace.events = [];
    trace.hasOtherCause = false;
    trace.hasWritten = false;
    if (!cause || trace.length < maxChainLength) return;
    this.#options.looped();
    this.#warn(key, request, cause);
  }

  /** A run has ended. */
  ended(key: string): void {
    if (this.#traces.get(key)?.hasWritten === false) this.#traces.delete(key);
  }

  /**
   * Undefined if there is no room. Objects whose writes never come back, for example behind a predicate, make room; of
   * those that are reconciled all the time, as many as fit are tracked.
   */
  #follow(key: string): Trace | undefined {
    if (this.#traces.size >= capacity) {
      const [oldest, trace] = this.#traces.entries().next().value!;
      this.#traces.delete(oldest);
      if (trace.length > 0 || trace.events.length > 0) {
        // Moves it to the end: the next search for room examines another one.
        this.#traces.set(oldest, trace);
        return undefined;
      }
    }
    const trace: Trace = { writes: [], events: [], hasOtherCause: false, hasWritten: false, length: 0 };
    this.#traces.set(key, trace);
    return trace;
  }

  #warn(key: string, request: Request, { kind: { kind }, subresource }: Write): void {
    if (this.#warned.has(key)) return;
    if (this.#warned.size >= capacity) this.#warned.delete(this.#warned.keys().next().value!);
    this.#warned.add(key);
    const isStatus = subresource === 'status';
    const hint = isStatus
      ? `Pass { predicates: [generationChanged()] } to for(${kind}), or write the status only when it has changed.`
      : `Write to the ${kind} only what has changed: client.apply, and client.patch with a function, then send nothing.`;
    this.#options.logger.warn(
      { ...request, runs: maxChainLength, hint },
      `hot loop: each of the last ${maxChainLength} reconciles was triggered by what the previous one wrote to ${isStatus ? 'the status of ' : ''}the ${kind}`,
    );
  }
}
