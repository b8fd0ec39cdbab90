import type { Kind, KubernetesObject } from 'ots-kubernetes';
import type { Logger } from '../logging/logger.ts';
import { keyText } from '../objects/object-key.ts';
import type { Request } from './reconciler.ts';

export interface HotLoopsOptions {
  /** The controller's own. */
  logger: Logger;
  /** Called for each run of a hot loop. */
  looped: () => void;
}

/** A write of a run. */
interface Write {
  kind: Kind;
  subresource: string | undefined;
  /** The resourceVersion that the server answered: the watch brings it back. */
  version: string;
}

/** What is known of one object while its runs write. */
interface Trace {
  /** The last writes of its runs. */
  readonly writes: Write[];
  /** The versions of the events since the last run began. */
  events: string[];
  /** Something else than an event asked for a run since then, or too many events did. */
  hasOtherCause: boolean;
  hasWritten: boolean;
  /** How many runs in a row had no other cause than writes of the runs before. */
  length: number;
}

/**
 * A controller that works in steps may cause that many runs of its own. One that writes something else each time, such
 * as the time of day, causes them without end.
 */
const longestChain = 50;
/** How many objects are followed, and remembered as warned of. */
const capacity = 1000;
/** How many writes and events of one object are kept: a run and its successor rarely write more. */
const kept = 16;

/**
 * Finds objects whose runs trigger each other: each writes something, the event of that write asks for the next run,
 * and nothing else does. A change by another client, a run without a write, and a run that only `requeueAfter` asked for
 * break the chain.
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

  /** A run of the object with this key has written an object. */
  wrote(key: string, kind: Kind, subresource: string | undefined, { metadata }: KubernetesObject): void {
    const version = metadata?.resourceVersion;
    if (version === undefined) return;
    const trace = this.#traces.get(key) ?? this.#follow(key);
    if (!trace) return;
    trace.hasWritten = true;
    trace.writes.push({ kind, subresource, version });
    if (trace.writes.length > kept) trace.writes.shift();
  }

  /** A run is asked for: by an event of an object of this version, or by something else. */
  requested(request: Request, version: string | undefined): void {
    // The key is a text to make, for nothing in most operators.
    if (this.#traces.size === 0) return;
    const trace = this.#traces.get(keyText(request));
    if (!trace) return;
    if (version === undefined || trace.events.length === kept) trace.hasOtherCause = true;
    else trace.events.push(version);
  }

  /** A run begins: what its predecessors wrote, and what asked for it, is known by now. */
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
    if (!cause || trace.length < longestChain) return;
    this.#options.looped();
    this.#warn(key, request, cause);
  }

  /** A run has ended. */
  ended(key: string): void {
    if (this.#traces.get(key)?.hasWritten === false) this.#traces.delete(key);
  }

  /**
   * Undefined when there is no room. What was written to last and never came back, as behind a predicate, makes room;
   * of those that run all of the time, as many as fit are followed.
   */
  #follow(key: string): Trace | undefined {
    if (this.#traces.size >= capacity) {
      const [oldest, trace] = this.#traces.entries().next().value!;
      this.#traces.delete(oldest);
      if (trace.length > 0 || trace.events.length > 0) {
        // At the end again: the next one that looks for room looks at another.
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
      { ...request, runs: longestChain, hint },
      `hot loop: each of the last ${longestChain} runs was triggered by what the run before it wrote to ${isStatus ? 'the status of ' : ''}the ${kind}`,
    );
  }
}
