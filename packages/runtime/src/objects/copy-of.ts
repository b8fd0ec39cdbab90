/**
 * Deeply copies plain JSON. `structuredClone` takes fifteen times as long, since it supports much that JSON does not
 * have.
 */
export function copyOf<T>(value: T): T {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(copyOf) as T;
  const copy: Record<string, unknown> = {};
  for (const name of Object.keys(value)) {
    const child: unknown = value[name as keyof T];
    // An ordinary name in JSON, but an assignment would set the prototype.
    if (name === '__proto__') Object.defineProperty(copy, name, { ...ordinary, value: copyOf(child) });
    else copy[name] = copyOf(child);
  }
  return copy as T;
}

const ordinary = { enumerable: true, configurable: true, writable: true };
