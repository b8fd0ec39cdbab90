import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';

export const ROOT = new URL('../', import.meta.url);

/**
 * Bundles modules of this repository for Node: hundreds of modules in one file start in a fraction of the time. What is
 * imported when it is needed becomes a file of its own.
 *
 * @param input entries: paths by their name in the output
 * @param directory URL of the output
 * @param isExternal whether an import stays an import
 * @param plugins of rolldown
 * @param sourcemap whether to write source maps beside the files, for stacks that name the modules
 * @returns the files that went in
 */
export async function bundle(input, directory, isExternal, plugins = [], sourcemap = false) {
  const build = await rolldown({
    cwd: fileURLToPath(ROOT),
    input,
    platform: 'node',
    external: isExternal,
    // Its sources, not its own bundle: what both use goes in once.
    resolve: { alias: { 'ots-apiserver': fileURLToPath(new URL('packages/apiserver/src/index.ts', ROOT)) } },
    plugins,
  });
  const { output } = await build.write({ dir: fileURLToPath(directory), format: 'esm', sourcemap });
  await build.close();
  return output.flatMap((chunk) => chunk.moduleIds ?? []);
}

/** Whether an import is of one of some packages. */
export function isOneOf(packages) {
  return (id) => packages.some((name) => id === name || id.startsWith(`${name}/`));
}
