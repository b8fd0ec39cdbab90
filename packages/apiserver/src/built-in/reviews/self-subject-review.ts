import { timestamp } from '../../registry/machinery.ts';
import type { Answer } from '../../registry/resource.ts';

/** SelfSubjectReview: who is the client? This server knows no users, so every client is an unauthenticated one. */
export const selfSubjectReview: Answer = (machinery, _target, { kind, apiVersion }) => ({
  kind,
  apiVersion,
  metadata: { creationTimestamp: timestamp(machinery) },
  status: { userInfo: { username: 'system:anonymous', groups: ['system:unauthenticated'] } },
});
