import type { Logger } from '../logging/logger.ts';
import type { UserInfo } from '../objects/user-info.ts';
import type { DeepReadonly } from '../objects/deep-readonly.ts';
import type { AdmissionRequest } from './admission-review.ts';

/** What a webhook handler may want to know beside the object. */
export interface AdmissionContext {
  /** What is done to the object. */
  operation: AdmissionRequest['operation'];
  /** Who sends the object. */
  user: UserInfo;
  /** Nothing will be stored: have no side effects. */
  dryRun: boolean;
  /** Such as `status`; absent for the object itself. */
  subresource?: string;
  /** All that the API server says of the request. */
  request: DeepReadonly<AdmissionRequest>;
  /**
   * Aborts when the API server hangs up or its timeout is over (`timeoutSeconds` of the webhook configuration): the
   * answer comes too late. Pass it on to whatever the handler waits for.
   */
  signal: AbortSignal;
  /** Carries the webhook, the kind, the object's namespace and name, and the id of the request. */
  logger: Logger;
  /**
   * Shows a message to whoever sends the object, as `kubectl` does in yellow, whether the object is accepted or
   * refused. One short line; the API server cuts it off at 256 characters when there are many.
   */
  warn: (message: string) => void;
}
