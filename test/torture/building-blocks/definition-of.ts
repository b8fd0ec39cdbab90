import type { CustomResourceDefinition, JSONSchemaProps } from 'ots-kubernetes/apiextensions/v1';
import type { Kind } from 'ots-runtime';

type Properties = Record<string, JSONSchemaProps>;

/**
 * The definition of a namespaced kind with a status.
 *
 * @param required of the fields of the spec
 */
export function definitionOf(
  { group, kind, plural, apiVersion }: Kind,
  { spec, required, status = {} }: { spec: Properties; required?: string[]; status?: Properties },
): CustomResourceDefinition {
  const properties = {
    spec: { type: 'object', properties: spec, ...(required && { required }) },
    status: { type: 'object', properties: status },
  };
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.${group}` },
    spec: {
      group,
      names: { kind, plural },
      scope: 'Namespaced',
      versions: [
        {
          name: apiVersion.split('/')[1]!,
          served: true,
          storage: true,
          subresources: { status: {} },
          schema: { openAPIV3Schema: { type: 'object', properties } },
        },
      ],
    },
  };
}
