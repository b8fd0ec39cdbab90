/** How errors name a handler that an author wrote: by its class. Undefined for an object without one. */
export function className(handler: object): string | undefined {
  const { name } = handler.constructor ?? {};
  return name === 'Object' || name === '' ? undefined : name;
}
