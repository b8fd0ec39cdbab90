import type { Logger } from '../logging/logger.ts';
import type { UserInfo } from '../metrics/review-kinds.ts';
import type { AdmissionRequest } from './admission-review.ts';

/** What a webhook handler may want to know beside the object. */
export interface AdmissionContext {
  operation: AdmissionRequest['operation'];
  /** Who sends the object. */
  user: UserInfo;
  /** Nothing will be stored: have no side effects. */
  dryRun: boolean;
  /** Such as `status`; absent for the object itself. */
  subresource?: string;
  /** Carries the webhook, the kind, the object's namespace and name, and the id of the request. */
  logger: Logger;
}
