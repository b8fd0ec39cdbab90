import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { StatusError } from '../status/status-error.ts';
import type { UserInfo } from './user-info.ts';

/** Finds out who sends a request. */
export class Authenticator {
  readonly #users: ReadonlyMap<string, UserInfo>;
  readonly #withoutCredentials: UserInfo;

  /**
   * @param users the users by their token
   * @param withoutCredentials who a client without credentials is
   */
  constructor(users: ReadonlyMap<string, UserInfo>, withoutCredentials: UserInfo) {
    this.#users = new Map([...users].map(([token, user]) => [digest(token), user]));
    this.#withoutCredentials = withoutCredentials;
  }

  /** @throws {StatusError} 401 for credentials that are not valid */
  authenticate(incoming: IncomingMessage): UserInfo {
    const token = bearerToken(incoming);
    if (token === undefined) return this.#withoutCredentials;
    const user = this.userOfToken(token);
    if (!user) throw new StatusError(401, 'Unauthorized', 'Unauthorized');
    return user;
  }

  /** Undefined for a token that is not valid. */
  userOfToken(token: string): UserInfo | undefined {
    return this.#users.get(digest(token));
  }
}

function bearerToken({ headers: { authorization = '' } }: IncomingMessage): string | undefined {
  return /^bearer +(\S+) *$/i.exec(authorization)?.[1];
}

/** Tokens are found by their digest, so how long a search takes says nothing about the tokens. */
function digest(token: string): string {
  return createHash('sha256').update(token).digest('base64');
}
