import type { ApiError } from './api-error.ts';
import { missingRule } from './missing-rule.ts';
import { RuntimeError } from './runtime-error.ts';

/**
 * RBAC denied a request of a manager with `failOnDenied`. The message has the `@rbac` tag that is missing, and the
 * reconcilers or controllers that it is missing from, as far as they are known.
 */
export class AccessDeniedError extends RuntimeError {
  /** Stable; to branch on. */
  readonly code = 'ACCESS_DENIED';

  /** @param authors the reconcilers that sent the request, or that watch what could not be listed. */
  constructor(denial: ApiError, authors: readonly string[]) {
    const missing = `${missingRule(denial.message)} is missing`;
    super(
      `${missing}${authors.length === 0 ? '' : ` from ${authors.join(', ')}`}: ${denial.message}`,
      'Add the tag to the comment of the class that needs it, then run npm run manifests.',
      denial,
    );
  }
}
