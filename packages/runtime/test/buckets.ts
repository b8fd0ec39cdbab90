import { fileURLToPath } from 'node:url';
import { type Condition, type KubernetesObject, defineKind } from 'ots-kubernetes';
import type { SimulatedApi } from 'ots-testing';
import type {
  ExternalContext,
  ExternalResource,
  ExternalResourceWithIds,
  Observation,
} from '../src/external/external-resource.ts';
import type { DeepReadonly } from '../src/objects/deep-readonly.ts';

/** The definition of the kind. */
export const bucketCrds = fileURLToPath(new URL('bucket-crds', import.meta.url));

/** A custom kind that describes something outside of the cluster, for tests. */
export interface Bucket extends KubernetesObject {
  apiVersion: 'example.com/v1';
  kind: 'Bucket';
  spec: { region: string; keep?: boolean };
  status?: { endpoint?: string; owner?: string; conditions?: Condition[] };
}

export const Bucket = defineKind<Bucket>({
  apiVersion: 'example.com/v1',
  kind: 'Bucket',
  plural: 'buckets',
  scope: 'Namespaced',
});

/** What the API knows of a bucket. */
export interface StoredBucket {
  region: string;
  /** Ready by default. */
  state?: 'creating' | 'deleting';
}

export function bucket(name: string, namespace = 'default'): Bucket {
  return {
    apiVersion: 'example.com/v1',
    kind: 'Bucket',
    metadata: { name, namespace },
    spec: { region: 'north' },
  };
}

type AnyBucket = DeepReadonly<Bucket>;

/** Buckets with names that the operator chooses. */
export class Buckets implements ExternalResource<Bucket, StoredBucket> {
  readonly api: SimulatedApi<StoredBucket>;

  constructor(api: SimulatedApi<StoredBucket>) {
    this.api = api;
  }

  async observe(
    { spec }: AnyBucket,
    { identity, signal }: ExternalContext,
  ): Promise<Observation<Bucket, StoredBucket> | undefined> {
    const observed = await this.api.get(identity, { signal });
    return (
      observed && {
        observed,
        upToDate: observed.region === spec.region,
        ready: observed.state ? `the bucket is ${observed.state}` : true,
        status: { endpoint: `https://${observed.region}.example.com/${identity}` },
      }
    );
  }

  async create({ spec }: AnyBucket, { identity, signal }: ExternalContext): Promise<void> {
    await this.api.create(identity, { region: spec.region }, { signal });
  }

  async update(
    { spec }: AnyBucket,
    observed: StoredBucket,
    { identity, signal }: ExternalContext,
  ): Promise<void> {
    await this.api.update(identity, { ...observed, region: spec.region }, { signal });
  }

  async delete(_: AnyBucket, observed: StoredBucket, { identity, signal }: ExternalContext): Promise<void> {
    if (observed.state !== 'deleting') await this.api.delete(identity, { signal });
  }
}

/** Buckets with IDs that the API assigns. */
export class BucketsWithIds implements ExternalResourceWithIds<Bucket, StoredBucket> {
  readonly assignsIds = true;
  readonly #named: Buckets;

  constructor(api: SimulatedApi<StoredBucket>) {
    this.#named = new Buckets(api);
  }

  observe(object: AnyBucket, context: ExternalContext): ReturnType<Buckets['observe']> {
    return this.#named.observe(object, context);
  }

  create({ spec }: AnyBucket, { signal }: ExternalContext): Promise<string> {
    return this.#named.api.createWithId({ region: spec.region }, { signal });
  }

  update(object: AnyBucket, observed: StoredBucket, context: ExternalContext): Promise<void> {
    return this.#named.update(object, observed, context);
  }

  delete(object: AnyBucket, observed: StoredBucket, context: ExternalContext): Promise<void> {
    return this.#named.delete(object, observed, context);
  }
}
