import type { ObjectMeta } from 'ots-kubernetes';

/** An object as the server holds it: plain JSON with a checked type and metadata and arbitrary other fields. */
export interface ApiObject {
  apiVersion: string;
  kind: string;
  metadata: ObjectMeta;
  [field: string]: unknown;
}
