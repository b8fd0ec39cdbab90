import type { ObjectMeta } from 'ots-kubernetes';

/** An object as the server holds it: plain JSON whose type and metadata were checked, and whose rest is open. */
export interface ApiObject {
  apiVersion: string;
  kind: string;
  metadata: ObjectMeta;
  [field: string]: unknown;
}
