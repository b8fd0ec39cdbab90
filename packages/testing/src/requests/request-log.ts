import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { RecordedRequest } from 'ots-apiserver';
import { TestEnvironmentError } from '../errors/test-environment-error.ts';
import { rbacRecord } from './rbac-record.ts';
import { RecentRequests } from './recent-requests.ts';
import { type Identity, userOf } from './user-of.ts';

/** About 20 MB, unless webhooks return long annotations. */
const maxRequests = 50_000;

/** The requests that a server received: the last 50,000, in the order in which their responses began. */
export class RequestLog {
  readonly #recent = new RecentRequests(maxRequests);
  readonly #refresh: () => Promise<void>;

  /**
   * @param refresh adds what has not been added yet
   * @internal
   */
  constructor(refresh: (log: RequestLog) => Promise<void> = () => Promise.resolve()) {
    this.#refresh = () => refresh(this);
  }

  /** Adds a request. @internal */
  add(request: RecordedRequest): void {
    this.#recent.add(request);
  }

  /** The requests of all users. */
  async all(): Promise<RecordedRequest[]> {
    await this.#refresh();
    return this.#recent.all();
  }

  /**
   * The requests of one user. `manager.idle()` asks the server, too: it lists each kind that is cached.
   *
   * ```ts
   * const requests = await environment.requests.by(operator);
   * expect(requests.filter(({ verb }) => verb === 'patch')).toHaveLength(2);
   * ```
   */
  async by(identity: Identity): Promise<RecordedRequest[]> {
    const user = userOf(identity);
    return (await this.all()).filter((request) => request.user === user);
  }

  /** Forgets all requests: what is recorded then came after this call. */
  async clear(): Promise<void> {
    await this.#refresh();
    this.#recent.clear();
  }

  /**
   * Writes what a user asked for to a file, for `ots manifests --rbac-from <file>`, and for `ots check` if it is in `coverage/rbac`. The
   * format is `RbacRecord`, in JSON. Creates the directory of the file.
   *
   * @throws {TestEnvironmentError} when there were more requests than the log keeps; the error of the file system
   */
  async write(file: string, identity: Identity): Promise<void> {
    const record = rbacRecord(userOf(identity), await this.complete(identity));
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(file, `${JSON.stringify(record, undefined, 2)}\n`);
  }

  /**
   * All requests of a user.
   *
   * @throws {TestEnvironmentError} when the log does not have all
   * @internal
   */
  async complete(identity: Identity): Promise<RecordedRequest[]> {
    const requests = await this.by(identity);
    if (this.#recent.dropped === 0) return requests;
    throw new TestEnvironmentError(
      `The log of requests dropped ${this.#recent.dropped}: it keeps ${maxRequests}`,
      'Start the environment for fewer tests, or call requests.clear() before what matters.',
    );
  }
}
