import {
  type Condition,
  type KubernetesObject,
  defineKind,
  type int32,
  type int64,
} from 'ots-runtime';

/** The desired state of Boat. */
export interface BoatSpec {
  /**
   * The text of the Boat. This field and the ones below are examples: replace them with your own,
   * then run `npm run manifests`.
   * @minLength 1
   * @maxLength 256
   */
  message: string;
  /**
   * The number of copies.
   * @minimum 0
   * @maximum 100
   * @default 1
   */
  replicas?: int32;
  /**
   * Whether the controller acts on the Boat.
   * @default Active
   */
  mode?: 'Active' | 'Paused';
}

/** The observed state of Boat. */
export interface BoatStatus {
  /** The generation of the spec that this status reflects. */
  observedGeneration?: int64;
  /**
   * The current conditions of the Boat; `Ready` summarizes them.
   * @listType map
   * @listMapKey type
   */
  conditions?: Condition[];
}

/**
 * Boat is an API of bundled.
 * @subresource status
 * @printcolumn {name: Ready, type: string, jsonPath: '.status.conditions[?(@.type=="Ready")].status'}
 * @printcolumn {name: Age, type: date, jsonPath: .metadata.creationTimestamp}
 * @storageVersion
 */
export interface Boat extends KubernetesObject {
  apiVersion: 'sea.example.com/v1';
  kind: 'Boat';
  spec: BoatSpec;
  status?: BoatStatus;
}

export const Boat = defineKind<Boat>({
  apiVersion: 'sea.example.com/v1',
  kind: 'Boat',
  plural: 'boats',
  scope: 'Namespaced',
});
