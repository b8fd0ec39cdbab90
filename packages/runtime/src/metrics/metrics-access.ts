import { createHash } from 'node:crypto';
import type { Client } from '../client/client.ts';
import type { Clock } from '../clock/clock.ts';
import type { Logger } from '../logging/logger.ts';
import { ExpiringCache } from './expiring-cache.ts';
import { SubjectAccessReview, TokenReview, type UserInfo } from './review-kinds.ts';

export interface MetricsAccessOptions {
  client: Client;
  clock: Clock;
  logger: Logger;
}

export interface Refusal {
  code: 401 | 403 | 500;
  message: string;
}

const authenticationAge = 60_000;
const allowedAge = 300_000;
const deniedAge = 30_000;

/**
 * Lets the API server decide who may read metrics: a TokenReview says who calls, a SubjectAccessReview whether the
 * caller may use the verb on the URL `/metrics`. Answers are remembered for a short time.
 */
export class MetricsAccess {
  readonly #client: Client;
  readonly #logger: Logger;
  readonly #users: ExpiringCache<UserInfo | undefined>;
  readonly #verdicts: ExpiringCache<boolean>;

  constructor({ client, clock, logger }: MetricsAccessOptions) {
    this.#client = client;
    this.#logger = logger;
    this.#users = new ExpiringCache(clock, () => authenticationAge);
    this.#verdicts = new ExpiringCache(clock, (allowed) => (allowed ? allowedAge : deniedAge));
  }

  /**
   * @param authorization the header of that name.
   * @returns why the request is refused, or undefined when it may pass.
   */
  async check(authorization: string | undefined, method: string): Promise<Refusal | undefined> {
    const token = /^bearer +(\S+)$/i.exec(authorization ?? '')?.[1];
    if (token === undefined) return { code: 401, message: 'Unauthorized' };
    try {
      // Tokens are not kept in memory: a hash tells them apart as well.
      const tokenHash = createHash('sha256').update(token).digest('base64');
      const user = await this.#users.get(tokenHash, () => this.#authenticate(token));
      if (!user) return { code: 401, message: 'Unauthorized' };
      const verb = method.toLowerCase();
      const allowed = await this.#verdicts.get(`${verb} ${JSON.stringify(user)}`, () =>
        this.#authorize(user, verb),
      );
      return allowed ? undefined : { code: 403, message: `${user.username} may not ${verb} /metrics` };
    } catch (error) {
      this.#logger.error({ err: error }, 'access to metrics could not be checked');
      return { code: 500, message: 'access could not be checked' };
    }
  }

  async #authenticate(token: string): Promise<UserInfo | undefined> {
    const review = await this.#client.create(TokenReview, {
      apiVersion: 'authentication.k8s.io/v1',
      kind: 'TokenReview',
      metadata: {},
      spec: { token },
    });
    return review.status?.authenticated ? review.status.user : undefined;
  }

  async #authorize({ username, uid, groups, extra }: UserInfo, verb: string): Promise<boolean> {
    const review = await this.#client.create(SubjectAccessReview, {
      apiVersion: 'authorization.k8s.io/v1',
      kind: 'SubjectAccessReview',
      metadata: {},
      spec: {
        user: username,
        ...(uid !== undefined && { uid }),
        ...(groups !== undefined && { groups }),
        ...(extra !== undefined && { extra }),
        nonResourceAttributes: { path: '/metrics', verb },
      },
    });
    return review.status?.allowed ?? false;
  }
}
