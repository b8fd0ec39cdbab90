import { restOfTag } from '../tag-syntax/tag.ts';
import type { Tag } from '../tag-syntax/tag.ts';
import { fieldColumn } from './field-column.ts';
import { failTag } from './kind.ts';
import type { KindContext } from './kind.ts';
import type { MarkedField } from './marked-fields.ts';
import { readMetadata } from './metadata-tags.ts';
import type { CrdMetadata } from './metadata-tags.ts';
import { printerColumn } from './printer-columns.ts';
import { readResourceNames } from './resource-names.ts';
import type { ResourceNames } from './resource-names.ts';
import { readScale } from './scale.ts';
import type { Scale } from './scale.ts';
import { checkSelectableFields, readSelectableField } from './selectable-fields.ts';
import { readVersionTags } from './version-tags.ts';
import type { VersionTags } from './version-tags.ts';

/** The result of the tags on a kind's interface and of the tags on its fields that concern the whole kind. */
export interface KindTags extends ResourceNames, VersionTags, CrdMetadata {
  readonly columns: readonly object[];
  /** Paths. */
  readonly selectableFields: readonly string[];
  readonly status: boolean;
  readonly scale: Scale | undefined;
}

type Groups = ReadonlyMap<string, readonly Tag[]>;

/**
 * Reads the tags of a kind.
 * @param fields the fields with tags about the whole kind
 */
export function readKindTags(groups: Groups, fields: readonly MarkedField[], context: KindContext): KindTags {
  return {
    ...readResourceNames(groups, context),
    ...readVersionTags(groups, context),
    ...readMetadata(groups, context),
    columns: readColumns(groups, fields, context),
    selectableFields: readSelectableFields(groups, fields, context),
    ...readSubresources(groups, context),
  };
}

/** The columns of fields come first because the age column is last by convention. */
function readColumns(groups: Groups, fields: readonly MarkedField[], context: KindContext): object[] {
  const ofFields = fields.map(({ marks, name, path, schema }) =>
    marks.column && path !== undefined ? fieldColumn(marks.column, name, path, schema, context) : undefined,
  );
  const ofKind = (groups.get('printcolumn') ?? []).map((tag) =>
    printerColumn(tag, context.schema, context.diagnostics),
  );
  return [...ofFields, ...ofKind].filter((column) => column !== undefined);
}

function readSelectableFields(
  groups: Groups,
  fields: readonly MarkedField[],
  context: KindContext,
): string[] {
  const ofFields = fields.map(({ marks, path }) =>
    marks.selectable && path !== undefined ? { jsonPath: path, tag: marks.selectable } : undefined,
  );
  const ofKind = (groups.get('selectableField') ?? []).map((tag) => readSelectableField(tag, context));
  const found = [...ofKind, ...ofFields].filter((field) => field !== undefined);
  checkSelectableFields(found, context);
  return found.map(({ jsonPath }) => jsonPath);
}

function readSubresources(groups: Groups, context: KindContext): Pick<KindTags, 'status' | 'scale'> {
  let status = false;
  const scales = [...(groups.get('scale') ?? [])];
  for (const tag of groups.get('subresource') ?? []) {
    if (/^scale(?:\s|$)/.test(tag.value)) scales.push(restOfTag(tag, /^scale\s*/.exec(tag.value)![0].length));
    else status = hasStatus(tag, context) || status;
  }
  for (const tag of scales.slice(1))
    context.diagnostics.error(tag.source, tag.span, 'repeated-tag', 'duplicate scale', 'keep one of them');
  return { status, scale: scales[0] && readScale(scales[0], context) };
}

function hasStatus(tag: Tag, context: KindContext): boolean {
  if (tag.value !== 'status') {
    failTag(context, tag, `cannot be '${tag.value}'`, 'write @subresource status, or @scale with its paths');
    return false;
  }
  if (context.schema.properties!.has('status')) return true;
  failTag(context, tag, `status needs a property status in ${context.kind.kind}`, 'add: status?: …;');
  return false;
}
