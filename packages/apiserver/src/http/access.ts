import type { IncomingMessage } from 'node:http';
import type { Authenticator } from '../authentication/authenticator.ts';
import { impersonate } from '../authorization/impersonate.ts';
import type { UserInfo } from '../authentication/user-info.ts';
import { notAuthorized } from '../authorization/forbidden.ts';
import type { Authorizer } from '../authorization/authorizer.ts';
import { isMaster } from '../authorization/rbac-authorizer.ts';
import { requestAttributes } from '../authorization/request-attributes.ts';
import type { Machinery } from '../registry/machinery.ts';
import type { ApiRequest } from './api-request.ts';

/** Who sends a request, and whether they may. */
export class Access {
  readonly #authenticator: Authenticator;
  readonly #authorizer: Authorizer;

  constructor({ authenticator, authorizer }: Machinery) {
    this.#authenticator = authenticator;
    this.#authorizer = authorizer;
  }

  /**
   * The user that a request acts as.
   *
   * @throws {StatusError} 401 for invalid credentials, 403 for an impersonation that is not allowed
   */
  userOf(incoming: IncomingMessage): UserInfo {
    return impersonate(this.#authenticator.authenticate(incoming), incoming, this.#authorizer);
  }

  /** @throws {StatusError} 403 when the user of the request may not do what it asks for */
  authorize(request: ApiRequest): void {
    if (isMaster(request.user)) return;
    const attributes = requestAttributes(request.user, request);
    const { allowed, reason } = this.#authorizer.authorize(attributes);
    if (!allowed) throw notAuthorized(attributes, reason);
  }
}
