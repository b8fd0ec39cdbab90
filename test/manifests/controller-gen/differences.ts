import { rootFields } from '../../../src/manifests/schema/root-fields.ts';

/** Where ots deliberately writes something else than controller-gen. docs/manifests-differences.md tells users about each of them. */
export interface Difference {
  /** The heading in the document. */
  readonly name: string;
  /** The option of controller-gen that does the same. */
  readonly option?: string;
  /**
   * Makes what ots writes out of what controller-gen wrote; only for differences between CRDs.
   * @param crd is changed
   * @param go the source that it was made from
   */
  readonly apply?: (crd: any, go: string) => void;
}

export const differences: readonly Difference[] = [
  { name: 'The metadata of embedded objects keeps its fields', option: 'generateEmbeddedObjectMeta=true' },
  {
    name: "No annotation with the tool's version",
    apply: ({ metadata }) => {
      delete metadata.annotations?.['controller-gen.kubebuilder.io/version'];
      if (metadata.annotations && Object.keys(metadata.annotations).length === 0) delete metadata.annotations;
    },
  },
  {
    name: 'Kubernetes types have no descriptions',
    apply: (crd, go) => {
      const own = ownText(go);
      eachSchema(crd, (schema) => {
        if (schema.description !== undefined && !own.includes(schema.description)) delete schema.description;
      });
    },
  },
  {
    name: 'apiVersion and kind have one-sentence descriptions',
    apply: (crd) => {
      for (const { properties } of rootsOf(crd)) {
        for (const [name, { description }] of rootFields) {
          if (description !== undefined) properties[name].description = description;
        }
      }
    },
  },
  {
    name: 'No empty list of subresources',
    apply: (crd) => {
      for (const version of crd.spec.versions) {
        if (Object.keys(version.subresources ?? { some: true }).length === 0) delete version.subresources;
      }
    },
  },
  {
    name: 'Floating-point numbers are allowed and keep their format',
    option: 'allowDangerousTypes=true',
    apply: (crd, go) =>
      eachSchema(crd, (schema, name) => {
        if (schema.type !== 'number') return;
        schema.format = new RegExp(`float32 .*"${name}[",]`).test(go) ? 'float' : 'double';
      }),
  },
  {
    name: 'An object without properties has an empty list of them',
    apply: (crd, go) =>
      eachSchema(crd, (schema, name) => {
        const isEmpty = schema.type === 'object' && !schema.properties && !schema.additionalProperties;
        if (isEmpty && name !== 'metadata' && go.includes('struct{}')) schema.properties = {};
      }),
  },
  {
    name: 'Bounds of a field and of its type are merged',
    apply: (crd) =>
      eachSchema(crd, (schema) => {
        const parts: Record<string, any>[] = schema.allOf ?? [];
        for (const name of new Set(parts.flatMap((part) => Object.keys(part)))) {
          const one = mergedValue(
            name,
            parts.flatMap((part) => part[name] ?? []),
          );
          if (one === undefined) continue;
          schema[name] = one;
          for (const part of parts) delete part[name];
        }
        if (parts.every((part) => Object.keys(part).length === 0)) delete schema.allOf;
      }),
  },
  {
    name: 'A nullable enum becomes a pattern or a rule',
    apply: (crd) =>
      eachSchema(crd, (schema) => {
        if (!schema.nullable || !schema.enum) return;
        const values: (string | number)[] = schema.enum;
        delete schema.enum;
        if (schema.type === 'string') {
          schema.pattern = values.length === 1 ? `^${values[0]}$` : `^(${values.join('|')})$`;
          return;
        }
        const rule = {
          rule: values.map((value) => `self == ${value}`).join(' || '),
          message: `must be null or one of ${values.join(', ')}`,
        };
        schema['x-kubernetes-validations'] = [rule, ...(schema['x-kubernetes-validations'] ?? [])];
      }),
  },
  {
    name: 'A kind with several versions states its conversion',
    apply: ({ spec }) => {
      if (spec.versions.length > 1) spec.conversion = { strategy: 'None' };
    },
  },
  {
    name: 'A list of conditions is keyed by their type',
    apply: (crd) =>
      eachSchema(crd, (schema) => {
        const { items } = schema;
        if (!items?.properties?.lastTransitionTime || schema['x-kubernetes-list-type']) return;
        schema['x-kubernetes-list-type'] = 'map';
        schema['x-kubernetes-list-map-keys'] = ['type'];
      }),
  },
  // These two are in rbac-differential.test.ts.
  { name: 'Merged rules keep all their verbs' },
  { name: "The manager's role exists even without rules" },
];

/** Options of controller-gen that reduce the differences. */
export const options = differences.flatMap(({ option }) => option ?? []);

/** The text of the comments of a source. */
function ownText(go: string): string {
  const lines = go.split('\n').map((line) => line.trim().replace(/^\/\/ ?/, ''));
  return lines.filter((line) => !line.startsWith('+')).join('\n');
}

/** What several constraints of one name come to, if one of that name can say it. */
function mergedValue(name: string, values: readonly any[]): unknown {
  if (name.startsWith('min')) return Math.max(...values);
  if (name.startsWith('max')) return Math.min(...values);
  return new Set(values).size === 1 ? values[0] : undefined;
}

function rootsOf(crd: any): any[] {
  return crd.spec.versions.map((version: any) => version.schema.openAPIV3Schema);
}

/** Calls a function with every schema of a CRD, and the name of the property that it is of. */
function eachSchema(crd: any, visit: (schema: any, name: string) => void): void {
  for (const root of rootsOf(crd)) walk(root, '');

  function walk(schema: any, name: string): void {
    visit(schema, name);
    for (const part of [schema.items, schema.additionalProperties]) if (part) walk(part, name);
    for (const [key, part] of Object.entries(schema.properties ?? {})) walk(part, key);
  }
}
