import type { KubernetesObject } from 'ots-kubernetes';
import { conditionsOf } from '../conditions/condition-true.ts';
import type { ReconcileContext, Result } from '../controller/reconciler.ts';
import { waitingTime } from '../duration/waiting-time.ts';
import { isConflict, isNotFound } from '../errors/api-error.ts';
import { UsageError } from '../errors/usage-error.ts';
import type { DeepReadonly } from '../objects/deep-readonly.ts';
import { keyOf } from '../objects/object-key.ts';
import type { ExternalCalls } from './external-calls.ts';
import {
  type ExternalCondition,
  availability,
  createUnknown,
  creating,
  deleting,
  failed,
  synced,
  updating,
} from './external-conditions.ts';
import { ExternalCallError, type ExternalOperation, isNotCreated } from './external-errors.ts';
import {
  createFailedAnnotation,
  createStartedAnnotation,
  createdAnnotation,
  idAnnotation,
  mayBeHidden,
  storedIdentity,
  uniqueIdentity,
  unknownCreate,
} from './external-identity.ts';
import type { ExternalObject } from './external-object.ts';
import type { ExternalReconcilerOptions } from './external-options.ts';
import type { ExternalContext, ExternalResourceWithIds, Observation } from './external-resource.ts';
import type { CreateResult, UnstoredResults } from './unstored-results.ts';

/** What the runs of a controller share. */
export interface ExternalRunOptions<T extends KubernetesObject, Observed> extends Pick<
  ExternalReconcilerOptions<T, Observed>,
  'external' | 'deletionPolicy'
> {
  readonly calls: ExternalCalls;
  readonly unstored: UnstoredResults;
  /** The operator's time. */
  readonly now: () => Date;
  /** A number in [0, 1). */
  readonly random: () => number;
  /** In milliseconds. */
  readonly pollInterval: number;
}

/** The longest delay until an external resource that is not ready is observed again, in milliseconds. */
const maxWaitMs = 60_000;

/** One reconcile of an object with its external resource. */
export class ExternalRun<T extends KubernetesObject, Observed> {
  readonly #options: ExternalRunOptions<T, Observed>;
  readonly #object: ExternalObject<T>;
  readonly #context: ReconcileContext;
  /** What is known by now, if the reconcile fails. */
  #ready: ExternalCondition | undefined;

  constructor(
    options: ExternalRunOptions<T, Observed>,
    object: ExternalObject<T>,
    context: ReconcileContext,
  ) {
    this.#options = options;
    this.#object = object;
    this.#context = context;
  }

  async run(): Promise<Result | void> {
    const isDeleted = this.#current.metadata.deletionTimestamp !== undefined;
    // An object without the finalizer has no external resource of ours, or a person removed it to keep that.
    if (isDeleted && !this.#object.isFinalized) return;
    try {
      return isDeleted ? await this.#remove() : await this.#sync();
    } catch (error) {
      await this.#reportFailure(error);
      throw error;
    }
  }

  get #current(): DeepReadonly<T> {
    return this.#object.current;
  }

  async #sync(): Promise<Result | void> {
    if (await this.#isCreateUnknown(creating)) return this.#poll();
    let observation = await this.#observe();
    if (observation) {
      this.#ready = availability(observation.ready, this.#current);
      if (!this.#isClaimed) await this.#object.confirm(this.#claim);
      if (!observation.upToDate) {
        await this.#update(observation.observed);
        observation = await this.#observe();
      }
    } else if (this.#mayCreate) {
      this.#ready = creating;
      await this.#create();
      observation = await this.#observe();
    }
    return this.#settle(observation);
  }

  async #remove(): Promise<Result | void> {
    if (this.#options.deletionPolicy?.(this.#current) === 'Orphan') return this.#object.release();
    if (await this.#isCreateUnknown(deleting)) return this.#poll();
    this.#ready = deleting;
    const { deletionTimestamp } = this.#current.metadata;
    let observation = await this.#observe();
    if (!observation && mayBeHidden(this.#current, this.#epoch)) return this.#wait(deletionTimestamp);
    if (observation) {
      await this.#delete(observation.observed);
      observation = await this.#observe();
    }
    if (!observation) return this.#object.release();
    await this.#report({ Synced: synced, Ready: deleting });
    return this.#wait(deletionTimestamp);
  }

  /** Stores the result of an earlier creation first, if it is known. */
  async #isCreateUnknown(Ready: ExternalCondition): Promise<boolean> {
    const result = this.#options.unstored.get(this.#current);
    if (result !== undefined) await this.#store(result);
    const since = unknownCreate(this.#current);
    if (since === undefined) return false;
    this.#context.logger.warn({ since }, 'the result of a creation was lost; a person must decide');
    await this.#report({ Synced: createUnknown(since), Ready });
    return true;
  }

  /** Undefined while the API has not assigned one. */
  get #identity(): string | undefined {
    const { external } = this.#options;
    const stored = storedIdentity(this.#current);
    if (stored !== undefined || 'assignsIds' in external) return stored;
    const identity = external.identify?.(this.#current) ?? uniqueIdentity(this.#current);
    if (identity !== '') return identity;
    throw new UsageError('identify returned an empty text', 'Return what names the external resource.');
  }

  get #isClaimed(): boolean {
    return this.#object.isFinalized && storedIdentity(this.#current) !== undefined;
  }

  get #claim(): Record<string, string> {
    const identity = this.#identity;
    return identity === undefined ? {} : { [idAnnotation]: identity };
  }

  /** With an identity of our own, a creation can be repeated while the API does not show the first one. */
  get #mayCreate(): boolean {
    return !('assignsIds' in this.#options.external) || !mayBeHidden(this.#current, this.#epoch);
  }

  async #observe(): Promise<Observation<T, Observed> | undefined> {
    const identity = this.#identity;
    if (identity === undefined) return undefined;
    const { external } = this.#options;
    return this.#call('observe', identity, (context) => external.observe(this.#current, context));
  }

  async #create(): Promise<void> {
    const { external } = this.#options;
    if ('assignsIds' in external) return this.#createWithId(external);
    const started = { [createStartedAnnotation]: this.#options.now().toISOString() };
    await this.#object.confirm({ ...this.#claim, ...started });
    await this.#call('create', this.#identity!, (context) => external.create(this.#current, context));
  }

  /** Whatever happens between the two writes to the object, the first tells the next reconcile that the result is unknown. */
  async #createWithId(external: ExternalResourceWithIds<T, Observed>): Promise<void> {
    await this.#object.confirm({
      [idAnnotation]: null,
      [createdAnnotation]: null,
      [createFailedAnnotation]: null,
      [createStartedAnnotation]: this.#options.now().toISOString(),
    });
    let id: string;
    try {
      const tag = uniqueIdentity(this.#current);
      id = await this.#call('create', tag, (context) => external.create(this.#current, context), true);
    } catch (error) {
      if (error instanceof Error && isNotCreated(error.cause)) await this.#store(null);
      throw error;
    }
    if (typeof id !== 'string' || id === '') {
      throw new UsageError('create returned no ID', 'Return the ID that the external API assigned.');
    }
    await this.#store(id);
  }

