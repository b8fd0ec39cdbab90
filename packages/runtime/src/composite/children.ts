import { isLabelValue } from 'ots-apimachinery/names';
import type { Kind, KubernetesObject } from 'ots-kubernetes';
import type { Cache } from '../cache/cache.ts';
import { isApplied } from '../client/applied.ts';
import type { Client } from '../client/client.ts';
import { type ApiError, isConflict, isNotFound } from '../errors/api-error.ts';
import { errorMessage } from '../errors/error-message.ts';
import { isOfAnother } from '../errors/is-of-another.ts';
import { isOfValidation } from '../errors/is-of-validation.ts';
import { UsageError } from '../errors/usage-error.ts';
import type { EventRecorder } from '../events/event-recorder.ts';
import type { DeepReadonly } from '../objects/deep-readonly.ts';
import { type ObjectKey, keyOf } from '../objects/object-key.ts';
import { AlreadyOwnedError, controllerOf, isControlledBy } from '../objects/owner-references.ts';
import { checkReplacement } from './check-replacement.ts';
import type { ChildRule, ImmutablePolicy } from './composite-options.ts';
import type { AnyDesiredChild } from './desired-child.ts';
import { ObservedChildren } from './observed-children.ts';
import { ownedChild } from './owned-child.ts';
import type { KindedChild } from './surplus-children.ts';
import { wouldChange } from './would-change.ts';

/** What a manager provides for managing children: its clients, its cache and its events. */
export interface ChildrenSource {
  /** Reads from the cache, writes to the server. */
  readonly client: Pick<Client, 'apply' | 'create' | 'delete' | 'get' | 'list'>;
  /** Finds children by their owners, and knows which of their kinds the server has. */
  readonly cache: Pick<Cache, 'add' | 'addIndex' | 'informer'>;
  /** Records failures. */
  eventRecorder(controller: string): Pick<EventRecorder, 'event'>;
  /** Reads from the server. */
  readonly apiReader: Pick<Client, 'get'>;
}

export interface ChildrenOptions {
  /** Owns the fields of the children, and is the value of their label. */
  readonly name: string;
  readonly owner: Kind;
  readonly kinds: readonly Kind[];
}

/** The label that distinguishes the children of a controller from those of another controller of the same owner. */
export const controllerLabel = 'runtime.ots/controller';

/** Finds the objects that an owner controls, by its uid. */
const controllerIndex = controllerLabel;

function controllerUid(child: DeepReadonly<KubernetesObject>): string[] {
  const uid = controllerOf(child)?.uid;
  return uid === undefined ? [] : [uid];
}

/** Why and how a child is replaced. */
interface Replacement {
  existing: DeepReadonly<KubernetesObject>;
  policy: Exclude<ImmutablePolicy, 'Fail'>;
  /** What the server said about the change. */
  refusal: ApiError;
}

/** A name that is also the value of a label and the second part of a finalizer. */
const namePattern = /^[-a-z0-9.]+$/;

/**
 * The objects that one controller keeps for objects of one kind: the owner is their controller by owner
 * reference, and they carry the controller's label. It does not change other objects with the same name.
 */
export class Children {
  readonly #source: ChildrenSource;
  readonly #options: ChildrenOptions;

  /** @throws {UsageError} when the name cannot be a label, or the owner cannot own such a kind. */
  constructor(source: ChildrenSource, options: ChildrenOptions) {
    if (!namePattern.test(options.name) || !isLabelValue(options.name)) {
      throw new UsageError(
        `${JSON.stringify(options.name)} cannot name a controller of children: the name becomes a label value`,
        'Use at most 63 lower-case letters, digits, dashes and dots.',
      );
    }
    const unreachable = options.kinds.find(({ scope }) => scope === 'Cluster');
    if (options.owner.scope === 'Namespaced' && unreachable) {
      throw new UsageError(
        `${options.owner.kind} cannot own ${unreachable.kind}, which has no namespace`,
        'Let a cluster-scoped object own it, or delete it with a finalizer.',
      );
    }
    this.#source = source;
    this.#options = options;
    for (const kind of options.kinds) {
      source.cache.addIndex(kind, controllerIndex, controllerUid);
    }
  }

