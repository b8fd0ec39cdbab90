import type { Kind, KubernetesObject } from 'ots-kubernetes';
import { UsageError } from '../errors/usage-error.ts';

/**
 * Converts between the hub, the version through which every conversion goes, and one spoke, another version. Neither
 * direction may lose data: what one version cannot express is usually kept in an annotation. The caller sets
 * `apiVersion` and `kind`; of the metadata, only labels and annotations may change.
 */
export interface Conversion<Hub extends KubernetesObject, Spoke extends KubernetesObject> {
  /** The object in the hub version. Throwing fails the request. */
  convertTo(spoke: Spoke): Hub;
  /** The object in the spoke version. Throwing fails the request. */
  convertFrom(hub: Hub): Spoke;
}

/** Converts objects of one kind between its versions, through the hub. */
export class KindConverter {
  readonly hub: Kind;
  readonly #spokes: ReadonlyMap<string, Conversion<KubernetesObject, KubernetesObject>>;

  /** @param spokes by `apiVersion`. */
  constructor(hub: Kind, spokes: ReadonlyMap<string, Conversion<KubernetesObject, KubernetesObject>>) {
    this.hub = hub;
    this.#spokes = spokes;
  }

  /** @throws {UsageError} if a version is unknown, or the conversion changes the identity of the object. */
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
      `There is no conversion of ${this.hub.kind} between ${apiVersion} and ${this.hub.apiVersion}`,
      'Add it with withSpoke.',
    );
  }
}

const identity = ['name', 'namespace', 'uid'] as const;

/** The API server accepts only changes of labels and annotations in the metadata, so nothing else is copied. */
function finish(
  original: KubernetesObject,
  converted: KubernetesObject,
  apiVersion: string,
): KubernetesObject {
  const before = original.metadata;
  const what = `the conversion of ${original.kind} from ${original.apiVersion} to ${apiVersion}`;
  if (typeof converted !== 'object' || converted === null || 'then' in converted) {
    throw new UsageError(
      `${what} did not return an object`,
      'Return the converted object, and not a promise of it.',
    );
  }
  for (const field of identity) {
    // A field that the conversion omits is kept.
    const changed = converted.metadata?.[field] ?? before[field];
    if (changed === before[field]) continue;
    throw new UsageError(`${what} changes metadata.${field}`, 'Copy the metadata unchanged.');
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
