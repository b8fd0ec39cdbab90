// Bundles the CLI into dist/, and packs what `ots init` copies into a project's vendor/: the libraries and ots itself. Part of
// the build, after tsc has checked everything. Modules that a command imports when it runs stay files of their own.
// Dependencies stay outside. A package that the CLI imports and package.json lists for development only is bundled, and its
// license is added to third-party-licenses.txt.
import { createHash } from 'node:crypto';
import { readFile, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ensureDir, readJson, remove, writeJson } from 'fs-extra/esm';
import { rootDirectory, bundle, isOneOf } from './bundle.mjs';
import { bundlePage } from './bundle-page.mjs';
import { bundledPino, importOutside, lazyCel, lightCommander, lightParser } from './cli-plugins.mjs';

const dist = new URL('dist/', rootDirectory);
const cache = new URL('node_modules/.cache/build/', rootDirectory);
const { dependencies, version } = await readJson(new URL('package.json', rootDirectory));
const isDependency = isOneOf(Object.keys(dependencies));
const isExternal = (id) => isDependency(id) && id !== 'oxc-parser';

/** Compiles the templates now, into a file per folder of a layout, so a command loads only its own, and no compiler. */
const compiledTemplates = {
  name: 'compiled-templates',
  async load(id) {
    if (!id.endsWith('/src/scaffold/templates.ts')) return undefined;
    const directory = fileURLToPath(new URL('templates/', rootDirectory));
    const paths = await readdir(directory, { recursive: true });
    const names = paths
      .filter((path) => path.endsWith('.hbs'))
      .map((path) => path.slice(0, -'.hbs'.length).replaceAll('\\', '/'))
      .toSorted();
    const folders = {};
    for (const name of names) {
      const text = await readFile(join(directory, `${name}.hbs`), 'utf8');
      (folders[folderOf(name)] ??= {})[name] = compileTemplate(text);
    }
    for (const [folder, templates] of Object.entries(folders)) {
      const source = JSON.stringify(templates);
      this.emitFile({ type: 'asset', fileName: `templates/${folder}.json`, source });
    }
    return {
      code: `import { createRequire } from 'node:module';
const load = createRequire(import.meta.url);
${String(folderOf)}
export const templateNames = () => ${JSON.stringify(names)};
export const compiledTemplate = (name) => load(\`./templates/\${folderOf(name)}.json\`)[name];`,
      moduleType: 'js',
    };
  },
};

function folderOf(name) {
  return name.split('/').slice(0, 2).join('/');
}

/** Knows the version already, so no command reads package.json for it. */
const knownVersion = {
  name: 'known-version',
  load: (id) =>
    id.endsWith('/src/version.ts') ? `export const packageVersion = ${JSON.stringify(version)};` : undefined,
};

/** What commands share that change a cluster. */
const clusterModules =
  /(?<!\/packages\/\w+)\/src\/(deploy\/|commands\/(install|deploy)\/|commands\/run\/(run|kubeconfig-variable)\.|commands\/shared\/(with-cluster|objects-report|confirm-data-loss)\.)/;

/** What commands share that read bundles and catalogs. */
const olmModules = /\/src\/(olm|images)\/|\/src\/commands\/shared\/bundle-argument\./;

/**
 * What several commands share is in a few files, because finding and opening a file costs more than reading a larger one: the
 * command line, what reads and writes a project, what renders templates, what generates manifests, what the generator shares
 * with the API server, and what changes a cluster. What one command alone uses is in the file of that command.
 */