  /** Returns the children of the owner that are in the cache. */
  async observe(owner: DeepReadonly<KubernetesObject>): Promise<ObservedChildren> {
    const { namespace, uid = '' } = owner.metadata;
    const observed = new ObservedChildren(namespace);
    for (const kind of this.#options.kinds) {
      const { items } = await this.#source.client.list(kind, { index: { [controllerIndex]: uid } });
      for (const item of items) if (this.#isOurs(owner, item)) observed.note(kind, item);
    }
    return observed;
  }

  /**
   * Applies one desired child.
   * @param labels in addition to that of the controller.
   * @returns the current child; undefined while an old object with its name is being deleted or replaced, or while the
   *   cache has not yet seen that another object has its name: when it does, the owner is reconciled again.
   * @throws {AlreadyOwnedError} if the name belongs to an object with another owner, which stays unchanged.
   * @throws {ApiError} `isConflict` when the child is gone and the cache has not seen that yet.
   */
  async apply(
    owner: DeepReadonly<KubernetesObject>,
    { kind, updateStrategy = 'InPlace', onImmutable = 'Fail' }: ChildRule,
    desired: AnyDesiredChild,
    labels?: Readonly<Record<string, string>>,
  ): Promise<DeepReadonly<KubernetesObject> | undefined> {
    const allLabels = { ...labels, [controllerLabel]: this.#options.name };
    const configuration = ownedChild(owner, kind, desired, allLabels);
    const key = keyOf(configuration as DeepReadonly<KubernetesObject>);
    const existing = await this.#find(owner, kind, key);
    if (existing?.metadata.deletionTimestamp) return undefined;
    if (!existing) return this.#send(kind, configuration, false);
    if (updateStrategy === 'OnDelete') return existing;
    if (isApplied(configuration, existing, this.#options.name, undefined)) return existing;
    if (updateStrategy === 'Recreate') return this.#recreate(kind, configuration, existing);
    try {
      return await this.#change(kind, configuration, existing);
    } catch (error) {
      if (onImmutable === 'Fail' || !isOfValidation(error)) throw error;
      await this.#replace(owner, kind, configuration, { existing, policy: onImmutable, refusal: error });
      return undefined;
    }
  }

  /** Whether the server has the kind, as far as the cache knows. When that changes, the owner is reconciled again. */
  isAvailable(kind: Kind): boolean {
    return this.#source.cache.informer(kind).exists;
  }

  /**
   * Deletes exactly this child. Does nothing if it is already being deleted, is gone, or another object has its name.
   * @param propagationPolicy what happens to the objects that the child owns.
   * @throws {ApiError} if the child is still there.
   */
  async remove(
    kind: Kind,
    child: DeepReadonly<KubernetesObject>,
    propagationPolicy: 'Background' | 'Foreground' | 'Orphan' = 'Background',
  ): Promise<void> {
    if (child.metadata.deletionTimestamp) return;
    try {
      await this.#source.client.delete(kind, child, { propagationPolicy });
    } catch (error) {
      const isGone = isNotFound(error) && !error.foreign;
      if (!isGone && !(isConflict(error) && (await this.#isReplaced(kind, child)))) throw error;
    }
  }

  /** Whether a child is gone. A server that is busy also says 409, and then no event would lead to another attempt. */
  async #isReplaced(kind: Kind, child: DeepReadonly<KubernetesObject>): Promise<boolean> {
    const live = await this.#source.apiReader.get(kind, keyOf(child));
    return live?.metadata.uid !== child.metadata.uid;
  }

  /**
   * Removes several children at the same time. A failure does not stop the others.
   * @returns the errors.
   */
  async removeAll(children: readonly KindedChild[]): Promise<unknown[]> {
    const results = await Promise.allSettled(children.map(({ kind, child }) => this.remove(kind, child)));
    return results.filter((result) => result.status === 'rejected').map(({ reason }): unknown => reason);
  }

  /** Returns the object with this name if the owner controls it. It may exist even if it is not in the cache. */
  async #find(
    owner: DeepReadonly<KubernetesObject>,
    kind: Kind,
    key: ObjectKey,
  ): Promise<DeepReadonly<KubernetesObject> | undefined> {
    const { client, apiReader } = this.#source;
    // An apply would take over any existing object, so check it first.
    const existing = (await client.get(kind, key)) ?? (await apiReader.get(kind, key));
    if (!existing || this.#isOurs(owner, existing)) return existing;
    if (isControlledBy(existing, owner) && !existing.metadata.labels?.[controllerLabel]) return existing;
    const error = new AlreadyOwnedError(existing, controllerOf(existing));
    this.#source.eventRecorder(this.#options.name).event(owner, {
      type: 'Warning',
      reason: 'AlreadyOwned',
      action: 'ApplyChild',
      note: `${error.message}. ${error.hint}`,
      related: existing,
    });
    throw error;
  }

  /** A label that was edited by hand does not make the child another controller's: the server knows who applied it. */
  #isOurs(owner: DeepReadonly<KubernetesObject>, child: DeepReadonly<KubernetesObject>): boolean {
    const { name } = this.#options;
    if (!isControlledBy(child, owner)) return false;
    const { labels, managedFields = [] } = child.metadata;
    return (
      labels?.[controllerLabel] === name ||
      managedFields.some(({ manager, operation }) => manager === name && operation === 'Apply')
    );
  }

  /**
   * Changes exactly this child. Returns undefined when another object has its name: the server compares the uid of the
   * configuration with that of the object.
   */
  async #change(
    kind: Kind,
    configuration: AnyDesiredChild,
    { metadata: { uid } }: DeepReadonly<KubernetesObject>,
  ): Promise<DeepReadonly<KubernetesObject> | undefined> {
    const metadata = { ...configuration.metadata, uid };
    try {
      return await this.#send(kind, { ...configuration, metadata }, true);
    } catch (error) {
      if (isOfAnother(error)) return undefined;
      throw error;
    }
  }

  /**
   * Deletes a child of which the server refuses a change but would accept a replacement. The watch reconciles the owner
   * again when it is gone.
   * @throws {ApiError} if the server would refuse the replacement, too.
   */
  async #replace(
    owner: DeepReadonly<KubernetesObject>,
    kind: Kind,
    configuration: AnyDesiredChild,
    { existing, policy, refusal }: Replacement,
  ): Promise<void> {
    const { client } = this.#source;
    await checkReplacement(client, kind, configuration, this.#options.name);
    this.#source.eventRecorder(this.#options.name).event(owner, {
      type: 'Normal',
      reason: 'ReplacingChild',
      action: 'DeleteChild',
      note: `${kind.kind} ${existing.metadata.name} cannot be changed, so it is created again: ${errorMessage(refusal)}`,
      related: existing,
    });
    await this.remove(kind, existing, policy === 'Orphan' ? 'Orphan' : 'Foreground');
  }

  /** Deletes the child if it differs. Returns undefined then, and while another object has its name. */
  async #recreate(
    kind: Kind,
    configuration: AnyDesiredChild,
    existing: DeepReadonly<KubernetesObject>,
  ): Promise<DeepReadonly<KubernetesObject> | undefined> {
    const { client, apiReader } = this.#source;
    const fieldOwner = this.#options.name;
    // The cached object may be older than the one that the server compares with, or lack some of its fields.
    const live = await apiReader.get(kind, keyOf(existing));
    if (!live || live.metadata.uid !== existing.metadata.uid) return undefined;
    if (!(await wouldChange(client, kind, configuration, live, fieldOwner))) return existing;
    await this.remove(kind, existing);
    return undefined;
  }

  /** @param force takes back fields that were changed by hand. */
  async #send(
    kind: Kind,
    configuration: AnyDesiredChild,
    force: boolean,
  ): Promise<DeepReadonly<KubernetesObject>> {
    return this.#source.client.apply(kind, configuration, { fieldOwner: this.#options.name, force });
  }
}
