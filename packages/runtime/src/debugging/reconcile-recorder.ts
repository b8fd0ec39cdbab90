import type { Kind } from 'ots-kubernetes';
import type { RequestTrace, WorkEvent, WorkKey, WorkRequest } from '../context/work-context.ts';
import { shortMessage } from '../reasons/reasons-of.ts';
import type {
  FailedResult,
  ReconcileRecord,
  ReconcileResult,
  RecordedEvent,
  RequestRecord,
  StartedReconcile,
} from './reconcile-record.ts';
import { traceRequest } from './trace-request.ts';

const maxLive = 50;
const maxCached = 20;
const maxEvents = 20;
const reads = new Set(['get', 'list']);

/** Writes down what one reconcile does. */
export class ReconcileRecorder {
  readonly #now: () => number;
  readonly #startedAt: number;
  readonly #requests: RequestRecord[] = [];
  readonly #events: RecordedEvent[] = [];
  #live = 0;
  #cached = 0;
  #writes = 0;
  #result: ReconcileResult = { type: 'done' };

  /** @param now the time in milliseconds. */
  constructor(now: () => number) {
    this.#now = now;
    this.#startedAt = now();
  }

  /** A request to the server begins. Neither its body nor that of the response is kept. */
  requested(request: WorkRequest): RequestTrace {
    return traceRequest(request, this.#now, (record) => {
      const { verb, status, dryRun } = record;
      if (status !== undefined && status < 300 && !reads.has(verb) && !dryRun) this.#writes += 1;
      this.#live += 1;
      if (this.#live <= maxLive) this.#requests.push(record);
    });
  }

  /** The cache is read: one object, or a list of a namespace or of all. */
  readCache(verb: 'get' | 'list', { group, plural }: Kind, { namespace, name }: WorkKey): void {
    this.#cached += 1;
    if (this.#cached > maxCached) return;
    this.#requests.push({
      verb,
      from: 'cache',
      group,
      resource: plural,
      ...(namespace !== undefined && { namespace }),
      ...(name !== undefined && { name }),
      conflict: false,
      durationSeconds: 0,
    });
  }

  /** An event for users was recorded. */
  announced({ type, reason, apiVersion, kind, namespace, name, event }: WorkEvent): void {
    if (this.#events.length === maxEvents) return;
    const scope = namespace ? { namespace } : {};
    this.#events.push({ type, reason, apiVersion, kind, ...scope, name, ...(event && { event }) });
  }

  /** It will run again after this time, in milliseconds. */
  requeued(after: number): void {
    this.#result = { type: 'requeueAfter', seconds: after / 1000 };
  }

  /** It was aborted with the work of its controller. */
  interrupted(): void {
    this.#result = { type: 'interrupted' };
  }

  /** @param backoff until the retry, in milliseconds; undefined if there is none. */
  failed(kind: FailedResult['kind'], error: unknown, attempt: number, backoff: number | undefined): void {
    this.#result = {
      type: 'error',
      kind,
      message: shortMessage(error),
      attempt,
      ...(backoff !== undefined && { backoffSeconds: backoff / 1000 }),
    };
  }

  /** What it has done until now, when it ends. Later requests are not part of it. */
  end(started: StartedReconcile): ReconcileRecord {
    return {
      ...started,
      durationSeconds: (this.#now() - this.#startedAt) / 1000,
      requests: [...this.#requests],
      omittedRequests: this.#live + this.#cached - this.#requests.length,
      writes: this.#writes,
      events: [...this.#events],
      result: this.#result,
    };
  }
}
