/** A schema without its limits: only types, and how lists and maps merge, remain. */
export function loosen(schema: any): any {
  const { type, properties, items, additionalProperties, nullable } = schema;
  const kept = Object.entries(schema).filter(
    ([name]) => name.startsWith('x-kubernetes-') && name !== 'x-kubernetes-validations',
  );
  const isKeyed = schema['x-kubernetes-list-type'] === 'map';
  return {
    ...Object.fromEntries(kept),
    type,
    ...(nullable && { nullable }),
    ...(properties && {
      properties: Object.fromEntries(
        Object.entries(properties).map(([name, property]) => [name, loosen(property)]),
      ),
    }),
    ...(items && { items: { ...loosen(items), ...(isKeyed && { required: ['k'] }) } }),
    ...(additionalProperties && {
      additionalProperties: additionalProperties === true || loosen(additionalProperties),
    }),
  };
}
