import { createHash } from 'node:crypto';
import type { Client } from '../client/client.ts';
import type { Clock } from 'ots-apimachinery/clock/clock';
import { KeyedLimit } from 'ots-apimachinery/clock/keyed-limit';
import type { Logger } from '../logging/logger.ts';
import { ExpiringCache } from './expiring-cache.ts';
import type { UserInfo } from '../objects/user-info.ts';
import { SubjectAccessReview, TokenReview } from './review-kinds.ts';
import { withReviewRetries } from './review-retries.ts';

export interface MetricsAccessOptions {
  client: Pick<Client, 'create'>;
  clock: Clock;
  logger: Logger;
}

/** The caller, as described by the request. */
export interface Caller {
  /** The header of that name. */
  authorization: string | undefined;
  /** The IP address that the request comes from. */
  address: string | undefined;
}

export interface Refusal {
  code: 401 | 403 | 429 | 500;
  message: string;
}

/** How long results stay valid, in milliseconds, as in controller-runtime. */
const authenticationAge = 60_000;
const allowedAge = 300_000;
const deniedAge = 30_000;
/** How many unknown tokens to accept from each address: each of them costs a review. */
const unknownTokens = { burst: 10, interval: 1000, capacity: 1000 };
/** The minimum time between two log lines about a flood of tokens, in milliseconds. */
const quietTime = 60_000;

const unauthorized: Refusal = { code: 401, message: 'Unauthorized' };
const tooMany: Refusal = { code: 429, message: 'too many unknown tokens' };
const unchecked: Refusal = { code: 500, message: 'cannot check access' };

/**
 * Lets the API server decide who may read metrics: a TokenReview identifies the caller, and a SubjectAccessReview checks
 * whether the caller may use the verb on the path. Results are cached for a short time, and concurrent requests with the
 * same token share one review. An address that sends many different tokens is throttled: otherwise anyone who can reach
 * the port could flood the API server in the name of the operator, as they can with Kubernetes' own delegated
 * authentication.
 */
export class MetricsAccess {
  readonly #options: MetricsAccessOptions;
  readonly #users: ExpiringCache<UserInfo | undefined>;
  readonly #verdicts: ExpiringCache<boolean>;
  readonly #limit: KeyedLimit;
  #toldAt = Number.NEGATIVE_INFINITY;

  constructor(options: MetricsAccessOptions) {
    this.#options = options;
    this.#users = new ExpiringCache(options.clock, () => authenticationAge);
    this.#verdicts = new ExpiringCache(options.clock, (allowed) => (allowed ? allowedAge : deniedAge));
    this.#limit = new KeyedLimit(options.clock, unknownTokens);
  }

  /**
   * @param path a served path: the results for each path are cached.
   * @returns why the request is refused; undefined when it is allowed.
   */
  async check(
    { authorization, address = '' }: Caller,
    method: string,
    path: string,
  ): Promise<Refusal | undefined> {
    const token = /^bearer +(\S+)$/i.exec(authorization ?? '')?.[1];
    if (token === undefined) return unauthorized;
    try {
      // Do not keep tokens in memory: a hash identifies them too.
      const tokenHash = createHash('sha256').update(token).digest('base64');
      if (!this.#users.has(tokenHash) && !this.#limit.admits(address)) return this.#holdBack(address);
      const user = await this.#users.get(tokenHash, () => this.#authenticate(token));
      if (!user) return unauthorized;
      const verb = method.toLowerCase();
      const allowed = await this.#verdicts.get(JSON.stringify([verb, path, user]), () =>
        this.#authorize(user, verb, path),
      );
      return allowed ? undefined : { code: 403, message: `${user.username} may not ${verb} ${path}` };
    } catch (error) {
      this.#options.logger.error({ err: error }, 'cannot check access to metrics');
      return unchecked;
    }
  }

  #holdBack(address: string): Refusal {
    const { clock, logger } = this.#options;
    if (clock.now() - this.#toldAt >= quietTime) {
      this.#toldAt = clock.now();
      logger.warn({ address }, 'too many unknown tokens sent to the metrics endpoint from one address');
    }
    return tooMany;
  }

  async #authenticate(token: string): Promise<UserInfo | undefined> {
    const { client, clock } = this.#options;
    const review = await withReviewRetries(clock, (signal) =>
      client.create(
        TokenReview,
        { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenReview', metadata: {}, spec: { token } },
        { signal },
      ),
    );
    return review.status?.authenticated ? review.status.user : undefined;
  }

  async #authorize({ username, uid, groups, extra }: UserInfo, verb: string, path: string): Promise<boolean> {
    const { client, clock } = this.#options;
    const spec = {
      user: username,
      ...(uid !== undefined && { uid }),
      ...(groups !== undefined && { groups }),
      ...(extra !== undefined && { extra }),
      nonResourceAttributes: { path, verb },
    };
    const review = await withReviewRetries(clock, (signal) =>
      client.create(
        SubjectAccessReview,
        { apiVersion: 'authorization.k8s.io/v1', kind: 'SubjectAccessReview', metadata: {}, spec },
        { signal },
      ),
    );
    return review.status?.allowed ?? false;
  }
}
