import type { KubernetesObject } from 'ots-kubernetes';
import type { StatusDetails } from '../errors/api-error.ts';
import type { JsonPatchOperation } from '../objects/patches.ts';
import type { UserInfo } from '../objects/user-info.ts';

/** A kind as admission reviews name it. */
export interface AdmissionKind {
  /** Empty for the core group. */
  group: string;
  /** Such as `v1`. */
  version: string;
  /** Such as `Deployment`. */
  kind: string;
}

/** A resource as admission reviews name it. */
export interface AdmissionResource {
  /** Empty for the core group. */
  group: string;
  /** Such as `v1`. */
  version: string;
  /** The plural, such as `deployments`. */
  resource: string;
}

/** A request of the API server to an admission webhook (`admission.k8s.io/v1`, and `v1beta1`, which is the same). */
export interface AdmissionRequest {
  /** The uid of this request, not of the object. */
  uid: string;
  /** The kind of the objects in this review, in the version that the rules of the webhook name. */
  kind: AdmissionKind;
  /** The one that `kind` belongs to. */
  resource: AdmissionResource;
  /** Such as `status`; absent for the object itself. */
  subResource?: string;
  /** The kind that was sent originally: in another version than `kind` if `matchPolicy: Equivalent` made it match. */
  requestKind?: AdmissionKind;
  /** The original resource. */
  requestResource?: AdmissionResource;
  /** The original subresource. */
  requestSubResource?: string;
  /** Absent if the server generates the name from `metadata.generateName`. */
  name?: string;
  /** Of the object; absent for cluster-scoped kinds. */
  namespace?: string;
  /** What is done to the object. */
  operation: 'CREATE' | 'UPDATE' | 'DELETE' | 'CONNECT';
  /** Who asks. */
  userInfo: UserInfo;
  /** The new object; for CONNECT the options, such as `PodExecOptions`. Null for DELETE. */
  object?: KubernetesObject | null;
  /** The object as it is stored, for UPDATE and DELETE. */
  oldObject?: KubernetesObject | null;
  /** Nothing will be stored: the handler must have no side effects. False if absent. */
  dryRun?: boolean;
  /** `CreateOptions`, `UpdateOptions` or `DeleteOptions`. */
  options?: Record<string, unknown> | null;
}

/** The response, without the `uid`, which is added when it is sent. */
export interface AdmissionResponse {
  allowed: boolean;
  /** Base64 of a JSON patch. */
  patch?: string;
  patchType?: 'JSONPatch';
  warnings?: string[];
  auditAnnotations?: Record<string, string>;
  status?: { code: number; reason: string; message: string; details?: StatusDetails };
}

/** Accepts a request and changes its object. */
export function patchResponse(patch: readonly JsonPatchOperation[]): AdmissionResponse {
  if (patch.length === 0) return { allowed: true };
  return {
    allowed: true,
    patchType: 'JSONPatch',
    patch: Buffer.from(JSON.stringify(patch)).toString('base64'),
  };
}
