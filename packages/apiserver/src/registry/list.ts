import { badRequest, continueExpired, expired, invalidObject } from '../status/errors.ts';
import { type FieldError, forbidden, notSupported } from '../status/field-error.ts';
import type { StatusError } from '../status/status-error.ts';
import type { StoredRecord } from '../storage/stored-record.ts';
import { type ContinueToken, encodeContinue } from './continue-token.ts';
import type { Machinery } from './machinery.ts';
import { parseResourceVersion, tooLarge } from './resource-version.ts';
import { type Selection, scopeOf } from './selection.ts';
import type { Target } from './target.ts';
import { prepareViews, viewOf } from './views.ts';

/** The options of a list request. */
export interface ListOptions {
  selection: Selection;
  /** Whether a selector filters objects: then the number of remaining objects is unknown. */
  isFiltered: boolean;
  /** 0 for no limit. */
  limit: number;
  continueFrom: ContinueToken | undefined;
  /** Empty for the latest state. */
  resourceVersion: string;
  resourceVersionMatch: string;
  /** The revision of the latest state, unless the history begins later. Default: that of the store. */
  latest?: number | undefined;
}

/** One page of a list. */
export interface Page {
  records: StoredRecord[];
  metadata: {
    resourceVersion: string;
    continue?: string;
    remainingItemCount?: number;
    /** The shard selector that the server has applied. */
    shardInfo?: { selector: string };
  };
}

/**
 * Waits for the requested resource version if it is in the future.
 *
 * @throws {StatusError} 400 for a text that is not a resource version, 504 when the version does not arrive in
 *   time
 */
export async function untilListable({ store }: Machinery, options: ListOptions): Promise<void> {
  const { continueFrom, resourceVersion } = options;
  const asked = continueFrom ? continueFrom.revision : revisionIn(resourceVersion);
  await store.reached(asked);
  if (asked > store.revision)
    throw tooLarge(`${continueFrom ? asked : BigInt(resourceVersion)}`, store.revision);
}

/**
 * Lists objects sorted by key. All pages of one list show the same snapshot.
 *
 * @returns a promise only where a webhook has to convert objects
 * @throws {StatusError} 410 when that snapshot is gone, 500 when the webhook fails
 */
export function listObjects(
  { store }: Machinery,
  target: Target,
  options: ListOptions,
): Page | Promise<Page> {
  const { resource } = target;
  const { latest = store.revision } = options;
  const revision = revisionOf(options, Math.max(latest, resource.table.log.floor));
  if (revision < resource.table.log.floor) throw tooOld(options);
  const { scope, prefix } = scopeOf(target, options.selection);
  const start = options.continueFrom ? `${prefix}${options.continueFrom.start}` : '';
  const snapshot = { revision, scope, prefix, start, records: resource.table.listAt(revision, scope, start) };
  if (!resource.strategy.slowConversion) return pageOf(target, options, snapshot);
  const records = [...snapshot.records];
  const page = () => pageOf(target, options, { ...snapshot, records });
  const preparing = prepareViews(resource, records);
  return preparing ? preparing.then(page) : page();
}

/** The objects that a list looks at. */
interface Snapshot {
  readonly revision: number;
  readonly scope: string;
  /** The part of all keys that continue tokens omit. */
  readonly prefix: string;
  /** The key where the page begins; empty for the first one. */
  readonly start: string;
  readonly records: Iterable<StoredRecord>;
}

function pageOf(
  { resource }: Target,
  options: ListOptions,
  { revision, scope, prefix, start, records: candidates }: Snapshot,
): Page {
  const { table } = resource;
  const limit = options.limit > 0 && !isZero(options) ? options.limit : Number.POSITIVE_INFINITY;
  const records: StoredRecord[] = [];
  const metadata: Page['metadata'] = { resourceVersion: `${revision}` };
  let last = '';
  const isOne = scope !== prefix;
  for (const record of candidates) {
    if (isOne && record.key !== scope) break;
    // Whether the rest matches the selector is unknown: nothing looks at it.
    if (records.length >= limit) {
      metadata.continue = encodeContinue({ revision, start: `${last.slice(prefix.length)}\0` });
      // As a real server counts: objects of other shards, which the page has passed over, are still in the number.
      if (!options.isFiltered) metadata.remainingItemCount = table.countAt(revision, scope, start) - limit;
      break;
    }
    if (!options.selection(viewOf(resource, record))) continue;
    records.push(record);
    last = record.key;
  }
  return { records, metadata };
}

