// Writes the modules of the built-in kinds (src/<group>/<version>.ts), the table of what a server serves
// (src/resource-table.ts) and that of the kinds' schemas (src/object-schema-table.ts) from the OpenAPI v3 documents and the discovery of a running kube-apiserver.
//
//   node packages/kubernetes/scripts/generate.mjs --kubeconfig FILE
//
// Takes only facts: names, types, formats, enumerations, required fields, and from the answers to samples.yaml which defaults
// the server sets and what is immutable (ask-server.mjs). The samples stay: use a disposable server. Needs Go for what the
// documents do not contain (read-go-types.mjs). Run it again after an upgrade.
import { execFileSync } from 'node:child_process';
import { mkdir, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { parseAllDocuments } from 'yaml';
import { askServer } from './ask-server.mjs';
import { connect } from './connect.mjs';
import { docComments } from './doc-comments.mjs';
import { readGoTypes } from './read-go-types.mjs';
import { moduleOf, renderModule } from './render-module.mjs';
import { renderObjectSchemaTable } from './render-object-schema-table.mjs';
import { renderResourceTable } from './render-resource-table.mjs';

const source = fileURLToPath(new URL('../src/', import.meta.url));
const discoveryType = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList';

const { values } = parseArgs({ options: { kubeconfig: { type: 'string' } } });
if (!values.kubeconfig) throw new Error('usage: generate.mjs --kubeconfig FILE');
const call = await connect(values.kubeconfig);

const groups = [];
for (const root of ['/api', '/apis']) groups.push(...JSON.parse(await get(root, discoveryType)).items);
const served = groups.flatMap((group) =>
  group.versions.map((version) => ({
    group: group.metadata.name ?? '',
    version: version.version,
    resources: version.resources,
  })),
);

/** @type {Map<string, Record<string, object>>} the schemas of each document, by name */
const documents = new Map();
for (const name of Object.keys(JSON.parse(await get('/openapi/v3')).paths)) {
  documents.set(name, JSON.parse(await get(`/openapi/v3/${name}`)).components?.schemas ?? {});
}

/** @type {Map<string, Record<string, object>>} the schemas of each module, by name */
const modules = new Map();
for (const { group, version } of served) {
  for (const [name, schema] of Object.entries(
    documents.get(`${group ? `apis/${group}` : 'api'}/${version}`),
  )) {
    const module = moduleOf(name);
    if (module) modules.set(module, { ...modules.get(module), [name]: schema });
  }
}

const definitions = Object.assign({}, ...documents.values());
const samples = parseAllDocuments(await readFile(new URL('samples.yaml', import.meta.url), 'utf8'));
const { major, minor } = JSON.parse(await get('/version'));
const comments = docComments({
  version: `${major}.${minor}`,
  definitions,
  served,
  behaviors: await askServer(
    samples.map((sample) => sample.toJS()),
    definitions,
    served,
    call,
  ),
});

// Render everything before the first file changes: an error must not remove existing files.
const files = new Map([
  ...[...modules].map(([module, schemas]) => [
    `${module}.ts`,
    renderModule(module, schemas, served, comments),
  ]),
  ['resource-table.ts', renderResourceTable(served)],
  ['object-schema-table.ts', renderObjectSchemaTable(documents.values(), readGoTypes())],
]);
await removeGeneratedModules();
for (const [file, text] of files) {
  await mkdir(path.join(source, path.dirname(file)), { recursive: true });
  await writeFile(path.join(source, file), text);
}
execFileSync('npx', ['oxfmt', source], { stdio: 'inherit' });

/** Every folder of src contains only generated modules (and tests beside them). */
async function removeGeneratedModules() {
  for (const entry of await readdir(source, { withFileTypes: true })) {
    if (entry.isDirectory()) await rm(path.join(source, entry.name), { recursive: true });
  }
}

/** @returns {Promise<string>} the text at a path of the server */
async function get(target, accept) {
  const { status, text } = await call(target, { accept });
  if (status !== 200) throw new Error(`${target}: ${status} ${text}`);
  return text;
}
