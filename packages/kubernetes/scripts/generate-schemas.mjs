// Writes the table of the schemas that the types of this package have inside of a CustomResourceDefinition
// (src/type-schema-table.ts): what controller-gen generates for a Go user who embeds the Go type of that name.
//
//   npm run generate:schemas -w ots-kubernetes
//
// Needs Go; type-schemas/go.mod and type-schemas/kubernetes/go.mod name the versions. Run it again after
// generate.mjs, and after an upgrade of either.
import { execFileSync } from 'node:child_process';
import { readFile, readdir, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { renderSchemaTable } from './render-schema-table.mjs';

const source = new URL('../src/', import.meta.url);
const generator = fileURLToPath(new URL('type-schemas/', import.meta.url));

/** The types of the package root that have a structure; scalars are written by hand where they are used. */
const rootTypes = ['Condition', 'ManagedFieldsEntry', 'ObjectMeta', 'OwnerReference'];

const types = [...rootTypes.map((name) => ({ module: '.', name })), ...(await exportedTypes())].map(
  ({ module, name }) => ({ module, name, goPackage: goPackageOf(module) }),
);

const answers = askControllerGen();
const table = renderSchemaTable(types.map((type) => ({ ...type, ...answers[type.goPackage][type.name] })));
await writeFile(new URL('type-schema-table.ts', source), table);
console.log(`${types.length} types, ${table.length} bytes`);

/** The types that the generated modules export. */
async function exportedTypes() {
  const entries = await readdir(source, { recursive: true });
  const modules = entries
    .filter((path) => /^\w+\/v\w+\.ts$/.test(path))
    .map((path) => path.slice(0, -'.ts'.length));
  const texts = await Promise.all(
    modules
      .toSorted()
      .map(async (module) => [module, await readFile(new URL(`${module}.ts`, source), 'utf8')]),
  );
  return texts.flatMap(([module, text]) =>
    Array.from(text.matchAll(/^export (?:interface|type) (\w+)/gm), ([, name]) => ({ module, name })),
  );
}

/** @returns {Record<string, Record<string, { schema?: object, missing?: string }>>} by package and name */
function askControllerGen() {
  const request = {};
  for (const { goPackage, name } of types) (request[goPackage] ??= []).push(name);
  const options = { cwd: generator, input: JSON.stringify(request), maxBuffer: 2 ** 28, encoding: 'utf8' };
  return JSON.parse(execFileSync('go', ['run', '.', '-dir', 'kubernetes'], options));
}

/** @returns {string} the import path of the Go package that a module was made from */
function goPackageOf(module) {
  const others = {
    '.': 'k8s.io/apimachinery/pkg/apis/meta/v1',
    'apiextensions/v1': 'k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1',
    'apiregistration/v1': 'k8s.io/kube-aggregator/pkg/apis/apiregistration/v1',
    'meta/v1': 'k8s.io/apimachinery/pkg/apis/meta/v1',
  };
  return others[module] ?? `k8s.io/api/${module}`;
}
