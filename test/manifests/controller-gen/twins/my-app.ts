import type { EnvVar, ResourceRequirements } from 'ots-kubernetes/core/v1';
import { type KubernetesObject, defineKind, type int32 } from 'ots-runtime';

/** MyAppSpec is what is wanted of a MyApp. */
interface MyAppSpec {
  /** How many pods run. @minimum 0 @default 1 */
  replicas?: int32;
  /** What they run. @minLength 1 */
  image: string;
  /** What the pods may take. */
  resources?: ResourceRequirements;
  /** The environment of the containers. @listType map @listMapKey name */
  env?: EnvVar[];
}

/** MyAppStatus is what is seen of a MyApp. */
interface MyAppStatus {
  /** How many pods are ready. */
  readyReplicas?: int32;
  /** The labels of the pods, for those who scale them. */
  selector?: string;
}

/**
 * MyApp is an application.
 * @shortName ma
 * @category all
 * @subresource status
 * @scale specReplicasPath=.spec.replicas statusReplicasPath=.status.readyReplicas labelSelectorPath=.status.selector
 * @printcolumn {name: Replicas, type: integer, jsonPath: .spec.replicas}
 * @printcolumn {name: Image, type: string, jsonPath: .spec.image}
 * @printcolumn {name: Age, type: date, jsonPath: .metadata.creationTimestamp}
 */
export interface MyApp extends KubernetesObject {
  apiVersion: 'apps.example.com/v1alpha1';
  kind: 'MyApp';
  spec: MyAppSpec;
  status?: MyAppStatus;
}
export const MyApp = defineKind<MyApp>({
  apiVersion: 'apps.example.com/v1alpha1',
  kind: 'MyApp',
  plural: 'myapps',
  scope: 'Namespaced',
});
