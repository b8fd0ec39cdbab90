import type { KubernetesObject } from 'ots-kubernetes';
import type { StatusDetails } from '../client/api-error.ts';
import type { UserInfo } from '../metrics/review-kinds.ts';

/** What the API server asks of an admission webhook (`admission.k8s.io/v1`). */
export interface AdmissionRequest {
  uid: string;
  kind: { group: string; version: string; kind: string };
  resource: { group: string; version: string; resource: string };
  subResource?: string;
  name?: string;
  namespace?: string;
  operation: 'CREATE' | 'UPDATE' | 'DELETE' | 'CONNECT';
  userInfo: UserInfo;
  object?: KubernetesObject | null;
  oldObject?: KubernetesObject | null;
  dryRun?: boolean;
}

/** The answer: `uid` is added by whoever sends it. */
export interface AdmissionResponse {
  allowed: boolean;
  /** Base64 of a JSON patch. */
  patch?: string;
  patchType?: 'JSONPatch';
  warnings?: string[];
  status?: { code: number; reason: string; message: string; details?: StatusDetails };
}
