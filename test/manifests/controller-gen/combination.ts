import { apiSource } from '../api-source.ts';

/** The same API in TypeScript and in Go, to be compared. */
export interface Combination {
  readonly name: string;
  /** Members of the spec: `size?: int32;`. */
  readonly typescript?: string;
  /** Fields of the spec, without the backticks that are around tags: `Size int32 json:"size"`. */
  readonly go?: string;
  /** Declarations above the spec. */
  readonly types?: { readonly typescript: string; readonly go: string };
  /** What is said about the kind. */
  readonly kind?: {
    readonly typescript: readonly string[];
    readonly go: readonly string[];
    readonly members?: { readonly typescript: string; readonly go: string };
  };
  readonly scope?: 'Namespaced' | 'Cluster';
  readonly version?: string;
}

/** @param group tells the combinations of a run apart */
export function typescriptOf({ typescript = '', types, kind, ...rest }: Combination, group: string): string {
  return apiSource({
    group,
    spec: typescript,
    types: types?.typescript ?? '',
    tags: [...(kind?.typescript ?? [])],
    members: kind?.members?.typescript ?? '',
    ...(rest.scope ? { scope: rest.scope } : {}),
    ...(rest.version ? { version: rest.version } : {}),
  });
}

const importPaths: Readonly<Record<string, string>> = {
  apiextensionsv1: 'k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1',
  corev1: 'k8s.io/api/core/v1',
  intstr: 'k8s.io/apimachinery/pkg/util/intstr',
  metav1: 'k8s.io/apimachinery/pkg/apis/meta/v1',
  resource: 'k8s.io/apimachinery/pkg/api/resource',
  runtime: 'k8s.io/apimachinery/pkg/runtime',
};

/** The Go package of a combination. */
export function goOf({ go = '', types, kind, version = 'v1' }: Combination, group: string): string {
  const body = `${types?.go ?? ''}
type FooSpec struct {
${go}
}

// A Foo.
${(kind?.go ?? []).map((marker) => `// ${marker}\n`).join('')}type Foo struct {
	metav1.TypeMeta json:",inline"
	metav1.ObjectMeta json:"metadata,omitempty"
	Spec FooSpec json:"spec"
${kind?.members?.go ?? ''}
}
`;
  const imports = Object.entries(importPaths).filter(([name]) => new RegExp(`\\b${name}\\.`).test(body));
  return `// +groupName=${group}
package ${version}

import (
${imports.map(([name, path]) => `\t${name} "${path}"`).join('\n')}
)

${body.replaceAll(/ (json:"[^"]*")$/gm, ' `$1`')}`;
}
