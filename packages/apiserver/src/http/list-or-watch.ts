import { decodeContinue } from '../registry/continue-token.ts';
import {
  type ListOptions,
  type Page,
  checkListParameters,
  listObjects,
  untilListable,
} from '../registry/list.ts';
import { apiVersionOf } from '../registry/resource.ts';
import { type Selection, parseSelection } from '../registry/selection.ts';
import type { Target } from '../registry/target.ts';
import { jsonOf } from '../registry/views.ts';
import { checkWatchedName, findWatchStart } from '../watch/object-watch.ts';
import { badRequest } from '../status/errors.ts';
import type { ApiRequest } from './api-request.ts';
import type { FormedContext, ObjectContext } from './object-context.ts';
import { readBoolean, readInteger } from './options.ts';
import type { ApiObject } from '../json/api-object.ts';
import { type ShardSelector, parseShardSelector } from '../selectors/shard-selector.ts';
import { type Presentation, presentEvents, presentList } from './present.ts';
import type { Reply, StreamingReply } from './reply.ts';
import { nextTurn } from './turns.ts';
import { streamWatch } from './watch-stream.ts';
import { nextSlice } from './write-parts.ts';

/** Larger tables are collected in turns with other requests. */
const maxSyncList = 1000;

/** Whether a request about a collection asks for a watch. */
export function asksForWatch({ request, target }: ObjectContext): boolean {
  return target.isWatch === true || readBoolean(request.query, 'watch');
}

/** @throws {StatusError} when the parameters are invalid */
export async function listOrWatch(context: FormedContext): Promise<Reply | StreamingReply> {
  const { machinery, request, target, cached, presentation } = context;
  const { query } = request;
  const isWatch = asksForWatch(context);
  checkListParameters(query, isWatch);
  const timeoutSeconds = readInteger(query, 'timeoutSeconds');
  readInteger(query, 'limit');
  if (isWatch) return watch(context, timeoutSeconds);
  const shard = readShard(context);
  const read = readListOptions(request, target);
  const selection = within(read.selection, shard);
  const options = { ...read, selection, latest: cached };
  await untilListable(machinery, options);
  if (target.resource.table.size > maxSyncList) await nextTurn();
  const page = await listObjects(machinery, target, options);
  if (shard) page.metadata.shardInfo = { selector: shard.text };
  return listReply(target, page, presentation);
}

/** Undefined without a shard selector, and if the gate is off. */
function readShard({ machinery, request }: ObjectContext): ShardSelector | undefined {
  if (!machinery.hasShardSelectors) return undefined;
  return parseShardSelector(request.query.get('shardSelector') ?? '');
}

function within(selection: Selection, shard: ShardSelector | undefined): Selection {
  if (!shard) return selection;
  const both = (object: ApiObject): boolean => selection(object) && shard.matches(object);
  return Object.assign(both, { ...selection });
}

function watch(context: FormedContext, timeoutSeconds: number): StreamingReply {
  const { machinery, request, target, bookmarkInterval, faults, presentation } = context;
  const { query } = request;
  const sendInitialEvents = query.has('sendInitialEvents')
    ? readBoolean(query, 'sendInitialEvents')
    : undefined;
  const selection = within(readSelection(request, target), readShard(context));
  checkWatchedName(target, selection);
  return streamWatch(machinery, target, {
    selection,
    ...findWatchStart(machinery, query.get('resourceVersion') ?? '', sendInitialEvents),
    // Without a timeout the server ends watches after 30 to 60 minutes, so clients do not all reconnect at once.
    timeoutSeconds: goSeconds(timeoutSeconds) || machinery.random.integer(1800, 3600),
    bookmarks: readBoolean(query, 'allowWatchBookmarks'),
    bookmarkInterval,
    opened: (open) => faults.opened(open, request),
    ...(presentation && { present: presentEvents(presentation) }),
    warnings: target.resource.warning === undefined ? [] : [target.resource.warning],
  });
}

/** Go counts nanoseconds in 64 bits, so very long times overflow. */
function goSeconds(seconds: number): number {
  return Number(BigInt.asIntN(64, BigInt(seconds) * 1_000_000_000n)) / 1e9;
}

/** @throws {StatusError} 400 or 410 */
export function readListOptions(request: ApiRequest, target: Target): ListOptions {
  const { query } = request;
  const continueToken = query.get('continue') ?? '';
  const continueFrom = continueToken === '' ? undefined : decodeContinue(continueToken);
  const resourceVersion = query.get('resourceVersion') ?? '';
  if (continueFrom && resourceVersion !== '' && resourceVersion !== '0') {
    throw badRequest('specifying resource version is not allowed when using continue');
  }
  return {
    selection: readSelection(request, target),
    isFiltered: Boolean(query.get('labelSelector') || query.get('fieldSelector')),
    limit: readInteger(query, 'limit'),
    continueFrom,
    resourceVersion,
    resourceVersionMatch: query.get('resourceVersionMatch') ?? '',
  };
}

function readSelection({ query }: ApiRequest, { resource }: Target): Selection {
  return parseSelection(resource, query.get('labelSelector') ?? '', query.get('fieldSelector') ?? '');
}

/** Joins the texts of the items, each of which is shared by all lists and watches. */
export function listReply(target: Target, page: Page, presentation: Presentation | undefined): Reply {
  const parts = presentation ? presentList(presentation, page) : listParts(target, page);
  const { text, done } = nextSlice(parts);
  return { code: 200, contentType: 'application/json', body: text, ...(!done && { rest: parts }) };
}

function* listParts({ resource }: Target, { records, metadata }: Page): Generator<string> {
  // Items of built-in lists have no type, which always takes the same first characters of their text.
  const typed = resource.custom
    ? 0
    : `"apiVersion":"${apiVersionOf(resource)}","kind":"${resource.kind}",`.length;
  const head = JSON.stringify({
    kind: resource.listKind,
    apiVersion: apiVersionOf(resource),
    metadata: resource.custom ? { continue: '', ...metadata } : metadata,
  });
  yield `${head.slice(0, -1)},"items":[`;
  let separator = '{';
  for (const record of records) {
    yield `${separator}${jsonOf(resource, record).slice(1 + typed)}`;
    separator = ',{';
  }
  yield ']}';
}