const groups = [
  {
    name: 'command-line',
    test: /\/commander\/|(?<!\/packages\/\w+)\/src\/errors\/|\/src\/program\.|\/declare\.|\/src\/commands\/shared\/(cluster-options|declare-command|flags|resource-flags|suggestions)\.|\/(controller-names|licenses|shells)\.ts$/,
  },
  // Before what other commands share: both need the client of the runtime, which takes a while to load.
  {
    name: 'olm-cluster',
    test: /\/src\/(olm\/cluster\/|commands\/(olm\/|run\/(with|valid)-bundle\.))/,
    minShareCount: 2,
  },
  { name: 'cluster', test: clusterModules, minShareCount: 2 },
  // All rules of `ots check` run each time. Not common: they need the generator and the API server.
  { name: 'check', test: /(?<!\/packages\/\w+)\/src\/check\// },
  // Before what other commands share: only deleting and updating scaffold a whole project again and merge texts.
  {
    name: 'rescaffold',
    test: /\/src\/layouts\/typescript\/(undo\/|stage-project\.|scaffold-step\.)|\/scaffold\/merge\/|\/node-diff3\//,
    minShareCount: 2,
  },
  { name: 'common', test: isCommon, minShareCount: 3 },
  {
    name: 'templates',
    test: /\/src\/(layouts\/(?!.*(init-variables|\/stage-init))|scaffold\/(render|templates|insertions))|\/handlebars\//,
    minShareCount: 3,
  },
  // What defines kinds needs the names when it is loaded, so it cannot be in a file that these need.
  {
    name: 'kinds',
    test: /\/packages\/kubernetes\/.*\/v\w+\.js$|\/packages\/kubernetes\/dist\/(kind|invalid-kind-error)\.js$/,
    minShareCount: 2,
  },
  {
    name: 'validation',
    test: /\/packages\/(apimachinery|apiserver|kubernetes|cel\/src\/(pattern|escape|rules\/rule-budgets))/,
    minShareCount: 2,
  },
  // Not common: it needs the readers of the API server.
  { name: 'olm', test: olmModules, minShareCount: 2 },
  { name: (id, modules) => (isOfGenerator(id, modules) ? 'generator' : null) },
];

/** Also what the generator alone imports, so its file needs no other that needs it. */
function isOfGenerator(id, modules, importees = []) {
  if (/\/src\/manifests\/(?!compat|docs|watch)|\/oxc-parser\/|\/lazy-cel/.test(id)) return true;
  const importers = modules.getModuleInfo(id).importers.filter((importer) => !importees.includes(importer));
  return (
    importers.length > 0 &&
    importers.every((importer) => isOfGenerator(importer, modules, [...importees, id]))
  );
}

/** The version is all that `ots --version` loads, and `ots manifests` renders no templates. */
function isCommon(id) {
  const other =
    /\/(packages|layouts|manifests|src\/dev|node_modules\/(?!yaml\/)[^/]+|handlebars|oxc-parser)\/|\/(version|package-root|render|templates|unified-diff|lazy-cel)\./;
  if (clusterModules.test(id) || olmModules.test(id)) return false;
  const exceptions =
    /\/(names|closest-name|resources|resource-table|stage-manifests|format-long-lines|unedited-project|plan-manifests)\.[jt]s$/;
  return !other.test(id) || exceptions.test(id);
}

/**
 * The names of functions stay, because stack traces show them; the rest is minified, because V8 parses all of it at each
 * start.
 */
const output = {
  // Node loads CommonJS faster: it resolves and reads each file in a few calls, without promises.
  format: 'cjs',
  entryFileNames: '[name].cjs',
  chunkFileNames: '[name]-[hash].cjs',
  minify: { compress: true, mangle: { keepNames: true }, codegen: { removeWhitespace: true } },
  codeSplitting: { includeDependenciesRecursively: false, groups },
};

/** The licenses of the packages that modules come from; those of this workspace are not below node_modules. */
async function licensesOf(moduleIds) {
  const packages = moduleIds.flatMap((id) => /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+/.exec(id)?.[0] ?? []);
  const texts = [...new Set(packages)].map(async (directory) => {
    const { name, version: ofPackage } = await readJson(join(directory, 'package.json'));
    const file = (await readdir(directory)).find((entry) => /^licen[cs]e/i.test(entry));
    return `${name} ${ofPackage}\n\n${(await readFile(join(directory, file), 'utf8')).trim()}\n`;
  });
  return (await Promise.all(texts)).join(`\n${'-'.repeat(80)}\n\n`);
}

/** Tells builds apart, for bin/compile-cache.cjs. */
async function buildIdOf(directory) {
  const hash = createHash('sha256');
  const files = (await readdir(directory)).filter((file) => file.endsWith('.cjs'));
  for (const file of files.toSorted()) hash.update(await readFile(new URL(file, directory)));
  return hash.digest('hex').slice(0, 16);
}

await bundle({ 'compile-template': 'src/scaffold/compile-template.ts' }, cache, isDependency);
const { compileTemplate } = await import(new URL('compile-template.js', cache).href);

await remove(dist);
const entries = {
  cli: 'src/cli.ts',
  // For this script and for the tests that kill the CLI.
  'pack-package': 'src/layouts/typescript/pack-package.ts',
  common: 'src/scaffold/file-system.ts',
  // For lazy-cel.mjs.
  cel: 'packages/cel/src/index.ts',
};
const moduleIds = await bundle(
  entries,
  dist,
  isExternal,
  [compiledTemplates, knownVersion, lightCommander, lightParser, lazyCel, bundledPino, importOutside],
  output,
);
// What `ots dev` loads into the process of an operator, which is an ES module like the operator, and the processes of a custom test and of
// `ots torture`.
moduleIds.push(
  ...(await bundle(
    {
      'dev-agent': 'src/dev/operator/agent.ts',
      'dev-hooks': 'src/dev/operator/typescript-hooks.ts',
      'scorecard-runner': 'src/commands/scorecard/runner.ts',
      'torture-runner': 'src/commands/torture/runner.ts',
    },
    dist,
    isDependency,
    [],
    { entryFileNames: '[name].mjs' },
  )),
);
await writeJson(new URL('build-id.json', dist), await buildIdOf(dist));
const pageModuleIds = await bundlePage(new URL('dev-page/', dist));
const licenses = await licensesOf([...moduleIds, ...pageModuleIds]);
await writeFile(new URL('third-party-licenses.txt', dist), licenses);

const { vendoredLibraries, packPackage } = await import(new URL('pack-package.cjs', dist).href);
await ensureDir(new URL('vendor/', dist));
// ots comes last, because it holds the libraries.
const directories = vendoredLibraries.map(
  (name) => new URL(`packages/${name.replace('ots-', '')}/`, rootDirectory),
);
for (const directory of [...directories, rootDirectory]) {
  const { file, content } = packPackage(directory);
  await writeFile(new URL(`vendor/${file}`, dist), content);
}
