import { kubernetesVersion } from 'ots-apimachinery/kubernetes-version';
import type { JsonObject } from '../json/json-object.ts';
import type { Resource } from '../registry/resource.ts';
import { defineResources } from './define-resources.ts';
import { patchPaths } from './patch-operation.ts';

const { major, minor, patch } = kubernetesVersion;

/** The OpenAPI 3 document of one group and version. */
export function groupVersionDocument(resources: readonly Resource[]): JsonObject {
  return {
    openapi: '3.0.0',
    info: { title: 'Kubernetes', version: `v${major}.${minor}.${patch}` },
    paths: patchPaths(resources, 3),
    components: { schemas: defineResources(resources, 3) },
  };
}
