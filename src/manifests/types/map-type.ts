import type { TSType } from 'oxc-parser';
import { lazy, placeOf } from './type.ts';
import type { Place, Scope, Type } from './type.ts';
import type { TypeContext } from './type-context.ts';

/** Evaluates `Record<string, T>`, `{ [key: string]: T }` or `{ [K in string]: T }`. */
export function mapOf(context: TypeContext, scope: Scope, values: TSType, at: Place): Type {
  const valuesAt = placeOf(scope, values);
  return { kind: 'map', at, values: lazy(() => context.reduce(scope, values)), valuesAt };
}
