import type { CelType } from '../types/cel-type.ts';

/** One signature of a function. */
export interface Overload {
  /** The name that the cost estimate uses. */
  readonly id: string;
  /** Whether it is a method; its receiver is the first of `args`. */
  readonly method: boolean;
  readonly args: readonly CelType[];
  readonly result: CelType;
  /** Whether its types contain variables. */
  readonly generic: boolean;
}

/** Functions by name; each line declares an overload: `id (args) result`, and for a method `id receiver.(args) result`. */
export type Declarations = Readonly<Record<string, string>>;

/** The types with an order, in the order of the API server's declarations. */
export const comparableTypes = 'int uint double bool duration timestamp string bytes';

/** One line of a declaration for each type. */
export function forTypes(types: string, line: (type: string) => string): string {
  return types.split(' ').map(line).join('\n');
}
