import type { Kind } from 'ots-kubernetes';
import type { Clock } from 'ots-apimachinery/clock/clock';
import { currentWork, runInContext } from '../context/work-context.ts';
import type { UnstructuredObject } from '../objects/unstructured.ts';
import type { Transport } from '../transport/transport.ts';
import { unlessAborted } from '../signals/until-aborted.ts';
import { discover } from './discover.ts';
import { NoKindMatchError } from './mapping-errors.ts';
import { Subresources } from './subresources.ts';

/** A kind without its version, or a resource by its plural. `group` is empty for the core group. */
export type GroupKind = { group: string; kind: string } | { group: string; resource: string };

/** How long to wait for the server. */
export interface MappingOptions {
  /** Stops waiting when it aborts. By default the signal of the reconcile that makes the call. */
  signal?: AbortSignal | undefined;
}

export interface RestMapperOptions {
  /** The transport's clock by default. */
  clock?: Clock | undefined;
}

/** The minimum time between two lookups of missing kinds, in milliseconds, however often callers request them. */
const missingFor = 5_000;

interface Snapshot {
  readonly kinds: readonly Kind<UnstructuredObject>[];
  readonly loadedAt: number;
}

/**
 * Finds kinds by their names. It asks the server once which kinds it has, and again, at most every five seconds, when a
 * caller requests a missing kind. So it finds a CRD that is installed later, and a missing one costs two requests every
 * five seconds for all callers together.
 */
export class RestMapper {
  readonly #transport: Transport;
  readonly #clock: Clock;
  readonly #subresources: Subresources;
  #snapshot: Snapshot | undefined;
  #loading: Promise<Snapshot> | undefined;

  /**
   * Sends no request before the first call.
   * @internal
   */
  constructor(transport: Transport, { clock = transport.clock }: RestMapperOptions = {}) {
    this.#transport = transport;
    this.#clock = clock;
    this.#subresources = new Subresources(transport, clock);
  }

  /**
   * Finds the kind with this name, for objects without a type in the program.
   * @param apiVersion `group/version`, or the version alone for the core group.
   * @throws {NoKindMatchError} when the server has no such kind.
   * @throws {ApiError}, {ConnectionError} if discovery fails. The reason of the signal if it aborts.
   */
  async kindFor(
    apiVersion: string,
    kind: string,
    options: MappingOptions = {},
  ): Promise<Kind<UnstructuredObject>> {
    const [found] = await this.#find(
      (known) => known.apiVersion === apiVersion && known.kind === kind,
      options,
    );
    if (found) return found;
    throw new NoKindMatchError(
      `The API server has no kind ${kind} in ${apiVersion}`,
      'Install its CRD, or check the apiVersion.',
    );
  }

  /**
   * Finds all versions of a kind that the server has, the preferred one first.
   * @throws {NoKindMatchError} when the server does not have the kind.
   * @throws {ApiError}, {ConnectionError} if discovery fails. The reason of the signal if it aborts.
   */
  async kindsOf(wanted: GroupKind, options: MappingOptions = {}): Promise<Kind<UnstructuredObject>[]> {
    const found = await this.#find(
      ({ group, kind, plural }) =>
        group === wanted.group && ('kind' in wanted ? kind === wanted.kind : plural === wanted.resource),
      options,
    );
    if (found.length > 0) return found;
    const name = 'kind' in wanted ? wanted.kind : wanted.resource;
    throw new NoKindMatchError(
      `The API server has no ${name} in ${wanted.group === '' ? 'the core group' : wanted.group}`,
      'Install its CRD, or check the group.',
    );
  }

  /**
   * Returns true if the server has the kind, in this version and with this plural. A kind that was found stays available
   * until a request of the client shows that it is gone (`isKindMissing`), for example after its CRD was removed.
   * @throws {ApiError}, {ConnectionError} if discovery fails. The reason of the signal if it aborts.
   */
  async isAvailable(kind: Kind, options: MappingOptions = {}): Promise<boolean> {
    return (await this.#find((known) => isSame(known, kind), options)).length > 0;
  }

  /**
   * Returns true when the server has the kind without the subresource; false when it does not have the kind, or that is
   * unknown.
   * @internal
   * @throws the reason of the signal when it aborts.
   */
  async lacksSubresource(kind: Kind, subresource: string, { signal }: MappingOptions = {}): Promise<boolean> {
    const missing = this.#subresources.isMissing(kind, subresource);
    return unlessAborted(missing, signal ?? currentWork()?.signal);
  }

  /** Forgets a kind that turned out to be missing: the next lookup asks the server again. */
  evict(kind: Kind): void {
    if (!this.#snapshot) return;
    const { kinds, loadedAt } = this.#snapshot;
    this.#snapshot = { kinds: kinds.filter((known) => !isSame(known, kind)), loadedAt };
  }

  async #find(
    matches: (kind: Kind) => boolean,
    { signal }: MappingOptions,
  ): Promise<Kind<UnstructuredObject>[]> {
    const known = this.#snapshot;
    const found = known?.kinds.filter(matches) ?? [];
    if (found.length > 0) return found;
    if (known && this.#clock.now() - known.loadedAt < missingFor) return [];
    const { kinds } = await unlessAborted(this.#load(), signal ?? currentWork()?.signal);
    return kinds.filter(matches);
  }

  #load(): Promise<Snapshot> {
    // Outside of the work of the first caller: others wait for the same response.
    this.#loading ??= runInContext({}, async () => {
      try {
        const loadedAt = this.#clock.now();
        this.#snapshot = { kinds: await discover(this.#transport), loadedAt };
        return this.#snapshot;
      } finally {
        this.#loading = undefined;
      }
    });
    return this.#loading;
  }
}

function isSame(a: Kind, b: Kind): boolean {
  return a.apiVersion === b.apiVersion && a.kind === b.kind && a.plural === b.plural;
}
