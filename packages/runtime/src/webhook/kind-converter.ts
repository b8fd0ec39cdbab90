import type { Kind, KubernetesObject } from 'ots-kubernetes';
import { UsageError } from '../errors/usage-error.ts';
import type { Conversion } from './conversion.ts';

/** Converts objects of one kind between its versions, through the hub. */
export class KindConverter {
  readonly hub: Kind;
  readonly #spokes: ReadonlyMap<string, Conversion<KubernetesObject, KubernetesObject>>;

  /** @param spokes by `apiVersion`. */
  constructor(hub: Kind, spokes: ReadonlyMap<string, Conversion<KubernetesObject, KubernetesObject>>) {
    this.hub = hub;
    this.#spokes = spokes;
  }

  /** @throws {UsageError} when a version is not known, or the conversion changes the identity of the object. */
  convert(object: KubernetesObject, apiVersion: string): KubernetesObject {
    if (object.apiVersion === apiVersion) return object;
    const hub = this.#step(object, this.hub.apiVersion);
    return hub.apiVersion === apiVersion ? hub : this.#step(hub, apiVersion);
  }

  /** One conversion, to the hub or from it. */
  #step(object: KubernetesObject, apiVersion: string): KubernetesObject {
    if (object.apiVersion === apiVersion) return object;
    const toHub = apiVersion === this.hub.apiVersion;
    const spoke = this.#spoke(toHub ? object.apiVersion : apiVersion);
    const draft = structuredClone(object);
    return finish(object, toHub ? spoke.convertTo(draft) : spoke.convertFrom(draft), apiVersion);
  }

  #spoke(apiVersion: string): Conversion<KubernetesObject, KubernetesObject> {
    const spoke = this.#spokes.get(apiVersion);
    if (spoke) return spoke;
    throw new UsageError(
      `there is no conversion of ${this.hub.kind} between ${apiVersion} and ${this.hub.apiVersion}`,
      'Add it with withSpoke.',
    );
  }
}

/** The API server accepts no change of the metadata but of labels and annotations, so nothing else is taken over. */
function finish(
  original: KubernetesObject,
  converted: KubernetesObject,
  apiVersion: string,
): KubernetesObject {
  const { name, namespace, uid } = { ...original.metadata, ...converted.metadata };
  const before = original.metadata;
  if (name !== before.name || namespace !== before.namespace || uid !== before.uid) {
    throw new UsageError(
      `the conversion to ${apiVersion} changes the name, namespace or uid of ${original.kind} ${before.name}`,
      'Take over the metadata as it is.',
    );
  }
  const { labels: _labels, annotations: _annotations, ...kept } = before;
  const { labels, annotations } = converted.metadata ?? before;
  return {
    ...converted,
    apiVersion,
    kind: original.kind,
    metadata: { ...kept, ...(labels && { labels }), ...(annotations && { annotations }) },
  };
}
