import type { PolicyRule } from './policy-rule.ts';

/** Rules of one verb, one group, one resource and one name, or of one verb and one path. */
export function splitRule({
  verbs,
  apiGroups = [],
  resources = [],
  resourceNames = [],
  nonResourceURLs = [],
}: PolicyRule): PolicyRule[] {
  const paths = nonResourceURLs.flatMap((url) =>
    verbs.map((verb) => ({ verbs: [verb], nonResourceURLs: [url] })),
  );
  const names = resourceNames.length === 0 ? [undefined] : resourceNames;
  const parts = apiGroups.flatMap((group) =>
    resources.flatMap((resource) =>
      verbs.flatMap((verb) =>
        names.map((name) => ({
          verbs: [verb],
          apiGroups: [group],
          resources: [resource],
          ...(name !== undefined && { resourceNames: [name] }),
        })),
      ),
    ),
  );
  return [...parts, ...paths];
}
