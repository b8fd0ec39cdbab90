import { fileURLToPath } from 'node:url';
import { typeSchema, typeSchemaModules, typeSchemaNames } from 'ots-kubernetes/type-schemas';
import { describe, expect, test } from 'vitest';
import { schemaToJson } from '../../../src/manifests/schema/schema-json.ts';
import { hasGo, runControllerGen } from './controller-gen.ts';

/** The module that says which version of Kubernetes the table was made from. */
const kubernetesSource = fileURLToPath(
  new URL('../../../packages/kubernetes/scripts/type-schemas/kubernetes/', import.meta.url),
);
const metaPackage = 'k8s.io/apimachinery/pkg/apis/meta/v1';
const goPackages: Readonly<Record<string, string>> = {
  '.': metaPackage,
  'apiextensions/v1': 'k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1',
  'apiregistration/v1': 'k8s.io/kube-aggregator/pkg/apis/apiregistration/v1',
  'meta/v1': metaPackage,
};

const modules = typeSchemaModules().map((module, index) => ({ module, directory: `module${index}` }));

/** A kind with a field for each type of a module. */
const goOf = ({
  module,
  directory,
}: {
  module: string;
  directory: string;
}) => `// +groupName=${directory}.example.com
package v1

import (
	meta "${metaPackage}"
	types "${goPackages[module] ?? `k8s.io/api/${module}`}"
)

type Foo struct {
	meta.TypeMeta \`json:",inline"\`
	meta.ObjectMeta \`json:"metadata,omitempty"\`
	Spec Types \`json:"spec"\`
}

type Types struct {
${typeSchemaNames(module)
  .map((name, index) => `\tF${index} types.${name} \`json:"${name}"\``)
  .join('\n')}
}
`;

describe.skipIf(!hasGo)('types of Kubernetes have the schemas that Go users get', () => {
  const generator = 'crd:generateEmbeddedObjectMeta=true,maxDescLen=0';
  const files = modules.map((entry) => [`${entry.directory}/types.go`, goOf(entry)]);
  const written = hasGo ? runControllerGen(Object.fromEntries(files), [generator], kubernetesSource) : {};
  const toJson = schemaToJson();

  test.each(modules)('$module', ({ module, directory }) => {
    const [crd] = written[`${directory}.example.com_foos.yaml`]!;
    const theirs = crd.spec.versions[0].schema.openAPIV3Schema.properties.spec.properties;
    const ours = typeSchemaNames(module).map((name) => [name, toJson(typeSchema(module, name)!)]);
    expect(Object.fromEntries(ours)).toEqual(theirs);
  });
});
