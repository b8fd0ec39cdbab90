import type { RecordedRequest } from 'ots-apiserver';
import type { Account, ReadPath } from 'ots-testing/tools';
import type { DevStore } from '../store/dev-store.ts';
import { RightsRecord } from './rights-record.ts';

/** Requests of one moment change the rights once. In milliseconds. */
const delayMs = 200;

/** Keeps the rights of a store up to date: what the operator may do, what it did, and what it was denied. */
export class FollowRights {
  readonly #store: DevStore;
  readonly #record = new RightsRecord();
  #timer: NodeJS.Timeout | undefined;

  constructor(store: DevStore) {
    this.#store = store;
  }

  /** Reads what the roles grant now. @param cluster reads as an administrator */
  async read(cluster: ReadPath, account: Account): Promise<void> {
    await this.#record.read(cluster, account);
    this.#publish();
  }

  /** @param request of the operator */
  add(request: RecordedRequest): void {
    if (this.#record.add(request)) this.#timer ??= setTimeout(() => this.#publish(), delayMs);
  }

  stop(): void {
    clearTimeout(this.#timer);
  }

  #publish(): void {
    this.stop();
    this.#timer = undefined;
    const value = this.#record.state;
    this.#store.apply({ type: 'rights', value });
    const missing = value.missing.map(({ rule }) => ({
      message: `The operator was denied what this rule grants:\n${rule}`,
      hint: 'Add the tag to the reconciler that needs it.',
    }));
    this.#store.report('rights', missing);
  }
}
