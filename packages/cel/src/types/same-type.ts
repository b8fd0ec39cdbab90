import type { CelType } from './cel-type.ts';

/** Whether two types are the same: kind, name and parameters. */
export function sameType(a: CelType, b: CelType): boolean {
  if (a === b) return true;
  if (a.kind !== b.kind || a.name !== b.name || a.params.length !== b.params.length) return false;
  return a.params.every((param, index) => sameType(param, b.params[index]!));
}
