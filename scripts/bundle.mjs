import { fileURLToPath } from 'node:url';
import { readJson } from 'fs-extra/esm';
import { rolldown } from 'rolldown';

export const rootDirectory = new URL('../', import.meta.url);

/**
 * The entries of a package of this workspace, from the `exports` of its package.json.
 *
 * @param name without `ots-`
 * @returns of each entry: what imports it, the absolute path of its source, and the name of its file in dist
 */
export async function entriesOf(name) {
  const directory = new URL(`packages/${name}/`, rootDirectory);
  const { exports } = await readJson(new URL('package.json', directory));
  return Object.entries(exports)
    .filter(([, { types }]) => types !== undefined)
    .map(([entry, { types, default: file }]) => ({
      specifier: `ots-${name}${entry.slice(1)}`,
      source: fileURLToPath(new URL(types.replace('./dist/', 'src/').replace(/\.d\.ts$/, '.ts'), directory)),
      name: file.slice('./dist/'.length, -'.js'.length),
    }));
}

/** What an import means in a bundle. Packages of this workspace go in as sources: what two of them use goes in once. */
const pathOf = (path) => fileURLToPath(new URL(path, rootDirectory));
const aliases = {
  // As ES modules. CommonJS modules stay functions in a bundle, which V8 parses twice.
  yaml: pathOf('node_modules/yaml/browser/dist/index.js'),
  'handlebars/runtime.js': pathOf('node_modules/handlebars/lib/handlebars.runtime.js'),
  // cli-plugins.mjs makes them ES modules.
  commander: pathOf('node_modules/commander/index.js'),
  'ots-apimachinery': pathOf('packages/apimachinery/src'),
  // $ ends a name that is not the start of others.
  ...Object.fromEntries(
    [
      ...(await entriesOf('apiserver')),
      ...(await entriesOf('cel')),
      ...(await entriesOf('runtime')),
      ...(await entriesOf('testing')),
    ].map(({ specifier, source }) => [`${specifier}$`, source]),
  ),
};

/**
 * Bundles modules of this repository for Node: hundreds of modules in one file start in a fraction of the time. What is
 * imported when it is needed becomes a file of its own.
 *
 * @param input entries: paths by their name in the output
 * @param directory URL of the output
 * @param isExternal whether an import stays an import
 * @param plugins of rolldown
 * @param output further options of rolldown for the output, like `sourcemap` for stacks that name the modules
 * @returns the files that went in
 */
export async function bundle(input, directory, isExternal, plugins = [], output = {}) {
  const build = await rolldown({
    cwd: fileURLToPath(rootDirectory),
    input,
    platform: 'node',
    preserveEntrySignatures: 'allow-extension',
    external: isExternal,
    resolve: { alias: aliases },
    plugins,
  });
  const written = await build.write({ dir: fileURLToPath(directory), format: 'esm', ...output });
  await build.close();
  return written.output.flatMap((chunk) => chunk.moduleIds ?? []);
}

/** Whether an import is of one of some packages. */
export function isOneOf(packages) {
  return (id) => packages.some((name) => id === name || id.startsWith(`${name}/`));
}
