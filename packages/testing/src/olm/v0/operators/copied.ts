import type { DeepReadonly } from 'ots-runtime';
import type { ClusterServiceVersion } from '../kinds.ts';

/** Whether OLM has copied a ClusterServiceVersion into a namespace that its operator watches. */
export function isCopied({ metadata, status }: DeepReadonly<ClusterServiceVersion>): boolean {
  const home = metadata.annotations?.['olm.operatorNamespace'];
  const isElsewhere = home !== undefined && home !== metadata.namespace;
  return isElsewhere || status?.reason === 'Copied' || metadata.labels?.['olm.copiedFrom'] !== undefined;
}
