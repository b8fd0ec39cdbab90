/** The types with an order, in the order of the API server's declarations. */
export const comparableTypes = 'int uint double bool duration timestamp string bytes';

/** One line of a declaration for each type. */
export function forTypes(types: string, line: (type: string) => string): string {
  return types.split(' ').map(line).join('\n');
}
