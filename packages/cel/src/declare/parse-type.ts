import {
  boolType,
  bytesType,
  type CelType,
  doubleType,
  durationType,
  dynType,
  intType,
  listOf,
  mapOf,
  opaque,
  optionalOf,
  param,
  stringType,
  struct,
  timestampType,
  typeOf,
  uintType,
} from '../types/cel-type.ts';

const simpleTypes: Readonly<Record<string, CelType>> = {
  bool: boolType,
  bytes: bytesType,
  double: doubleType,
  duration: durationType,
  dyn: dynType,
  int: intType,
  string: stringType,
  timestamp: timestampType,
  uint: uintType,
  ip: opaque('net.IP'),
  cidr: opaque('net.CIDR'),
  authorizer: struct('kubernetes.authorization.Authorizer'),
  pathCheck: struct('kubernetes.authorization.PathCheck'),
  groupCheck: struct('kubernetes.authorization.GroupCheck'),
  resourceCheck: struct('kubernetes.authorization.ResourceCheck'),
  decision: struct('kubernetes.authorization.Decision'),
  url: struct('kubernetes.URL'),
  quantity: struct('kubernetes.Quantity'),
  semver: struct('kubernetes.Semver'),
  format: struct('kubernetes.NamedFormat'),
};

/**
 * Parses a type in the notation of the function tables: `list(A)`, `map(A,B)`, `optional(quantity)`; a capital
 * letter is a type variable.
 */
export function parseType(text: string): CelType {
  const open = text.indexOf('(');
  if (open < 0) return simpleTypes[text] ?? param(text);
  const params = splitTypes(text.slice(open + 1, -1)).map(parseType);
  switch (text.slice(0, open)) {
    case 'list':
      return listOf(params[0]!);
    case 'map':
      return mapOf(params[0]!, params[1]!);
    case 'optional':
      return optionalOf(params[0]!);
    default:
      return typeOf(params[0]!);
  }
}

/** Splits at commas outside of parentheses. */
export function splitTypes(text: string): string[] {
  const parts: string[] = [];
  let depth = 0;
  let start = 0;
  for (let i = 0; i < text.length; i++) {
    if (text[i] === '(') depth++;
    else if (text[i] === ')') depth--;
    else if (text[i] === ',' && depth === 0) {
      parts.push(text.slice(start, i));
      start = i + 1;
    }
  }
  if (start < text.length) parts.push(text.slice(start));
  return parts;
}
