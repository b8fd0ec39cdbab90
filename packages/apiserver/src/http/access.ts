import type { HttpRequest } from './http-message.ts';
import type { Authenticator } from '../authentication/authenticator.ts';
import { impersonate } from '../authorization/impersonate.ts';
import type { UserInfo } from '../authentication/user-info.ts';
import type { Decision } from '../authorization/attributes.ts';
import { notAuthorized } from '../authorization/forbidden.ts';
import type { Authorizer } from '../authorization/authorizer.ts';
import { isMaster } from '../authorization/rbac-authorizer.ts';
import { requestAttributes } from '../authorization/request-attributes.ts';
import type { Machinery } from '../registry/machinery.ts';
import type { ApiRequest } from './api-request.ts';

/** The decision about a user who may do everything. */
const anything: Decision = { allowed: true, reason: '' };

/** Who sends a request, and whether they may. */
export class Access {
  readonly #authenticator: Authenticator;
  readonly #authorizer: Authorizer;

  constructor({ authenticator, authorizer }: Machinery) {
    this.#authenticator = authenticator;
    this.#authorizer = authorizer;
  }

  /** @throws {StatusError} 401 for invalid credentials */
  clientOf(incoming: HttpRequest): UserInfo {
    return this.#authenticator.authenticate(incoming);
  }

  /**
   * The user that a request of a client acts as.
   *
   * @throws {StatusError} 403 for an impersonation that is not allowed
   */
  actingUser(client: UserInfo, incoming: HttpRequest): UserInfo {
    return impersonate(client, incoming, this.#authorizer);
  }

  /** @throws {StatusError} 403 when the user of the request may not do what it asks for */
  authorize(request: ApiRequest): void {
    const { user, audit } = request;
    const attributes = isMaster(user) ? undefined : requestAttributes(user, request);
    const { allowed, reason } = attributes ? this.#authorizer.authorize(attributes) : anything;
    audit?.add('authorization.k8s.io/decision', allowed ? 'allow' : 'forbid');
    audit?.add('authorization.k8s.io/reason', reason);
    if (attributes && !allowed) throw notAuthorized(attributes, reason);
  }
}
