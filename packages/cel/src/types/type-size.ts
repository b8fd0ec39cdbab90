import type { CelType } from './cel-type.ts';

const sizes = new WeakMap<CelType, number>();

/** The number of types that a type consists of; a repeated part counts every time. */
export function typeSize(type: CelType): number {
  if (type.params.length === 0) return 1;
  const known = sizes.get(type);
  if (known !== undefined) return known;
  const size = type.params.reduce((sum, param) => sum + typeSize(param), 1);
  sizes.set(type, size);
  return size;
}
