import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { StatusError } from '../status/status-error.ts';
import { type ServiceAccountTokens, tokenIssuer } from './service-account-tokens.ts';
import { type Authentication, TokenError } from './token-error.ts';
import type { UserInfo } from './user-info.ts';

/** The audience of requests to this server. */
const ownAudiences = [tokenIssuer];

/** Finds out who sends a request. */
export class Authenticator {
  readonly #users: ReadonlyMap<string, UserInfo>;
  readonly #tokens: ServiceAccountTokens;
  readonly #withoutCredentials: UserInfo;

  /**
   * @param users the users by their token
   * @param tokens the tokens of ServiceAccounts
   * @param withoutCredentials who a client without credentials is
   */
  constructor(
    users: ReadonlyMap<string, UserInfo>,
    tokens: ServiceAccountTokens,
    withoutCredentials: UserInfo,
  ) {
    this.#users = new Map([...users].map(([token, user]) => [digest(token), user]));
    this.#tokens = tokens;
    this.#withoutCredentials = withoutCredentials;
  }

  /** @throws {StatusError} 401 for credentials that are not valid */
  authenticate(incoming: IncomingMessage): UserInfo {
    const token = bearerToken(incoming);
    if (token === undefined) return this.#withoutCredentials;
    try {
      return this.authenticateToken(token).user;
    } catch (error) {
      if (error instanceof TokenError) throw new StatusError(401, 'Unauthorized', 'Unauthorized');
      throw error;
    }
  }

  /**
   * Who a token is.
   *
   * @param audiences the audiences of which the token must have one; default: this server
   * @throws {TokenError} for a token that is not valid
   */
  authenticateToken(token: string, audiences: readonly string[] = ownAudiences): Authentication {
    const user = this.#users.get(digest(token));
    const common = ownAudiences.filter((audience) => audiences.includes(audience));
    if (user && common.length > 0) return { user, audiences: common };
    const invalid = 'invalid bearer token';
    try {
      const found = this.#tokens.authenticate(token, audiences);
      if (found) return found;
    } catch (error) {
      if (!(error instanceof TokenError)) throw error;
      throw new TokenError(`[${invalid}, ${error.message}]`);
    }
    throw new TokenError(invalid);
  }
}

function bearerToken({ headers: { authorization = '' } }: IncomingMessage): string | undefined {
  return /^bearer +(\S+) *$/i.exec(authorization)?.[1];
}

/** Tokens are found by their digest, so how long a search takes says nothing about the tokens. */
function digest(token: string): string {
  return createHash('sha256').update(token).digest('base64');
}
