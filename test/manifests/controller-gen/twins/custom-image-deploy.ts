import { type KubernetesObject, defineKind, type int32 } from 'ots-runtime';

/** CustomImageDeploySpec is what is wanted of a CustomImageDeploy. */
interface CustomImageDeploySpec {
  /** The image and its tag. */
  image?: string;
  /** How many pods run it. */
  size: int32;
  /** The port that its container listens on. */
  port: int32;
}

/** CustomImageDeployStatus is what is seen of a CustomImageDeploy. */
interface CustomImageDeployStatus {}

/** CustomImageDeploy runs an image. */
export interface CustomImageDeploy extends KubernetesObject {
  apiVersion: 'customimagedeploy.example.com/v1';
  kind: 'CustomImageDeploy';
  spec?: CustomImageDeploySpec;
  status?: CustomImageDeployStatus;
}
export const CustomImageDeploy = defineKind<CustomImageDeploy>({
  apiVersion: 'customimagedeploy.example.com/v1',
  kind: 'CustomImageDeploy',
  plural: 'customimagedeploys',
  scope: 'Namespaced',
});