  async #store(result: CreateResult): Promise<void> {
    const { unstored, now } = this.#options;
    unstored.set(this.#current, result);
    const at = now().toISOString();
    const stored =
      result === null
        ? { [createFailedAnnotation]: at }
        : { [idAnnotation]: result, [createdAnnotation]: at };
    try {
      // Under a signal of its own: a manager that stops waits for it.
      const { signal } = new AbortController();
      await this.#object.annotate({ ...stored, [createStartedAnnotation]: null }, { signal });
    } catch (error) {
      this.#context.logger.error({ err: error, id: result }, 'the result of a creation could not be stored');
      throw error;
    }
    unstored.delete(keyOf(this.#current));
  }

  async #update(observed: Observed): Promise<void> {
    await this.#object.confirm();
    const { external } = this.#options;
    await this.#call('update', this.#identity!, (context) =>
      external.update(this.#current, observed, context),
    );
  }

  async #delete(observed: Observed): Promise<void> {
    await this.#object.confirm();
    const { external } = this.#options;
    await this.#call('delete', this.#identity!, (context) =>
      external.delete(this.#current, observed, context),
    );
  }

  async #call<R>(
    operation: ExternalOperation,
    identity: string,
    work: (context: ExternalContext) => Promise<R>,
    isUninterrupted = false,
  ): Promise<R> {
    this.#context.logger[operation === 'observe' ? 'debug' : 'info'](
      { operation, identity },
      'calling the external API',
    );
    return this.#options.calls.make({ operation, identity, isUninterrupted, work }, this.#context);
  }

  async #settle(observation: Observation<T, Observed> | undefined): Promise<Result> {
    const Synced = observation ? (observation.upToDate ? synced : updating) : creating;
    const Ready = observation ? availability(observation.ready, this.#current) : creating;
    await this.#report({ Synced, Ready }, observation);
    const pending = conditionsOf(this.#current).filter(
      ({ type, status }) => ['Synced', 'Ready'].includes(type) && status !== 'True',
    );
    if (pending.length === 0) return this.#poll();
    return this.#wait(
      pending
        .map(({ lastTransitionTime }) => lastTransitionTime)
        .toSorted()
        .at(-1),
    );
  }

  #poll(): Result {
    const { pollInterval, random } = this.#options;
    return { requeueAfter: (pollInterval * (1 + random())) / 2 };
  }

  /** Longer and longer. */
  #wait(since: string | undefined): Result {
    const max = Math.min(maxWaitMs, this.#options.pollInterval);
    return { requeueAfter: waitingTime(since, { min: Math.min(1000, max), max, now: this.#epoch }) };
  }

  async #report(
    conditions: { Synced: ExternalCondition; Ready: ExternalCondition | undefined },
    observation?: Observation<T, Observed>,
  ): Promise<void> {
    await this.#object.report(conditions, observation?.status, this.#options.now());
  }

  /** Only of the external API: the log has the others, which are about the object itself. */
  async #reportFailure(error: unknown): Promise<void> {
    const isExternal = error instanceof ExternalCallError || error instanceof UsageError;
    if (!isExternal || this.#context.signal.aborted) return;
    try {
      await this.#report({ Synced: failed(error), Ready: this.#ready });
    } catch (unreported) {
      // The object has changed or is gone: the next reconcile reads it again.
      if (isConflict(unreported) || isNotFound(unreported)) return;
      this.#context.logger.warn({ err: unreported }, 'the failure could not be reported in the status');
    }
  }

  get #epoch(): number {
    return this.#options.now().getTime();
  }
}
