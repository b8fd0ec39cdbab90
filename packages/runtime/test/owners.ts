import { fileURLToPath } from 'node:url';
import { type Condition, type KubernetesObject, defineKind } from 'ots-kubernetes';
import type { PlanStatus } from '../src/workflow/plan-status.ts';

/** The definitions of the two kinds. */
export const ownerCrds = fileURLToPath(new URL('owner-crds', import.meta.url));

/** A custom kind that owns other objects, for tests. */
export interface App extends KubernetesObject {
  apiVersion: 'example.com/v1';
  kind: 'App';
  spec: { parts?: string[]; text?: string };
  status?: { observedGeneration?: number; parts?: number; conditions?: Condition[]; upgrade?: PlanStatus };
}

export const App = defineKind<App>({
  apiVersion: 'example.com/v1',
  kind: 'App',
  plural: 'apps',
  scope: 'Namespaced',
});

/** A cluster-scoped one. */
export interface Fleet extends KubernetesObject {
  apiVersion: 'example.com/v1';
  kind: 'Fleet';
  spec: { namespaces?: string[] };
}

export const Fleet = defineKind<Fleet>({
  apiVersion: 'example.com/v1',
  kind: 'Fleet',
  plural: 'fleets',
  scope: 'Cluster',
});
