import { badRequest, continueExpired, expired, invalidObject } from '../status/errors.ts';
import { type FieldError, forbidden, notSupported } from '../status/field-error.ts';
import { StatusError } from '../status/status-error.ts';
import type { StoredRecord } from '../storage/stored-record.ts';
import { type ContinueToken, encodeContinue } from './continue-token.ts';
import type { Machinery } from './machinery.ts';
import type { Selection } from './selection.ts';
import type { Target } from './target.ts';
import { viewOf } from './views.ts';

/** What a list is asked for. */
export interface ListOptions {
  selection: Selection;
  /** Whether a selector leaves objects out: then nobody knows how many remain. */
  isFiltered: boolean;
  /** 0 for all. */
  limit: number;
  continueFrom: ContinueToken | undefined;
  /** Empty for the present. */
  resourceVersion: string;
  resourceVersionMatch: string;
}

/** One page of a list. */
export interface Page {
  records: StoredRecord[];
  metadata: { resourceVersion: string; continue?: string; remainingItemCount?: number };
}

/**
 * Lists objects in the order of their keys. All pages of one list show the same moment.
 *
 * @throws {StatusError} 410 when that moment is forgotten
 */
export function listObjects({ store }: Machinery, target: Target, options: ListOptions): Page {
  const { resource, namespace } = target;
  const revision = revisionOf(options, store.revision);
  if (revision < resource.table.log.floor) throw tooOld(options);
  const prefix = namespace === '' ? '' : `${namespace}/`;
  const { continueFrom } = options;
  const all = resource.table
    .listAt(revision, prefix)
    .filter(
      (record) =>
        (!continueFrom || record.key >= continueFrom.start) && options.selection(viewOf(resource, record)),
    );
  const limited = options.limit > 0 && options.resourceVersion !== '0';
  const records = limited ? all.slice(0, options.limit) : all;
  const last = records.at(-1);
  const metadata: Page['metadata'] = { resourceVersion: `${revision}` };
  if (last && records.length < all.length) {
    metadata.continue = encodeContinue({ revision, start: `${last.key}\0` });
    if (!options.isFiltered) metadata.remainingItemCount = all.length - records.length;
  }
  return { records, metadata };
}

/** The moment that a list shows. Any but an exact one may be newer than what was asked for. */
function revisionOf(
  { continueFrom, resourceVersion, resourceVersionMatch, limit }: ListOptions,
  current: number,
): number {
  if (continueFrom) return continueFrom.revision === -1 ? current : continueFrom.revision;
  const asked = parseRevision(resourceVersion);
  if (asked > current) throw tooLarge(resourceVersion, current);
  const exact = resourceVersionMatch === 'Exact' || (resourceVersionMatch === '' && limit > 0 && asked > 0);
  return exact ? asked : current;
}

function parseRevision(text: string): number {
  if (text === '') return 0;
  if (/^\d{1,15}$/.test(text)) return Number(text);
  throw badRequest(
    `invalid resource version: resourceVersion: Invalid value: ${JSON.stringify(text)}: strconv.ParseUint: parsing ${JSON.stringify(text)}: invalid syntax`,
  );
}

function tooLarge(asked: string, current: number): StatusError {
  const message = `Timeout: Too large resource version: ${asked}, current: ${current}`;
  return new StatusError(504, 'Timeout', message, {
    causes: [{ reason: 'ResourceVersionTooLarge', message: 'Too large resource version' }],
    retryAfterSeconds: 1,
  });
}

function tooOld({ continueFrom }: ListOptions): StatusError {
  if (continueFrom) return continueExpired(encodeContinue({ ...continueFrom, revision: -1 }));
  return expired('The resourceVersion for the provided list is too old.');
}

/**
 * Checks the parameters that depend on each other.
 *
 * @throws {StatusError} 422
 */
export function checkListParameters(parameters: URLSearchParams, isWatch: boolean): void {
  const match = parameters.get('resourceVersionMatch') ?? '';
  const errors: FieldError[] = [];
  const forbid = (field: string, detail: string) => errors.push(forbidden(field, detail));
  const allowed = isWatch ? ['NotOlderThan'] : ['Exact', 'NotOlderThan', ''];
  const sendsInitial = parameters.has('sendInitialEvents');
  if (sendsInitial && !isWatch) forbid('sendInitialEvents', 'sendInitialEvents is forbidden for list');
  if (sendsInitial && isWatch && match === '') {
    forbid('resourceVersionMatch', 'sendInitialEvents requires setting resourceVersionMatch to NotOlderThan');
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
    if (parameters.get('continue')) {
      forbid('resourceVersionMatch', 'resourceVersionMatch is forbidden when continue is provided');
    }
    if (!allowed.includes(match)) errors.push(notSupported('resourceVersionMatch', match, allowed));
  }
  if (errors.length > 0) throw invalidObject({ group: 'meta.k8s.io', name: 'ListOptions' }, '', errors);
}
