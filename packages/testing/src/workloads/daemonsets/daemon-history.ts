import { type Client, controllerReference, isAlreadyExists } from 'ots-runtime';
import { ControllerRevision, DaemonSet } from 'ots-kubernetes/apps/v1';
import { Pod } from 'ots-kubernetes/core/v1';
import { claim } from '../pods/claim.ts';
import { controlledBy, orphansBeside } from '../pods/controlled.ts';
import { labelSelectorMatcher } from '../pods/label-selector-matcher.ts';
import type { CachedPod } from '../pods/pod-state.ts';
import { podTemplateHash } from '../pods/pod-template-hash.ts';
import { dataText, revisionData } from '../revisions/revision-data.ts';
import type { CachedRevision } from '../revisions/revision-history.ts';
import type { WorkloadContext } from '../workload-context.ts';
import { type CachedDaemonSet, hashLabel } from './daemon-pod.ts';

/** The revisions of a DaemonSet: of its template, and the others, the oldest first. */
export interface DaemonRevisions {
  readonly current: CachedRevision;
  readonly old: readonly CachedRevision[];
}

/** The templates that a DaemonSet had, as ControllerRevisions with the hashes of templates. */
export class DaemonHistory {
  readonly #context: WorkloadContext;
  readonly #client: Client;

  /** @param client writes in the name of the controller */
  constructor(context: WorkloadContext, client: Client) {
    this.#context = context;
    this.#client = client;
  }

  /** Claims the revisions; that of the template becomes the newest or is created. @param pods those of the set */
  async construct(set: CachedDaemonSet, pods: readonly CachedPod[]): Promise<DaemonRevisions> {
    const known: CachedRevision[] = [];
    for (const revision of await this.#claim(set)) known.push(await this.#labeled(revision));
    const text = dataText(revisionData(set.spec.template));
    const equal = known.filter(({ data }) => dataText(data) === text);
    const old = known.filter((revision) => !equal.includes(revision));
    const number = Math.max(0, ...old.map(({ revision }) => revision)) + 1;
    const kept = equal.toSorted((a, b) => a.revision - b.revision).at(-1);
    if (!kept) return { current: await this.#create(set, number), old };
    await this.#removeDuplicates(kept, equal, pods);
    const current =
      kept.revision < number
        ? await this.#client.update(ControllerRevision, { ...kept, revision: number })
        : kept;
    return { current, old };
  }

  /** Deletes the oldest revisions that no pod has, down to the limit. */
  async truncate(
    set: CachedDaemonSet,
    old: readonly CachedRevision[],
    pods: readonly CachedPod[],
  ): Promise<void> {
    const used = new Set(pods.map(({ metadata }) => metadata.labels?.[hashLabel]));
    const unused = old
      .filter(({ metadata }) => !used.has(metadata.labels?.[hashLabel]))
      .toSorted((a, b) => a.revision - b.revision);
    const excess = Math.max(0, old.length - (set.spec.revisionHistoryLimit ?? 10));
    for (const { metadata } of unused.slice(0, excess))
      await this.#client.delete(ControllerRevision, { name: metadata.name!, namespace: metadata.namespace });
  }

  #claim(set: CachedDaemonSet): Promise<CachedRevision[]> {
    const { cache, apiReader } = this.#context.manager;
    const kind = ControllerRevision;
    return claim(
      { client: this.#client, live: apiReader },
      {
        kind,
        candidates: [...controlledBy(cache, kind, set), ...orphansBeside(cache, kind, set)],
        ownerKind: DaemonSet,
        owner: set,
        selects: labelSelectorMatcher(set.spec.selector),
      },
    );
  }

  /** A revision that was adopted has its name as its hash. */
  async #labeled(revision: CachedRevision): Promise<CachedRevision> {
    const { metadata } = revision;
    if (metadata.labels?.[hashLabel] !== undefined) return revision;
    const labels = { ...metadata.labels, [hashLabel]: metadata.name! };
    return this.#client.update(ControllerRevision, { ...revision, metadata: { ...metadata, labels } });
  }

  /** Pods of a duplicate become those of the revision that is kept. */
  async #removeDuplicates(
    kept: CachedRevision,
    equal: readonly CachedRevision[],
    pods: readonly CachedPod[],
  ): Promise<void> {
    if (equal.length === 1) return;
    const hash = kept.metadata.labels![hashLabel]!;
    for (const { metadata } of pods.filter((pod) => pod.metadata.labels?.[hashLabel] !== hash)) {
      const { name = '', namespace } = metadata;
      await this.#client.patch(Pod, { name, namespace }, { metadata: { labels: { [hashLabel]: hash } } });
    }
    for (const { metadata } of equal.filter((revision) => revision !== kept))
      await this.#client.delete(ControllerRevision, { name: metadata.name!, namespace: metadata.namespace });
  }

  async #create(set: CachedDaemonSet, revision: number): Promise<CachedRevision> {
    const { template } = set.spec;
    const { name: setName, namespace, annotations } = set.metadata;
    const hash = podTemplateHash(template, set.status?.collisionCount);
    const name = `${setName}-${hash}`;
    const data = revisionData(template);
    try {
      return await this.#client.create(ControllerRevision, {
        apiVersion: 'apps/v1',
        kind: 'ControllerRevision',
        metadata: {
          name,
          ...(namespace !== undefined && { namespace }),
          labels: { ...template.metadata?.labels, [hashLabel]: hash },
          ...(annotations && { annotations }),
          ownerReferences: [controllerReference(set)],
        },
        data,
        revision,
      });
    } catch (error) {
      if (!isAlreadyExists(error)) throw error;
      const existing = await this.#context.manager.apiReader.getOrThrow(ControllerRevision, {
        name,
        namespace,
      });
      if (dataText(existing.data) === dataText(data)) return existing;
      const collisionCount = (set.status?.collisionCount ?? 0) + 1;
      await this.#client.status.update(DaemonSet, {
        ...set,
        status: { ...set.status!, collisionCount },
      });
      throw error;
    }
  }
}
