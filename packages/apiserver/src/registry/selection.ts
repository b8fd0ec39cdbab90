import { type FieldTerm, parseFieldSelector } from 'ots-apimachinery/selectors/field-selector';
import { labelMatcher } from 'ots-apimachinery/selectors/label-matcher';
import { parseLabelSelector } from 'ots-apimachinery/selectors/parse-label-selector';
import type { ApiObject } from '../json/api-object.ts';
import { type FieldReader, builtInFields, customFields } from '../selectors/selectable-fields.ts';
import { badRequest } from '../status/errors.ts';
import { type Resource, keyOf } from './resource.ts';
import type { Target } from './target.ts';

/** Selects the objects of a list, a watch or a deletion of many. */
export interface Selection {
  (object: ApiObject): boolean;
  /** The only possible name, if the field selector names one. */
  readonly exactName?: string;
  /** Whether there is a field selector. */
  readonly hasFields: boolean;
}

/**
 * Parses the selectors of a request.
 *
 * @throws {StatusError} 400 when one cannot be parsed, or selects by an unsupported field
 */
export function parseSelection(resource: Resource, labelSelector: string, fieldSelector: string): Selection {
  const matchesLabels = labelMatcher(parse(() => parseLabelSelector(labelSelector)));
  const terms = parse(() => parseFieldSelector(fieldSelector));
  const readers = readersOf(resource, terms);
  const selection = (object: ApiObject) =>
    matchesLabels(object.metadata.labels) &&
    readers.every(({ read, value, negated }) => (read(object) === value) !== negated);
  const name = terms.find(({ field, negated }) => field === 'metadata.name' && !negated);
  return Object.assign(selection, { hasFields: terms.length > 0, ...(name && { exactName: name.value }) });
}

/** The keys of a table that a request is about. */
export function scopeOf(
  { resource, namespace, name }: Target,
  { exactName }: Selection,
): { prefix: string; scope: string } {
  const prefix = namespace === '' ? '' : `${namespace}/`;
  const only = name || exactName;
  const isOne = only && (namespace !== '' || resource.scope === 'Cluster');
  return { prefix, scope: isOne ? keyOf(resource, namespace, only) : prefix };
}

function readersOf(resource: Resource, terms: readonly FieldTerm[]): (FieldTerm & { read: FieldReader })[] {
  const paths = resource.definition?.selectableFields?.map(({ jsonPath }) => jsonPath) ?? [];
  const { fields, refuse } = resource.custom
    ? customFields(resource.scope === 'Namespaced', paths)
    : builtInFields(resource);
  return terms.map((term) => {
    const read = fields.get(term.field);
    if (!read) throw badRequest(refuse(term.field));
    return { ...term, read };
  });
}

function parse<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (error instanceof SyntaxError) throw badRequest(error.message);
    throw error;
  }
}
