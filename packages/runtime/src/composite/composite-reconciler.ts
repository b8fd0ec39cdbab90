import type { Kind, KubernetesObject } from 'ots-kubernetes';
import type { Client } from '../client/client.ts';
import type { ApplyConfiguration } from '../client/content.ts';
import type { ReconcileContext, Reconciler, Request, Result } from '../controller/reconciler.ts';
import { isNotFound } from '../errors/api-error.ts';
import { throwAll } from '../errors/multiple-failures-error.ts';
import { hasFinalizer } from '../finalizers/finalizers.ts';
import { dropFinalizer, ensureFinalizer } from '../finalizers/patch-finalizer.ts';
import type { DeepReadonly } from '../objects/deep-readonly.ts';
import { keyOf } from '../objects/object-key.ts';
import { ChildSet } from './child-set.ts';
import type { ChildrenSource } from './children.ts';
import type { CompositeOptions, FinalizeResult, StatusOf, SyncResult } from './composite-options.ts';
import type { ObservedChildren } from './observed-children.ts';

export interface CompositeSource extends ChildrenSource {
  readonly client: ChildrenSource['client'] & Pick<Client, 'patch' | 'status'>;
}

type Outcome<P extends KubernetesObject> = SyncResult<P, KubernetesObject> &
  Partial<Pick<FinalizeResult<P, KubernetesObject>, 'finalized'>>;

/** Runs the functions of a composite controller and applies what they return. */
export class CompositeReconciler<P extends KubernetesObject> implements Reconciler {
  readonly #options: CompositeOptions<P, readonly KubernetesObject[]>;
  readonly #client: CompositeSource['client'];
  readonly #name: string;
  readonly #children: ChildSet<P, readonly KubernetesObject[]>;

  /** @throws {UsageError} when the options are invalid. */
  constructor(
    name: string,
    options: CompositeOptions<P, readonly KubernetesObject[]>,
    source: CompositeSource,
  ) {
    this.#options = options;
    this.#client = source.client;
    this.#name = name;
    this.#children = new ChildSet(source, { name, owner: options.parent, kinds: options.children });
  }

  /** The kinds of the children, each once. */
  get kinds(): readonly Kind[] {
    return this.#children.kinds;
  }

  async reconcile(request: Request, context: ReconcileContext): Promise<Result | void> {
    const kind = this.#options.parent;
    const finalizes = this.#options.finalize !== undefined;
    const read = await this.#client.get(kind, request);
    if (!read) return;
    const isHeld = hasFinalizer(read, this.#finalizer);
    if (read.metadata.deletionTimestamp) {
      if (finalizes && isHeld) return this.#finalize(read, context);
      // An earlier version of the operator may have added the finalizer.
      if (isHeld) await this.#release(read);
      return;
    }
    const parent = finalizes ? await ensureFinalizer(this.#client, kind, read, this.#finalizer) : read;
    const observed = await this.#children.observe(parent);
    const result = await this.#options.sync(parent, observed, context);
    return this.#realize(parent, observed, result, context);
  }

  async #finalize(parent: DeepReadonly<P>, context: ReconcileContext): Promise<Result | void> {
    const observed = await this.#children.observe(parent);
    const result = await this.#options.finalize!(parent, observed, context);
    const next = await this.#realize(parent, observed, result, context);
    if (!result.finalized) return next;
    await this.#release(parent);
  }

  async #realize(
    parent: DeepReadonly<P>,
    observed: ObservedChildren,
    { children, status, requeueAfter }: Outcome<P>,
    context: ReconcileContext,
  ): Promise<Result> {
    const { errors } = await this.#children.realize(parent, children, observed);
    // If the reconcile was aborted, the interrupted work did not fail.
    context.signal.throwIfAborted();
    if (status !== undefined) {
      await this.#report(parent, status).catch((error: unknown) => errors.push(error));
    }
    throwAll(errors);
    return { requeueAfter };
  }

  async #report(parent: DeepReadonly<P>, status: StatusOf<P>): Promise<void> {
    const { generation } = parent.metadata;
    const configuration = {
      metadata: keyOf(parent),
      status: { observedGeneration: generation, ...(status as object) },
    } as unknown as ApplyConfiguration<P>;
    try {
      const options = { fieldOwner: this.#name, force: true };
      await this.#client.status.apply(this.#options.parent, configuration as never, options);
    } catch (error) {
      // A deleted parent needs no status. A kind without a status is a NoSubresourceError.
      if (!isNotFound(error)) throw error;
    }
  }

  async #release(parent: DeepReadonly<P>): Promise<void> {
    await dropFinalizer(this.#client, this.#options.parent, parent, this.#finalizer);
  }

  get #finalizer(): string {
    return `runtime.ots/${this.#name}`;
  }
}
