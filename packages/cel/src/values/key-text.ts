/** The key values of a list item as one text: equal keys have equal texts. */
export function keyText(values: readonly unknown[]): string {
  return JSON.stringify(values, (_key, value: unknown) =>
    typeof value === 'bigint' ? { integer: value.toString() } : value,
  );
}
