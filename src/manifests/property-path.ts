/** The path of a property of objects, as people write it: `.spec.ports[].name`. */
export function propertyPath(parent: string, name: string): string {
  return /^[\w$-]+$/.test(name) ? `${parent}.${name}` : `${parent}[${JSON.stringify(name)}]`;
}
