/** Whether a list of a rule, which may be absent, has one of some values. */
export function includesOne(values: readonly string[] | undefined, ...searched: string[]): boolean {
  return values?.some((value) => searched.includes(value)) === true;
}
