import { parseJson } from '../json/parse-json.ts';
import { stringifyJson } from '../json/stringify-json.ts';
import type { ApiObject } from '../json/api-object.ts';
import type { Page } from '../registry/list.ts';
import { type Resource, apiVersionOf } from '../registry/resource.ts';
import { jsonOf, viewOf } from '../registry/views.ts';
import { badRequest } from '../status/errors.ts';
import { StatusError } from '../status/status-error.ts';
import { tableOf } from '../tables/table-of.ts';
import { type Transformation, notAcceptable } from './negotiate.ts';
import type { Reply } from './reply.ts';

/** How much of their objects the rows of a table include. */
type Inclusion = 'None' | 'Metadata' | 'Object';

/** How to show the objects of an answer. */
export interface Presentation {
  resource: Resource;
  as: Transformation;
  include: Inclusion;
  /** The clock for ages. */
  now: () => Date;
}

/** An object and its JSON text, which is computed at most once. */
interface Shown {
  object: ApiObject;
  json: () => string;
}

const partials = new WeakMap<ApiObject, string>();

/** @throws {StatusError} 400 for an invalid value */
export function readInclusion(query: URLSearchParams): Inclusion {
  const value = query.get('includeObject') || 'Metadata';
  if (value === 'None' || value === 'Metadata' || value === 'Object') return value;
  throw badRequest(
    `Unable to convert to Table as requested: includeObject: Invalid value: ${JSON.stringify(value)}: must be 'Metadata', 'Object', 'None', or empty`,
  );
}

/**
 * An object in the requested form, as JSON text.
 *
 * @throws {StatusError} 406 when the object does not support the form
 */
export function presentObject(presentation: Presentation, shown: Shown): string {
  const { as } = presentation;
  if (as.kind === 'Table') {
    return tableText(presentation, shown);
  }
  if (as.kind === 'PartialObjectMetadata') return partialText(as, shown.object);
  if (presentation.resource.custom) throw new StatusError(500, undefined, 'content is not a list');
  throw notAcceptable(
    `you requested PartialObjectMetadataList, but the requested object is not a list (${goType(presentation.resource, shown.object.kind)})`,
  );
}

/**
 * A list in the requested form, as parts of its JSON text.
 *
 * @throws {StatusError} 406 when the list does not support the form
 */
export function presentList(presentation: Presentation, page: Page): Generator<string> {
  const { as, resource } = presentation;
  if (as.kind === 'PartialObjectMetadata') {
    throw notAcceptable(
      `you requested PartialObjectMetadata, but the requested object is a list (${goType(resource, resource.listKind)})`,
    );
  }
  return as.kind === 'Table' ? tableParts(presentation, page) : partialParts(presentation, page);
}

function* tableParts(presentation: Presentation, { records, metadata }: Page): Generator<string> {
  const { resource } = presentation;
  const [first] = records;
  const { head, rowOf } = tableWriter(presentation, metadata, first && viewOf(resource, first));
  yield head;
  let separator = '';
  for (const record of records) {
    yield `${separator}${rowOf({ object: viewOf(resource, record), json: () => jsonOf(resource, record) })}`;
    separator = ',';
  }
  yield ']}';
}

function* partialParts({ as, resource }: Presentation, page: Page): Generator<string> {
  const { records } = page;
  // kube-apiserver does not carry it over to this form.
  const { shardInfo: _, ...metadata } = page.metadata;
  const head = JSON.stringify({ kind: as.kind, apiVersion: as.apiVersion, metadata });
  // Go writes null for an empty list here.
  yield `${head.slice(0, -1)},"items":${records.length === 0 ? 'null}' : ''}`;
  let separator = '[';
  for (const record of records) {
    const object = viewOf(resource, record);
    yield `${separator}${as.prefersProtobuf ? `{"metadata":${metadataText(object)}}` : partialText(as, object)}`;
    separator = ',';
  }
  if (records.length > 0) yield ']}';
}

/** The answer to a write in the requested form. A Status about a deleted object stays as it is. */
export function presentReply(reply: Reply, presentation: Presentation | undefined): Reply {
  if (!presentation) return reply;
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the server wrote this text of an object or a Status
  const object = parseJson(reply.body) as ApiObject;
  if (object.kind === 'Status') return reply;
  return { ...reply, body: presentObject(presentation, { object, json: () => reply.body }) };
}

/** Converts the objects of one watch to the requested form: only the first table has columns. */
export function presentEvents(presentation: Presentation): (object: ApiObject, json: () => string) => string {
  let columns: null | undefined;
  return (object, json) => {
    if (presentation.as.kind !== 'Table') return partialText(presentation.as, object);
    const text = tableText(presentation, { object, json }, columns);
    columns = null;
    return text;
  };
}

function tableText(presentation: Presentation, shown: Shown, columns?: null): string {
  const { head, rowOf } = tableWriter(presentation, metadataOf(shown.object), shown.object, columns);
  return `${head}${rowOf(shown)}]}`;
}

/** The text of a table up to its rows, and a function that writes a row. */
function tableWriter(
  presentation: Presentation,
  metadata: object,
  first: ApiObject | undefined,
  columns?: null,
): { head: string; rowOf: (shown: Shown) => string } {
  const { as, resource, now } = presentation;
  const table = tableOf(resource, first?.kind ?? resource.kind);
  const head = JSON.stringify({
    kind: 'Table',
    apiVersion: as.apiVersion,
    metadata,
    columnDefinitions: columns === undefined ? table.columns : columns,
  });
  const time = now().getTime();
  const rowOf = ({ object, json }: Shown) => {
    const row = stringifyJson({ cells: table.cells(object, time), conditions: table.conditions?.(object) });
    return `${row.slice(0, -1)},"object":${included(presentation, { object, json })}}`;
  };
  return { head: `${head.slice(0, -1)},"rows":[`, rowOf };
}

/** The metadata of a table with a single object. */
function metadataOf({ metadata: { resourceVersion } }: ApiObject): object {
  return resourceVersion === undefined ? {} : { resourceVersion };
}

function included({ include, as }: Presentation, { object, json }: Shown): string {
  if (include === 'Object') return json();
  // An annotation marks the end of the initial events, even for clients that want no objects.
  const isEnd = object.metadata.annotations?.['k8s.io/initial-events-end'] !== undefined;
  return include === 'None' && !isEnd ? 'null' : partialText(as, object);
}

/** The metadata of an object alone. */
function partialText({ apiVersion }: Transformation, object: ApiObject): string {
  return `{"kind":"PartialObjectMetadata","apiVersion":"${apiVersion}","metadata":${metadataText(object)}}`;
}

/** Computed once per state of an object. */
function metadataText(object: ApiObject): string {
  let metadata = partials.get(object);
  if (metadata === undefined) partials.set(object, (metadata = stringifyJson(object.metadata)));
  return metadata;
}

/** A type in Go's notation. */
function goType(resource: Resource, kind: string): string {
  if (resource.custom) return `*unstructured.Unstructured${kind === resource.listKind ? 'List' : ''}`;
  const [group = ''] = apiVersionOf(resource).split(/[./]/);
  return `*${resource.group === '' || resource.group === 'events.k8s.io' ? 'core' : group}.${kind}`;
}
