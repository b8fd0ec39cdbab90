import type { CelResult, CelValue } from '../values/cel-value.ts';
import { CreatedObject } from '../values/created-object.ts';
import { CelEvaluationError, isError } from '../values/evaluation-error.ts';
import { CelList } from '../values/list.ts';
import { CelMap, entriesOf } from '../values/map.ts';
import { Optional } from '../values/optional.ts';
import { typeNameOf } from '../values/type-of.ts';
import { textOf } from './text-of.ts';

/**
 * A value that an expression computed, as JSON: ints stay bigint, times and durations become texts, bytes base64.
 *
 * @returns an error for a value without a JSON form
 */
export function createdJson(value: CelResult): unknown {
  if (isError(value) || value === null || typeof value === 'bigint' || typeof value === 'number')
    return value;
  if (typeof value === 'string' || typeof value === 'boolean') return value;
  if (value instanceof Uint8Array) return Buffer.from(value).toString('base64');
  if (value instanceof CreatedObject) return objectJson(value.fields);
  if (value instanceof CelMap) return mapJson(value);
  if (value instanceof CelList) return listJson(value);
  if (value instanceof Optional) return value.hasValue ? createdJson(value.value) : null;
  return textOf(value) ?? new CelEvaluationError(`no JSON form of ${typeNameOf(value)}`);
}

function listJson(list: CelList): unknown {
  const items: unknown[] = [];
  for (const item of list) {
    const json = createdJson(item);
    if (isError(json)) return json;
    items.push(json);
  }
  return items;
}

function mapJson(map: CelMap): unknown {
  const entries = new Map<string, CelResult>();
  for (const [key, value] of entriesOf(map)) {
    if (typeof key !== 'string')
      return new CelEvaluationError(`a map key is of type ${typeNameOf(key)}, not string`);
    entries.set(key, value);
  }
  return objectJson(entries);
}

function objectJson(fields: ReadonlyMap<string, CelResult>): unknown {
  const made: [string, unknown][] = [];
  for (const [name, value] of fields) {
    const json = createdJson(value);
    if (isError(json)) return json;
    made.push([name, json]);
  }
  return Object.fromEntries(made);
}

/** The objects in a created value whose type is not that of their field: `Object.spec` has type `Object.spec` only in the field `spec`. */
export function misplacedTypes(value: CelValue, path: string): string[] {
  if (value instanceof CreatedObject) {
    const { typeName, fields } = value;
    const own =
      typeName === path
        ? []
        : [
            `unexpected type name ${JSON.stringify(typeName)}, expected ${JSON.stringify(path)}, which matches field name path from root Object type`,
          ];
    return [...own, ...[...fields].flatMap(([name, field]) => misplacedTypes(field, `${path}.${name}`))];
  }
  const items =
    value instanceof CelList
      ? [...value]
      : value instanceof CelMap
        ? [...entriesOf(value)].map(([, item]) => item)
        : [];
  return items.flatMap((item) => (isError(item) ? [] : misplacedTypes(item, path)));
}
