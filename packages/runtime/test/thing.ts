import { fileURLToPath } from 'node:url';
import { type KubernetesObject, defineKind } from 'ots-kubernetes';

/** The definition of the kind. */
export const thingCrds = fileURLToPath(new URL('crds', import.meta.url));

/** A custom kind for tests. */
export interface Thing extends KubernetesObject {
  apiVersion: 'example.com/v1';
  kind: 'Thing';
  spec: { size: number; text?: string };
  status?: { size?: number };
}

export const Thing = defineKind<Thing>({
  apiVersion: 'example.com/v1',
  kind: 'Thing',
  plural: 'things',
  scope: 'Namespaced',
});

export function thing(name: string, size = 1): Thing {
  return {
    apiVersion: 'example.com/v1',
    kind: 'Thing',
    metadata: { name, namespace: 'default' },
    spec: { size },
  };
}

export function thingPath(name: string): string {
  return `/apis/example.com/v1/namespaces/default/things/${name}`;
}