/** The revision that a list shows. Unless it has to be exact, it may be newer than the requested one. */
function revisionOf(
  { continueFrom, resourceVersion, resourceVersionMatch, limit }: ListOptions,
  current: number,
): number {
  if (continueFrom) return continueFrom.revision === -1 ? current : continueFrom.revision;
  const asked = revisionIn(resourceVersion);
  const exact = resourceVersionMatch === 'Exact' || (resourceVersionMatch === '' && limit > 0);
  return exact && asked > 0 ? asked : current;
}

/** A request for any state gets everything the server has. */
function isZero({ resourceVersion, continueFrom }: ListOptions): boolean {
  return resourceVersion === '0' && !continueFrom;
}

function revisionIn(text: string): number {
  if (text === '') return 0;
  try {
    return parseResourceVersion(text);
  } catch (error) {
    throw error instanceof SyntaxError ? badRequest(`invalid resource version: ${error.message}`) : error;
  }
}

function tooOld({ continueFrom }: ListOptions): StatusError {
  if (continueFrom) return continueExpired(encodeContinue({ ...continueFrom, revision: -1 }));
  return expired('The resourceVersion for the provided list is too old.');
}

/**
 * Validates parameters that depend on each other.
 *
 * @throws {StatusError} 422
 */
export function checkListParameters(parameters: URLSearchParams, isWatch: boolean): void {
  const match = parameters.get('resourceVersionMatch') ?? '';
  const errors: FieldError[] = [];
  const forbid = (field: string, detail: string) => errors.push(forbidden(field, detail));
  const allowed = isWatch ? ['NotOlderThan'] : ['Exact', 'NotOlderThan', ''];
  const continues = Boolean(parameters.get('continue'));
  const isAny = ['', '0'].includes(parameters.get('resourceVersion') ?? '');
  const sendsInitial = parameters.has('sendInitialEvents');
  if (sendsInitial && isWatch && match !== 'NotOlderThan') {
    forbid('resourceVersionMatch', 'sendInitialEvents requires setting resourceVersionMatch to NotOlderThan');
  }
  // A watch from now on begins with the existing objects, as if the request had asked for them.
  if (isWatch && match === '' && !sendsInitial && isAny && continues) {
    forbid('resourceVersionMatch', 'resourceVersionMatch is forbidden when continue is provided');
  }
  if (match !== '') {
    if (isWatch && !sendsInitial) {
      forbid(
        'resourceVersionMatch',
        'resourceVersionMatch is forbidden for watch unless sendInitialEvents is provided',
      );
    }
    if (!isWatch && !parameters.get('resourceVersion')) {
      forbid('resourceVersionMatch', 'resourceVersionMatch is forbidden unless resourceVersion is provided');
    }
    if (continues) {
      forbid('resourceVersionMatch', 'resourceVersionMatch is forbidden when continue is provided');
    }
    if (!allowed.includes(match)) errors.push(notSupported('resourceVersionMatch', match, allowed));
    if (!isWatch && match === 'Exact' && parameters.get('resourceVersion') === '0') {
      forbid('resourceVersionMatch', 'resourceVersionMatch "exact" is forbidden for resourceVersion "0"');
    }
  }
  if (sendsInitial && !isWatch) forbid('sendInitialEvents', 'sendInitialEvents is forbidden for list');
  if (errors.length > 0) throw invalidObject({ group: 'meta.k8s.io', name: 'ListOptions' }, '', errors);
}
