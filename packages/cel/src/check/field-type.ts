import { closestName } from 'ots-apimachinery/closest-name';
import { escapeProperty } from '../escape-property.ts';
import type { UnplacedProblem } from '../problem.ts';
import type { CelType } from '../types/cel-type.ts';
import { isCreatedType } from '../values/created-object.ts';
import { compilerType } from '../types/compiler-type.ts';
import { formatType } from '../types/format-type.ts';

export type FieldType =
  | { readonly type: CelType }
  | { readonly problem: UnplacedProblem; readonly compilerText: string }
  | 'dyn'
  | 'unbound';

/**
 * The type of a field of a value.
 *
 * @returns `dyn` when the value can be anything, `unbound` when its type is a variable
 */
export function fieldType(type: CelType, field: string): FieldType {
  switch (type.kind) {
    case 'map':
      return { type: type.params[1]! };
    case 'struct':
      return isCreatedType(type.name) ? 'dyn' : structField(type, field);
    case 'param':
      return 'unbound';
    case 'dyn':
    case 'error':
      return 'dyn';
    default: {
      const message = `${formatType(type)} has no fields`;
      const compilerText = `type '${compilerType(type)}' does not support field selection`;
      return { problem: { code: 'no-fields', message, hint: hintFor(type) }, compilerText };
    }
  }
}

function structField(type: CelType, field: string): FieldType {
  const fields = type.fields ?? new Map<string, CelType>();
  const found = fields.get(field) ?? escapedKeyword(fields, field);
  if (found) return { type: found };
  const hint = suggest(field, [...fields.keys()]);
  const message = `undefined field '${field}'`;
  // The compiler knows no fields of the types of the libraries.
  const compilerText = type.fields ? message : `unexpected failed resolution of '${type.name}'`;
  return { problem: { code: 'undefined-field', message, hint }, compilerText };
}

/** A property whose name is a reserved word may be written without its escape: `self.namespace`. */
function escapedKeyword(fields: ReadonlyMap<string, CelType>, field: string): CelType | undefined {
  const escaped = escapeProperty(field);
  return escaped === `__${field}__` ? fields.get(escaped) : undefined;
}

function suggest(field: string, fields: readonly string[]): string {
  const escaped = fields.find((name) => name.startsWith(`${field}__`));
  if (escaped !== undefined)
    return `did you mean ${escaped}? In names "-" is written __dash__, "." __dot__ and "/" __slash__`;
  const closest = closestName(field, fields);
  if (closest !== undefined) return `did you mean ${closest}?`;
  if (fields.length === 0) return 'the schema has no fields here that a rule can see';
  const some = fields.toSorted().slice(0, 8).join(', ');
  return `the fields here are ${some}${fields.length > 8 ? ', …' : ''}`;
}

function hintFor(type: CelType): string {
  if (type.kind === 'list')
    return 'write a macro, such as self.items.all(x, x.name != ""), or an index: self.items[0]';
  return 'only objects and maps have fields';
}
