import type { Expr } from '../ast.ts';
import { type CelType, optionalValue, type TypeKind } from '../types/cel-type.ts';
import { codePointLength } from '../values/code-points.ts';
import { type Estimate, exactly, oneEstimate } from './estimate.ts';

const scalarKinds: ReadonlySet<TypeKind> = new Set([
  'bool',
  'double',
  'duration',
  'int',
  'timestamp',
  'uint',
]);

/** The size of a literal: characters, bytes, items or entries. */
export function literalSize(expr: Expr): Estimate | undefined {
  if (expr.kind === 'list') return exactly(BigInt(expr.elements.length));
  if (expr.kind === 'map') return exactly(BigInt(expr.entries.length));
  if (expr.kind !== 'literal') return undefined;
  const { value } = expr;
  if (value.type === 'string') return exactly(BigInt(codePointLength(value.value)));
  return value.type === 'bytes' ? exactly(BigInt(value.value.length)) : oneEstimate;
}

/** 1 for types whose values all have the same size. */
export function typeSize(type: CelType): Estimate | undefined {
  const value = optionalValue(type);
  if (value) return typeSize(value);
  return scalarKinds.has(type.kind) ? oneEstimate : undefined;
}
