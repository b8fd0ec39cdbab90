import { isDeepStrictEqual } from 'node:util';
import type { DeepReadonly } from 'ots-runtime';
import type { Endpoint } from 'ots-kubernetes/discovery/v1';
import type { Slice } from './new-slice.ts';

/** As in Kubernetes: how many endpoints a slice has at most. */
const maxEndpointsPerSlice = 100;

type CachedEndpoint = DeepReadonly<Endpoint>;

/** What is to be written. */
export interface SlicePlan {
  readonly create: readonly Slice[];
  readonly update: readonly Slice[];
  readonly delete: readonly Slice[];
}

/** A slice on the way to its next state. */
interface Draft {
  readonly slice: Slice;
  readonly endpoints: CachedEndpoint[];
  isChanged: boolean;
}

/** How the slices of one set of ports change. */
export interface SliceTarget {
  readonly endpoints: readonly CachedEndpoint[];
  readonly labels: Readonly<Record<string, string>>;
  /** Whether a slice has these labels. */
  hasLabels(slice: Slice): boolean;
  /** A slice without endpoints. */
  empty(): Slice;
}

/**
 * Distributes endpoints over slices with the same ports, with few writes: an endpoint stays in its slice, new ones fill slices that
 * change anyway, then a slice with room for the rest, then new slices.
 */
export function planSlices(slices: readonly Slice[], target: SliceTarget): SlicePlan {
  const wanted = new Map(target.endpoints.map((endpoint) => [identityOf(endpoint), endpoint]));
  const drafts = slices.map((slice) => draftOf(slice, wanted, target));
  const kept = drafts.filter(({ slice, endpoints }) => endpoints.length > 0 || isPlaceholder(slice));
  const rest = [...wanted.values()];
  const changing = kept.filter(({ isChanged }) => isChanged);
  for (const draft of changing.toSorted((a, b) => b.endpoints.length - a.endpoints.length)) fill(draft, rest);
  const created: Draft[] = [];
  while (rest.length > 0) {
    const draft = draftWithRoom(kept, rest.length);
    if (!draft) created.push({ slice: target.empty(), endpoints: [], isChanged: true });
    fill(draft ?? created.at(-1)!, rest);
  }
  const { labels } = target;
  return {
    create: created.map(({ slice, endpoints }) => ({ ...slice, endpoints })),
    update: kept
      .filter(({ isChanged }) => isChanged)
      .map(({ slice, endpoints }) => ({ ...slice, metadata: { ...slice.metadata, labels }, endpoints })),
    delete: drafts.filter((draft) => !kept.includes(draft)).map(({ slice }) => slice),
  };
}

/** Takes the endpoints that stay in a slice from those that are wanted. */
function draftOf(slice: Slice, wanted: Map<string, CachedEndpoint>, target: SliceTarget): Draft {
  const old = slice.endpoints ?? [];
  const endpoints: CachedEndpoint[] = [];
  for (const endpoint of old) {
    const identity = identityOf(endpoint);
    const next = wanted.get(identity);
    if (next) endpoints.push(next);
    wanted.delete(identity);
  }
  const isChanged = !isDeepStrictEqual(old, endpoints) || !target.hasLabels(slice);
  return { slice, endpoints, isChanged };
}

function isPlaceholder({ endpoints }: Slice): boolean {
  return (endpoints ?? []).length === 0;
}

function fill(draft: Draft, rest: CachedEndpoint[]): void {
  const added = rest.splice(0, Math.max(0, maxEndpointsPerSlice - draft.endpoints.length));
  if (added.length > 0) draft.isChanged = true;
  draft.endpoints.push(...added);
}

/** The unchanged slice that has the least room, but enough for all. */
function draftWithRoom(drafts: readonly Draft[], count: number): Draft | undefined {
  if (count >= maxEndpointsPerSlice) return undefined;
  return drafts
    .filter(({ isChanged, endpoints }) => !isChanged && endpoints.length > 0)
    .filter(({ endpoints }) => endpoints.length + count <= maxEndpointsPerSlice)
    .toSorted((a, b) => b.endpoints.length - a.endpoints.length)[0];
}

/** What makes an endpoint another one. */
function identityOf({ addresses, hostname, targetRef }: CachedEndpoint): string {
  return JSON.stringify([addresses.toSorted(), hostname, targetRef?.namespace, targetRef?.name]);
}
