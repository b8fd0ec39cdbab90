import { labelMatcher } from 'ots-apimachinery/selectors/label-matcher';
import { selectorRequirements } from 'ots-apimachinery/selectors/selector-requirements';
import { type Client, type DeepReadonly, controllerReference, isAlreadyExists } from 'ots-runtime';
import type { Kind, KubernetesObject } from 'ots-kubernetes';
import { ControllerRevision } from 'ots-kubernetes/apps/v1';
import type { PodTemplateSpec } from 'ots-kubernetes/core/v1';
import type { LabelSelector } from 'ots-kubernetes/meta/v1';
import { claim } from '../pods/claim.ts';
import { controlledBy, orphansBeside } from '../pods/controlled.ts';
import type { WorkloadContext } from '../workload-context.ts';
import { type RevisionData, dataText, revisionData, revisionHash } from './revision-data.ts';

/** A revision of the cache. */
export type CachedRevision = DeepReadonly<ControllerRevision>;

/** An object whose templates are kept as revisions. */
interface RevisedObject extends KubernetesObject {
  spec: { selector: LabelSelector; template: PodTemplateSpec };
}

/** A revision, and how many collisions of names its creation has found in total. */
interface CreatedRevision {
  readonly revision: CachedRevision;
  readonly collisionCount: number;
}

const maxPrefixLength = 223;
const hashLabel = 'controller.kubernetes.io/hash';

/** The templates that an object had, as ControllerRevisions. */
export class RevisionHistory {
  readonly #context: WorkloadContext;
  readonly #client: Client;
  readonly #ownerKind: Kind;

  /** @param client writes in the name of the controller */
  constructor(context: WorkloadContext, client: Client, ownerKind: Kind) {
    this.#context = context;
    this.#client = client;
    this.#ownerKind = ownerKind;
  }

  /** The revisions that an owner controls and selects, the oldest first. It adopts orphans. */
  async list(owner: DeepReadonly<RevisedObject>): Promise<CachedRevision[]> {
    const { cache, apiReader } = this.#context.manager;
    const selects = labelMatcher(selectorRequirements(owner.spec.selector));
    const kind = ControllerRevision;
    const candidates = [...controlledBy(cache, kind, owner), ...orphansBeside(cache, kind, owner)]
      .filter(({ metadata }) => selects(metadata.labels))
      .toSorted(byRevision);
    const clients = { client: this.#client, live: apiReader };
    return claim(clients, { kind, candidates, ownerKind: this.#ownerKind, owner, selects });
  }

  /**
   * The revision of the owner's template: a known one, which becomes the newest, or a new one.
   *
   * @param known the result of {@link list}
   * @param collisionCount those that the status of the owner counts
   */
  async update(
    owner: DeepReadonly<RevisedObject>,
    known: readonly CachedRevision[],
    collisionCount: number,
  ): Promise<CreatedRevision> {
    const data = revisionData(owner.spec.template);
    const text = dataText(data);
    const newest = known.at(-1);
    const equal = known.findLast((revision) => dataText(revision.data) === text);
    const number = (newest?.revision ?? 0) + 1;
    if (!equal) return this.#create(owner, data, number, collisionCount);
    if (equal === newest || dataText(newest!.data) === text) return { revision: newest!, collisionCount };
    const revision = await this.#client.update(ControllerRevision, { ...equal, revision: number });
    return { revision, collisionCount };
  }

  /**
   * Deletes the oldest revisions that are not used, down to a limit.
   *
   * @param known the oldest first
   * @param used the names of those that must stay
   */
  async truncate(known: readonly CachedRevision[], used: ReadonlySet<string>, limit: number): Promise<void> {
    const unused = known.filter(({ metadata }) => !used.has(metadata.name!));
    for (const { metadata } of unused.slice(0, Math.max(0, unused.length - limit))) {
      await this.#client.delete(ControllerRevision, { name: metadata.name!, namespace: metadata.namespace });
    }
  }

  async #create(
    owner: DeepReadonly<RevisedObject>,
    data: RevisionData,
    number: number,
    collisionCount: number,
  ): Promise<CreatedRevision> {
    const { name: ownerName = '', namespace, annotations } = owner.metadata;
    // Further hashes are in the name alone.
    const labels = {
      ...owner.spec.template.metadata?.labels,
      [hashLabel]: revisionHash(data, collisionCount),
    };
    for (let collisions = collisionCount; ; collisions++) {
      const name = `${ownerName.slice(0, maxPrefixLength)}-${revisionHash(data, collisions)}`;
      const revision: ControllerRevision = {
        apiVersion: 'apps/v1',
        kind: 'ControllerRevision',
        metadata: {
          name,
          ...(namespace !== undefined && { namespace }),
          labels,
          ...(annotations && { annotations }),
          ownerReferences: [controllerReference(owner)],
        },
        data,
        revision: number,
      };
      try {
        const created = await this.#client.create(ControllerRevision, revision);
        return { revision: created, collisionCount: collisions };
      } catch (error) {
        if (!isAlreadyExists(error)) throw error;
        const existing = await this.#context.manager.apiReader.getOrThrow(ControllerRevision, {
          name,
          namespace,
        });
        if (dataText(existing.data) === dataText(data))
          return { revision: existing, collisionCount: collisions };
      }
    }
  }
}

function byRevision(a: CachedRevision, b: CachedRevision): number {
  return (
    a.revision - b.revision ||
    Date.parse(a.metadata.creationTimestamp ?? '') - Date.parse(b.metadata.creationTimestamp ?? '') ||
    (a.metadata.name! < b.metadata.name! ? -1 : 1)
  );
}
