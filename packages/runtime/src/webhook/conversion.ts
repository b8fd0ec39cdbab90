import type { KubernetesObject } from 'ots-kubernetes';

/**
 * Converts between the hub, the version that everything converts through, and one spoke, another version. Both ways
 * must lose nothing: what one side cannot say is usually kept in an annotation. `apiVersion` and `kind` are set by
 * the caller; of the metadata only labels and annotations may change.
 */
export interface Conversion<Hub extends KubernetesObject, Spoke extends KubernetesObject> {
  /** The object as the hub says it. What it throws fails the request. */
  convertTo(spoke: Spoke): Hub;
  /** The object as the spoke says it. What it throws fails the request. */
  convertFrom(hub: Hub): Spoke;
}
