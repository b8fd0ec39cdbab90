import type { LiteralValue } from '../ast.ts';
import {
  boolType,
  bytesType,
  type CelType,
  doubleType,
  intType,
  nullType,
  stringType,
  uintType,
} from '../types/cel-type.ts';

const literalTypes: Readonly<Record<LiteralValue['type'], CelType>> = {
  null: nullType,
  bool: boolType,
  int: intType,
  uint: uintType,
  double: doubleType,
  string: stringType,
  bytes: bytesType,
};

export function literalType(value: LiteralValue): CelType {
  return literalTypes[value.type];
}
