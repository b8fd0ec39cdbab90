/** Returns the path of a property in readable form: `.spec.ports[].name`. */
export function propertyPath(parent: string, name: string): string {
  return /^[\w$-]+$/.test(name) ? `${parent}.${name}` : `${parent}[${JSON.stringify(name)}]`;
}
