import type { Kind } from 'ots-kubernetes';
import type { Clock } from 'ots-apimachinery/clock/clock';
import { runInContext } from '../context/work-context.ts';
import type { Transport } from '../transport/transport.ts';

/** The resources of one version of a group, including subresources such as `jobs/status`. */
interface ApiResourceList {
  resources?: { name?: string }[] | null;
}

interface Lookup {
  askedAt: number;
  names: Promise<ReadonlySet<string>>;
}

/** How long a response stays valid, in milliseconds. Short, so a failure after a change of the CRD uses the new state. */
const knownFor = 5_000;

/** Finds out whether kinds have subresources. Asks the server at most every five seconds for each group and version. */
export class Subresources {
  readonly #transport: Transport;
  readonly #clock: Clock;
  readonly #lookups = new Map<string, Lookup>();

  /** Sends no request before the first call. */
  constructor(transport: Transport, clock: Clock) {
    this.#transport = transport;
    this.#clock = clock;
  }

  /** Returns true when the server has the kind without the subresource; false when it lacks the kind, or that is unknown. */
  async isMissing({ group, version, apiVersion, plural }: Kind, subresource: string): Promise<boolean> {
    let lookup = this.#lookups.get(apiVersion);
    if (!lookup || this.#clock.now() - lookup.askedAt >= knownFor) {
      const path = group === '' ? `/api/${version}` : `/apis/${group}/${version}`;
      lookup = { askedAt: this.#clock.now(), names: this.#ask(path) };
      this.#lookups.set(apiVersion, lookup);
    }
    const names = await lookup.names;
    return names.has(plural) && !names.has(`${plural}/${subresource}`);
  }

  /** Runs outside of the work of the first caller: others wait for the same response. */
  #ask(path: string): Promise<ReadonlySet<string>> {
    return runInContext({}, async () => {
      try {
        const request = { method: 'GET', path, resource: 'discovery' } as const;
        const { resources } = await this.#transport.request<ApiResourceList>(request);
        return new Set((resources ?? []).map(({ name = '' }) => name));
      } catch {
        return new Set<string>();
      }
    });
  }
}
