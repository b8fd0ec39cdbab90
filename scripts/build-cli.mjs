// Bundles the CLI into dist/, and packs what `ots init` copies into a project's vendor/: the libraries and ots itself. Part of
// the build, after tsc has checked everything. Modules that a command imports when it runs stay files of their own.
// Dependencies stay outside. A package that the CLI imports and package.json lists for development only is bundled, and its
// license is added to third-party-licenses.txt.
import { readFile, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ensureDir, readJson, remove } from 'fs-extra/esm';
import { rootDirectory, bundle, isOneOf } from './bundle.mjs';
import { lazyBuiltins, lazyCel, lightCommander, lightParser } from './cli-plugins.mjs';

const dist = new URL('dist/', rootDirectory);
const cache = new URL('node_modules/.cache/build/', rootDirectory);
const { dependencies, version } = await readJson(new URL('package.json', rootDirectory));
const isDependency = isOneOf(Object.keys(dependencies));
const isExternal = (id) => isDependency(id) && id !== 'oxc-parser';

/** Compiles the templates now, so that no command has to load a compiler and run it. */
const precompiledTemplates = {
  name: 'precompiled-templates',
  async load(id) {
    if (!id.endsWith('/src/scaffold/precompiled.ts')) return undefined;
    const templates = fileURLToPath(new URL('templates/', rootDirectory));
    const paths = await readdir(templates, { recursive: true });
    const entries = paths
      .filter((path) => path.endsWith('.hbs'))
      .toSorted()
      .map(async (path) => {
        const name = path.slice(0, -'.hbs'.length).replaceAll('\\', '/');
        const { source, names } = compileTemplate(await readFile(join(templates, path), 'utf8'));
        return `${JSON.stringify(name)}: { names: ${JSON.stringify(names)}, spec: ${source} }`;
      });
    return {
      code: `export const precompiled = {\n${(await Promise.all(entries)).join(',\n')}\n};`,
      moduleType: 'js',
    };
  },
};

/** Knows the version already, so no command reads package.json for it. */
const knownVersion = {
  name: 'known-version',
  load: (id) =>
    id.endsWith('/src/version.ts') ? `export const packageVersion = ${JSON.stringify(version)};` : undefined,
};

/**
 * What several commands share is in four files, because finding and opening a file costs more than reading a larger one: the
 * command line, what reads and writes a project, what renders templates, and what generates manifests. A file imports only
 * those above it. What one command alone uses is in the file of that command.
 */
const groups = [
  {
    name: 'command-line',
    test: /commander\/|\/commands\/(shared\/suggestions|completion\/shells)|\/(controller-names|licenses)\.ts$/,
    minShareCount: 2,
  },
  { name: 'common', test: isCommon, minShareCount: 3 },
  {
    name: 'templates',
    test: /\/src\/(layouts|scaffold\/(render|precompiled|compile|insertions))|\/handlebars\//,
    minShareCount: 3,
  },
  {
    name: 'generator',
    test: /\/src\/manifests\/(?!generate-manifests)|\/oxc-parser\/|\/cel\/src\/(pattern|escape|rules\/rule-budgets)|\/apimachinery\/|\/type-schema/,
    minShareCount: 2,
  },
];

/** `file-system` is an entry, the version is all that `ots --version` loads, and `ots manifests` renders no templates. */
function isCommon(id) {
  const other =
    /\/(packages|layouts|manifests|handlebars|oxc-parser)\/|\/(file-system|version|package-root|render|precompiled|lazy-cel)\./;
  const exceptions =
    /\/(names|closest-name|resources|resource-table|stage-manifests|format-long-lines|plan-manifests)\.[jt]s$/;
  return !other.test(id) || exceptions.test(id);
}

/**
 * The names of functions stay, because stack traces show them; the rest is minified, because V8 parses all of it at each
 * start.
 */
const output = {
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

await bundle({ 'compile-template': 'src/scaffold/compile-template.ts' }, cache, isDependency);
const { compileTemplate } = await import(new URL('compile-template.js', cache).href);

await remove(dist);
const entries = {
  cli: 'src/cli.ts',
  // For this script and for the tests that kill the CLI.
  'pack-package': 'src/layouts/typescript/pack-package.ts',
  'file-system': 'src/scaffold/file-system.ts',
  // For lazy-cel.mjs.
  cel: 'packages/cel/src/index.ts',
};
const moduleIds = await bundle(
  entries,
  dist,
  isExternal,
  [precompiledTemplates, knownVersion, lightCommander, lazyBuiltins, lightParser, lazyCel],
  output,
);
await writeFile(new URL('third-party-licenses.txt', dist), await licensesOf(moduleIds));

const { vendoredLibraries, packPackage } = await import(new URL('pack-package.js', dist).href);
await ensureDir(new URL('vendor/', dist));
// ots comes last, because it holds the libraries.
const directories = vendoredLibraries.map(
  (name) => new URL(`packages/${name.replace('ots-', '')}/`, rootDirectory),
);
for (const directory of [...directories, rootDirectory]) {
  const { file, content } = packPackage(directory);
  await writeFile(new URL(`vendor/${file}`, dist), content);
}
