export interface ApiSource {
  /** Members of the interface FooSpec. */
  spec?: string;
  /** More declarations above it. */
  types?: string;
  /** Tags of the kind, one a line. */
  tags?: string[];
  /** Further members of the kind. */
  members?: string;
  kind?: string;
  group?: string;
  version?: string;
  plural?: string;
  scope?: string;
  imports?: string;
}

/** The text of a file that declares one kind, Foo unless told otherwise. */
export function apiSource(options: ApiSource = {}): string {
  const {
    kind = 'Foo',
    group = 'a.example.com',
    version = 'v1',
    plural = 'foos',
    scope = 'Namespaced',
  } = options;
  const names =
    'Condition, Duration, IntOrString, MicroTime, ObjectMeta, Quantity, Time, double, float, int32, int64';
  return `
import { type KubernetesObject, defineKind } from 'ots-runtime';
import type { ${names} } from 'ots-kubernetes';
${options.imports ?? ''}
${options.types ?? ''}
export interface ${kind}Spec {
${options.spec ?? 'size?: int32;'}
}
/**
 * A ${kind}.
${(options.tags ?? []).map((tag) => ` * ${tag}`).join('\n')}
 */
export interface ${kind} extends KubernetesObject {
  apiVersion: '${group}/${version}';
  kind: '${kind}';
  spec: ${kind}Spec;
  ${options.members ?? ''}
}
export const ${kind} = defineKind<${kind}>({ apiVersion: '${group}/${version}', kind: '${kind}', plural: '${plural}', scope: '${scope}' });
`;
}
