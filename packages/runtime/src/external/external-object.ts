import type { Condition, Kind, KubernetesObject } from 'ots-kubernetes';
import type { Client } from '../client/client.ts';
import type { ApplyConfiguration } from '../client/content.ts';
import type { RequestOptions } from '../client/request-options.ts';
import type { StatusOf } from '../composite/composite-options.ts';
import { hasFinalizer } from '../finalizers/finalizers.ts';
import { dropFinalizer } from '../finalizers/patch-finalizer.ts';
import type { DeepReadonly } from '../objects/deep-readonly.ts';
import { keyOf } from '../objects/object-key.ts';
import type { MergePatch } from '../objects/patches.ts';
import { type ExternalCondition, withConditions } from './external-conditions.ts';

/** Keeps an object until its external resource is gone. */
const externalFinalizer = 'runtime.ots/external';
const fieldOwner = 'ots-external';

/** What the writes need of a client. */
export type ExternalClient = Pick<Client, 'patch'> & {
  readonly status: Pick<Client['status'], 'apply' | 'patch'>;
};

type Annotations = Readonly<Record<string, string | null>>;

/** An object that describes an external resource, and what is written to it. */
export class ExternalObject<T extends KubernetesObject> {
  readonly #client: ExternalClient;
  readonly #kind: Kind<T>;
  #current: DeepReadonly<T>;

  constructor(client: ExternalClient, kind: Kind<T>, object: DeepReadonly<T>) {
    this.#client = client;
    this.#kind = kind;
    this.#current = object;
  }

  /** With what has been written so far. */
  get current(): DeepReadonly<T> {
    return this.#current;
  }

  get isFinalized(): boolean {
    return hasFinalizer(this.#current, externalFinalizer);
  }

  /**
   * Lets the server confirm that the object is still the one that was read, in the same request that stores the annotations and, unless
   * it is being deleted, the finalizer. A cache may be behind: a former leader may have done what this one is about to do.
   * @throws {ApiError} `isConflict` if it has changed or was replaced, `isNotFound` if it is gone.
   */
  async confirm(annotations: Annotations = {}): Promise<void> {
    const { uid, resourceVersion, finalizers = [], deletionTimestamp } = this.#current.metadata;
    const isMissing = !deletionTimestamp && !this.isFinalized;
    await this.#patchMetadata({
      uid,
      resourceVersion,
      annotations,
      ...(isMissing && { finalizers: [...finalizers, externalFinalizer] }),
    });
  }

  /** @throws {ApiError} `isConflict` if the object was replaced, `isNotFound` if it is gone. */
  async annotate(annotations: Annotations, options: RequestOptions): Promise<void> {
    await this.#patchMetadata({ uid: this.#current.metadata.uid, annotations }, options);
  }

  /**
   * Writes what has changed. The fields are applied, so this controller owns no others. The conditions are patched as a list: if a CRD
   * does not declare them as a map, an apply would remove those of others.
   * @param status undefined leaves the fields as they are.
   * @throws {ApiError} `isConflict` if the object has changed, `isNotFound` if it is gone.
   */
  async report(
    all: { Synced: ExternalCondition; Ready: ExternalCondition | undefined },
    status: StatusOf<T> | undefined,
    now: Date,
  ): Promise<void> {
    if (status !== undefined) {
      const configuration = { metadata: keyOf(this.#current), status } as unknown as ApplyConfiguration<T>;
      const options = { fieldOwner, force: true };
      const applied = await this.#client.status.apply(this.#kind, configuration as never, options);
      this.#current = applied as DeepReadonly<T>;
    }
    const conditions = withConditions(this.#current, all, now);
    const change = (draft: { status?: { conditions?: readonly DeepReadonly<Condition>[] } }): void => {
      draft.status = { ...draft.status, conditions };
    };
    const options = { fieldOwner, optimisticLock: true };
    this.#current = (await this.#client.status.patch(
      this.#kind,
      this.#current as never,
      change as never,
      options,
    )) as DeepReadonly<T>;
  }

  /** Lets the server delete the object. */
  async release(): Promise<void> {
    await dropFinalizer(this.#client, this.#kind, this.#current, externalFinalizer);
  }

  async #patchMetadata(metadata: object, options: RequestOptions = {}): Promise<void> {
    const patch = { metadata } as MergePatch<NoInfer<T>>;
    this.#current = (await this.#client.patch(this.#kind, keyOf(this.#current), patch, {
      ...options,
      fieldOwner,
      type: 'merge',
    })) as DeepReadonly<T>;
  }
}
