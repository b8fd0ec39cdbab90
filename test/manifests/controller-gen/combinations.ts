import type { Combination } from './combination.ts';
import { builtinCombinations } from './combinations/builtin-combinations.ts';
import { kindCombinations } from './combinations/kind-combinations.ts';
import { typeCombinations } from './combinations/type-combinations.ts';
import { validationCombinations } from './combinations/validation-combinations.ts';

export const combinations: readonly Combination[] = [
  ...typeCombinations,
  ...validationCombinations,
  ...kindCombinations,
  ...builtinCombinations,
];
