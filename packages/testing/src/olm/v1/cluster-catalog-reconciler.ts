import { createHash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { type DeepReadonly, type Reconciler, type Request, type Result, setCondition } from 'ots-runtime';
import type { Condition } from 'ots-kubernetes';
import { catalogOf } from '../content/catalog.ts';
import { ContentError, documentsIn } from '../content/documents.ts';
import { thawed } from '../thawed.ts';
import { ClusterCatalog } from './kinds.ts';
import { type V1Context, systemNamespace } from './v1-context.ts';

/** When catalogd tries again what has failed. */
const againMs = 10_000;
const nameLabel = 'olm.operatorframework.io/metadata.name';

type Status = NonNullable<ClusterCatalog['status']>;

/** Serves the content of a ClusterCatalog. */
export class ClusterCatalogReconciler implements Reconciler {
  readonly #context: V1Context;

  constructor(context: V1Context) {
    this.#context = context;
  }

  async reconcile({ name }: Request): Promise<Result | void> {
    const { cache, catalogd, served } = this.#context;
    const catalog = cache.get(ClusterCatalog, { name });
    if (!catalog) {
      served.delete(name);
      return;
    }
    if (catalog.metadata.labels?.[nameLabel] !== name) {
      await catalogd.patch(ClusterCatalog, { name }, { metadata: { labels: { [nameLabel]: name } } });
      return;
    }
    const { status, result } = this.#unpack(catalog);
    if (!isDeepStrictEqual(catalog.status, status))
      await catalogd.status.update(ClusterCatalog, { ...thawed(catalog), status });
    return result;
  }

  #unpack(catalog: DeepReadonly<ClusterCatalog>): { status: Status; result?: Result } {
    const { served, images } = this.#context;
    const { name = '' } = catalog.metadata;
    const { source, availabilityMode } = catalog.spec;
    const before = catalog.status ? thawed(catalog.status) : {};
    if (availabilityMode === 'Unavailable') {
      served.delete(name);
      const message = 'Catalog availability mode is set to Unavailable';
      const { conditions } = before;
      return {
        status: {
          conditions: this.#with(catalog, conditions, [
            { type: 'Progressing', status: 'True', reason: 'Succeeded', message },
            { type: 'Serving', status: 'False', reason: 'UserSpecifiedUnavailable', message },
          ]),
        },
      };
    }
    const { ref, pollIntervalMinutes } = source.image!;
    const directory = images.get(ref);
    try {
      if (directory === undefined)
        throw new ContentError(
          `source catalog content: error creating image source: reading manifest of ${ref}: not found`,
        );
      served.set(name, catalogOf(documentsIn(directory)));
    } catch (error) {
      if (!(error instanceof ContentError)) throw error;
      const message = directory === undefined ? error.message : `error storing fbc: ${error.message}`;
      const progressing = { type: 'Progressing', status: 'True', reason: 'Retrying', message } as const;
      return {
        status: { ...before, conditions: this.#with(catalog, before.conditions, [progressing]) },
        result: { requeueAfter: againMs },
      };
    }
    return {
      status: this.#serving(catalog, before, ref),
      ...(pollIntervalMinutes !== undefined && { result: { requeueAfter: pollIntervalMinutes * 60_000 } }),
    };
  }

  #serving(catalog: DeepReadonly<ClusterCatalog>, before: Status, ref: string): Status {
    const resolved = ref.includes('@') ? ref : `${ref.replace(/:[^:/]*$/, '')}@sha256:${digestOf(ref)}`;
    const isSame = before.resolvedSource?.image.ref === resolved && before.lastUnpacked !== undefined;
    return {
      resolvedSource: { type: 'Image', image: { ref: resolved } },
      urls: { base: `https://catalogd-service.${systemNamespace}.svc/catalogs/${catalog.metadata.name}` },
      lastUnpacked: isSame ? before.lastUnpacked! : this.#context.now(),
      conditions: this.#with(catalog, before.conditions, [
        {
          type: 'Progressing',
          status: 'True',
          reason: 'Succeeded',
          message: 'Successfully unpacked and stored content from resolved source',
        },
        {
          type: 'Serving',
          status: 'True',
          reason: 'Available',
          message: 'Serving desired content from resolved source',
        },
      ]),
    };
  }

  #with(
    { metadata }: DeepReadonly<ClusterCatalog>,
    before: Condition[] | undefined,
    conditions: readonly { type: string; status: 'True' | 'False'; reason: string; message: string }[],
  ): Condition[] {
    const observedGeneration = metadata.generation!;
    let all = before ?? [];
    for (const each of conditions)
      all = setCondition(all, { ...each, observedGeneration }, this.#context.date());
    return all;
  }
}

/** The digest of a simulated image: its name decides. */
function digestOf(ref: string): string {
  return createHash('sha256').update(ref).digest('hex');
}
