import type { ChannelEntry } from './catalog.ts';
import type { CatalogFindingType } from './finding.ts';

type Entries = ReadonlyMap<string, ChannelEntry>;

/** The entries that no other one replaces or skips. A channel needs exactly one, which new users install. */
export function headsOf(entries: Entries): ChannelEntry[] {
  const upgraded = new Set(
    [...entries.values()].flatMap(({ replaces, skips }) => (replaces === '' ? skips : [replaces, ...skips])),
  );
  return [...entries.values()].filter(({ name }) => !upgraded.has(name));
}

/** The entries that another one skips: they may lie outside of the chain of replaces. */
export function skippedIn(entries: Entries): ReadonlySet<string> {
  return new Set([...entries.values()].flatMap(({ skips }) => skips));
}

/**
 * Checks the upgrade graph of a channel: one head, from which `replaces` leads without a cycle to every entry that is not skipped. The
 * last one may replace a bundle that the channel does not have.
 *
 * @param entries at least one
 * @returns undefined when nothing is wrong
 */
export function chainProblem(entries: Entries): { type: CatalogFindingType; detail: string } | undefined {
  const heads = headsOf(entries);
  const [head] = heads;
  if (!head)
    return {
      type: 'no-head',
      detail: 'has no head: every entry is replaced or skipped by another; check for a cycle',
    };
  if (heads.length > 1) {
    const names = heads.map(({ name }) => name).toSorted();
    const detail = `has ${names.length} heads, which no entry replaces or skips: ${names.join(', ')}`;
    return { type: 'multiple-heads', detail };
  }
  const { chain, repeated } = replacesChain(entries, head);
  if (repeated !== undefined) {
    const cycle = [...chain.slice(chain.indexOf(repeated)), repeated].join(' -> ');
    return { type: 'replaces-cycle', detail: `has a cycle of replaces: ${cycle}` };
  }
  const reached = new Set(chain);
  const skipped = skippedIn(entries);
  const stranded = [...entries.keys()].filter((name) => !reached.has(name) && !skipped.has(name));
  if (stranded.length === 0) return undefined;
  const detail = `does not lead from its head ${head.name} to ${stranded.toSorted().join(', ')}; replace or skip them`;
  return { type: 'stranded-bundles', detail };
}

/** Follows `replaces` from a head, up to the last entry, a skipped one, or one that was met before. */
export function replacesChain(
  entries: Entries,
  head: ChannelEntry,
): { readonly chain: readonly string[]; readonly repeated?: string } {
  const skipped = skippedIn(entries);
  const chain = new Set([head.name]);
  for (let current: ChannelEntry | undefined = head; current; current = entries.get(current.replaces)) {
    const { replaces } = current;
    if (skipped.has(replaces)) break;
    if (chain.has(replaces)) return { chain: [...chain], repeated: replaces };
    chain.add(replaces);
  }
  return { chain: [...chain] };
}
