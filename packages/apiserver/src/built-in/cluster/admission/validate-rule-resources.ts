import { type FieldError, invalid, required } from '../../../status/field-error.ts';

/** Checks the resources of a rule: `pods`, `pods/status`, `pods/*`, `*\/scale`, `*` and `*\/*`, none of them twice. */
export function validateRuleResources(resources: readonly string[], field: string): FieldError[] {
  if (resources.length === 0) return [required(field)];
  // A real server only checks the last resource without a subresource.
  const last = resources.findLast((resource) => resource !== '' && !resource.includes('/'));
  const coversAll = resources.includes('*') && last !== '*';
  return [
    ...validateEach(resources, field),
    ...(resources.length > 1 && resources.includes('*/*')
      ? [invalid(field, resources, "if '*/*' is present, must not specify other resources")]
      : []),
    ...(coversAll
      ? [
          invalid(
            field,
            resources,
            "if '*' is present, must not specify other resources without subresources",
          ),
        ]
      : []),
  ];
}

function validateEach(resources: readonly string[], field: string): FieldError[] {
  const wholeResources = new Set<string>();
  const wholeSubresources = new Set<string>();
  return resources.flatMap((text, index) => {
    const at = `${field}[${index}]`;
    if (text === '') return [required(at)];
    const [, resource = '', subresource] = /^([^/]*)(?:\/(.*))?$/s.exec(text) ?? [];
    if (subresource === undefined) return [];
    const errors = [
      ...(wholeResources.has(resource) ? [`${resource}/*`] : []),
      ...(wholeSubresources.has(subresource) ? [`*/${subresource}`] : []),
    ].map((other) => invalid(at, text, `if '${other}' is present, must not specify ${text}`));
    if (subresource === '*') wholeResources.add(resource);
    if (resource === '*') wholeSubresources.add(subresource);
    return errors;
  });
}
