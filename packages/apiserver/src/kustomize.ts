export type { Manifest } from './client/read-manifests.ts';
export { readObjects } from './kustomize/build.ts';
