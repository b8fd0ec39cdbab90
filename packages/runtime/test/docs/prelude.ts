import type {
  Client,
  Condition,
  DeepReadonly,
  KubernetesObject,
  Manager,
  ReconcileContext,
  Request,
} from 'ots-runtime';

/** As docs/runtime/getting-started.md defines it. */
interface App extends KubernetesObject {
  apiVersion: 'apps.example.com/v1';
  kind: 'MyApp';
  spec: { image: string; replicas?: number };
  status?: { readyReplicas?: number; observedGeneration?: number; conditions?: Condition[] };
}

/** What the examples of docs/runtime take for granted, as its README says. */
declare global {
  const manager: Manager;
  const client: Client;
  const app: DeepReadonly<App>;
  const request: Request;
  const context: ReconcileContext;
}
