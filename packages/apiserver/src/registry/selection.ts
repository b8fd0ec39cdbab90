import type { ApiObject } from '../objects/api-object.ts';
import { getKey, isObject } from '../objects/json-object.ts';
import { parseFieldSelector } from '../selectors/field-selector.ts';
import { parseLabelSelector } from '../selectors/label-selector.ts';
import { badRequest } from '../status/errors.ts';
import type { Resource } from './resource.ts';

/** Tells whether an object is one that a list, a watch or a deletion of many is about. */
export type Selection = (object: ApiObject) => boolean;

const commonFields = ['metadata.name', 'metadata.namespace'];
const builtInFields = new Map<string, readonly string[]>([
  ['/namespaces', ['status.phase']],
  ['/secrets', ['type']],
  [
    '/pods',
    [
      'spec.nodeName',
      'spec.restartPolicy',
      'spec.schedulerName',
      'spec.serviceAccountName',
      'status.phase',
      'status.podIP',
    ],
  ],
]);

/**
 * Reads the selectors of a request.
 *
 * @throws {StatusError} 400 when one cannot be parsed, or asks for a field that cannot be selected
 */
export function parseSelection(resource: Resource, labelSelector: string, fieldSelector: string): Selection {
  const matchesLabels = parse(() => parseLabelSelector(labelSelector));
  const terms = parse(() => parseFieldSelector(fieldSelector));
  const known = [...commonFields, ...(builtInFields.get(`${resource.group}/${resource.plural}`) ?? [])];
  for (const { field } of terms) if (!known.includes(field)) throw unknownField(resource, field);
  return (object) =>
    matchesLabels(object.metadata.labels ?? {}) &&
    terms.every(({ field, value, negated }) => (fieldOf(object, field) === value) !== negated);
}

function parse<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (error instanceof SyntaxError) throw badRequest(error.message);
    throw error;
  }
}

function unknownField(resource: Resource, field: string): Error {
  const hasOwnFields = builtInFields.has(`${resource.group}/${resource.plural}`);
  return badRequest(
    resource.custom || hasOwnFields
      ? `field label not supported: ${field}`
      : `"${field}" is not a known field selector: only "metadata.name", "metadata.namespace"`,
  );
}

/** Absent fields count as empty. */
function fieldOf(object: ApiObject, path: string): string {
  let value: unknown = object;
  for (const key of path.split('.')) value = isObject(value) ? getKey(value, key) : undefined;
  return typeof value === 'string' ? value : '';
}
