/**
 * A copy of plain JSON all the way down. `structuredClone` does the same in fifteen times the time, since it provides
 * for much that JSON does not have.
 */
export function copyOf<T>(value: T): T {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(copyOf) as T;
  const copy: Record<string, unknown> = {};
  for (const name of Object.keys(value)) {
    const child: unknown = value[name as keyof T];
    // An ordinary name in JSON, which an assignment would take for something else.
    if (name === '__proto__') Object.defineProperty(copy, name, { ...ordinary, value: copyOf(child) });
    else copy[name] = copyOf(child);
  }
  return copy as T;
}

const ordinary = { enumerable: true, configurable: true, writable: true };
