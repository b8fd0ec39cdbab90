// Bundles the CLI into dist/, and packs what `ots init` copies into a project's vendor/: the libraries and ots itself. Part of
// the build, after tsc has checked everything. Modules that a command imports when it runs stay files of their own.
// Dependencies stay outside. A package that the CLI imports and package.json lists for development only is bundled, and its
// license is added to third-party-licenses.txt.
import { readFile, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ensureDir, readJson, remove } from 'fs-extra/esm';
import { rootDirectory, bundle, isOneOf } from './bundle.mjs';

const dist = new URL('dist/', rootDirectory);
const cache = new URL('node_modules/.cache/build/', rootDirectory);
const { dependencies } = await readJson(new URL('package.json', rootDirectory));
const isDependency = isOneOf(Object.keys(dependencies));

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

/**
 * commander can run a command that is a program of its own. ots has none, so it need not load what starts programs, which is
 * an eighth of the start.
 */
const noExecutableCommands = {
  name: 'no-executable-commands',
  resolveId(id, importer) {
    return id === 'node:child_process' && importer?.includes('/commander/') ? '\0empty' : undefined;
  },
  load(id) {
    return id === '\0empty' ? 'export {};' : undefined;
  },
};

/**
 * The version is all that `ots --version` loads, `ots manifests` needs no templates, `file-system` is an entry, and the API
 * server has parts of its own.
 */
const isShared = (id) =>
  !/\/packages\/|\/src\/(version|package-root|scaffold\/(precompiled|file-system))\.ts$/.test(id);

/**
 * What several commands share goes into one file, because finding and opening a file costs more than reading a larger one.
 * The names of functions stay, because stack traces show them; the rest is minified, because V8 parses all of it at each start.
 */
const output = {
  minify: { compress: true, mangle: { keepNames: true }, codegen: { removeWhitespace: true } },
  codeSplitting: {
    includeDependenciesRecursively: false,
    groups: [{ name: 'common', minShareCount: 3, test: isShared }],
  },
};

/** The licenses of the packages that modules come from; those of this workspace are not below node_modules. */
async function licensesOf(moduleIds) {
  const packages = moduleIds.flatMap((id) => /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+/.exec(id)?.[0] ?? []);
  const texts = [...new Set(packages)].map(async (directory) => {
    const { name, version } = await readJson(join(directory, 'package.json'));
    const file = (await readdir(directory)).find((entry) => /^licen[cs]e/i.test(entry));
    return `${name} ${version}\n\n${(await readFile(join(directory, file), 'utf8')).trim()}\n`;
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
};
const moduleIds = await bundle(
  entries,
  dist,
  isDependency,
  [precompiledTemplates, noExecutableCommands],
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
