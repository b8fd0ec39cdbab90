import { timestamp } from '../../registry/machinery.ts';
import type { Answer } from '../../registry/resource.ts';

/** Who asks? This server knows nobody: everybody is who an unauthenticated request is on a real one. */
export const selfSubjectReview: Answer = (machinery, _target, { kind, apiVersion }) => ({
  kind,
  apiVersion,
  metadata: { creationTimestamp: timestamp(machinery) },
  status: { userInfo: { username: 'system:anonymous', groups: ['system:unauthenticated'] } },
});
