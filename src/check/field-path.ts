/** The path of a field as the API server writes it, such as `spec.list[0].name`, as keys and indexes. */
export function keysOf(field: string): (string | number)[] {
  return Array.from(field.matchAll(/\[([^\]]*)\]|[^.[\]]+/g), ([step, inBrackets]) => {
    const key = inBrackets ?? step;
    return /^\d+$/.test(key) ? Number(key) : key;
  });
}
