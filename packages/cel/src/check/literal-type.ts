import type { LiteralValue } from '../ast.ts';
import { BOOL, BYTES, type CelType, DOUBLE, INT, NULL, STRING, UINT } from '../types/cel-type.ts';

const TYPES: Readonly<Record<LiteralValue['type'], CelType>> = {
  null: NULL,
  bool: BOOL,
  int: INT,
  uint: UINT,
  double: DOUBLE,
  string: STRING,
  bytes: BYTES,
};

export function literalType(value: LiteralValue): CelType {
  return TYPES[value.type];
}
