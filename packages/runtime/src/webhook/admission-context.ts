import type { Logger } from '../logging/logger.ts';
import type { UserInfo } from '../objects/user-info.ts';
import type { DeepReadonly } from '../objects/deep-readonly.ts';
import type { AdmissionRequest } from './admission-review.ts';

/** What a webhook handler can use besides the object. */
export interface AdmissionContext {
  /** What is done to the object. */
  operation: AdmissionRequest['operation'];
  /** Who sends the object. */
  user: UserInfo;
  /** Nothing will be stored: the handler must have no side effects. */
  dryRun: boolean;
  /** Such as `status`; absent for the object itself. */
  subresource?: string;
  /** The whole request of the API server. */
  request: DeepReadonly<AdmissionRequest>;
  /**
   * Aborts when the API server hangs up or its timeout is over (`timeoutSeconds` of the webhook configuration): the
   * response would be too late. Pass it to everything that the handler waits for.
   */
  signal: AbortSignal;
  /** Logs with the webhook, the kind, the object's namespace and name, and the id of the request. */
  logger: Logger;
  /**
   * Shows a warning to the sender of the object, whether the object is accepted or refused; `kubectl` prints it in
   * yellow. Use one short line: if there are many, the API server truncates each at 256 characters.
   */
  warn: (message: string) => void;
}
