import { createHash } from 'node:crypto';
import type { HttpRequest } from '../http/http-message.ts';
import { TLSSocket } from 'node:tls';
import { StatusError } from '../status/status-error.ts';
import { bearerToken, removeWebSocketToken, webSocketToken } from './bearer-token.ts';
import type { ClientCertificates } from './client-certificates.ts';
import { type Authentication, CredentialError } from './credential-error.ts';
import { type ServiceAccountTokens, tokenIssuer } from './service-account-tokens.ts';
import { type UserInfo, anonymous, authenticated } from './user-info.ts';

/** The audience of requests to this server. */
const ownAudiences = [tokenIssuer];

/** What an {@link Authenticator} knows. */
export interface Credentials {
  /** Users by their token. */
  readonly users: ReadonlyMap<string, UserInfo>;
  /** The tokens of ServiceAccounts. */
  readonly tokens: ServiceAccountTokens;
  /** The certificates of clients. */
  readonly certificates: ClientCertificates;
  /** Who a client without credentials is over plain HTTP. Over TLS it is `system:anonymous`. */
  readonly withoutTls: UserInfo;
}

/** Finds out who sends a request. */
export class Authenticator {
  readonly #users: ReadonlyMap<string, UserInfo>;
  readonly #tokens: ServiceAccountTokens;
  readonly #certificates: ClientCertificates;
  readonly #withoutTls: UserInfo;

  constructor({ users, tokens, certificates, withoutTls }: Credentials) {
    this.#users = new Map([...users].map(([token, user]) => [digest(token), authenticated(user)]));
    this.#tokens = tokens;
    this.#certificates = certificates;
    this.#withoutTls = withoutTls;
  }

  /**
   * Who sends a request. The first valid credentials count: the certificate, the token, the token of a WebSocket.
   *
   * @throws {StatusError} 401 when all credentials are invalid
   */
  authenticate(incoming: HttpRequest): UserInfo {
    const { headers, socket } = incoming;
    const isTls = socket instanceof TLSSocket;
    if (!isTls && headers.authorization === undefined && headers.upgrade === undefined)
      return this.#withoutTls;
    let isRefused = false;
    const methods = [
      () => this.#byCertificate(incoming),
      () => this.#byToken(incoming),
      () => this.#byWebSocket(incoming),
    ];
    for (const find of methods) {
      try {
        const user = find();
        if (user) return user;
      } catch (error) {
        if (!(error instanceof CredentialError)) throw error;
        isRefused = true;
      }
    }
    if (isRefused) throw new StatusError(401, 'Unauthorized', 'Unauthorized');
    return isTls ? anonymous : this.#withoutTls;
  }

  #byCertificate({ socket }: HttpRequest): UserInfo | undefined {
    return socket instanceof TLSSocket ? this.#certificates.userOf(socket) : undefined;
  }

  #byToken(incoming: HttpRequest): UserInfo | undefined {
    const token = bearerToken(incoming);
    return token === undefined ? undefined : this.authenticateToken(token).user;
  }

  #byWebSocket(incoming: HttpRequest): UserInfo | undefined {
    const token = webSocketToken(incoming);
    if (token === undefined) return undefined;
    const { user } = this.authenticateToken(token);
    removeWebSocketToken(incoming);
    return user;
  }

  /**
   * Who a token is.
   *
   * @param audiences the audiences of which the token must have one; default: this server
   * @throws {CredentialError} for a token that is not valid
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
      if (!(error instanceof CredentialError)) throw error;
      throw new CredentialError(`[${invalid}, ${error.message}]`);
    }
    throw new CredentialError(invalid);
  }
}

/** Tokens are found by their digest, so how long a search takes says nothing about the tokens. */
function digest(token: string): string {
  return createHash('sha256').update(token).digest('base64');
}
