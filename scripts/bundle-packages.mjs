// Bundles ots-runtime, ots-apiserver and ots-testing into their dist, beside the declarations of tsc: an operator that starts, and a test
// file, wait for a few modules, not for hundreds. What is loaded when it is needed stays a file of its own. An operator's
// stacks name the modules all the same, by the source maps of the runtime.
import { readFile, readdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { ROOT, bundle, isOneOf } from './bundle.mjs';

async function bundlePackage(name, { entries = ['index'], isExternal, sourcemap = false }) {
  const dist = new URL(`packages/${name}/dist/`, ROOT);
  // The names of its parts change with what is in them.
  const old = (await readdir(dist)).filter((file) => /\.js(\.map)?$/.test(file));
  await Promise.all(old.map((file) => rm(new URL(file, dist))));
  const input = entries.map((entry) => [path.basename(entry), `packages/${name}/src/${entry}.ts`]);
  await bundle(Object.fromEntries(input), dist, isExternal, [], sourcemap);
  if (sourcemap) await dropSources(dist);
}

/** Stacks need the names and positions alone; the sources would make the package half as large again. */
async function dropSources(dist) {
  const maps = (await readdir(dist)).filter((file) => file.endsWith('.js.map'));
  for (const map of maps) {
    const { sourcesContent: _, ...rest } = JSON.parse(await readFile(new URL(map, dist), 'utf8'));
    await writeFile(new URL(map, dist), JSON.stringify(rest));
  }
}

const { dependencies, peerDependencies } = JSON.parse(
  await readFile(new URL('packages/runtime/package.json', ROOT), 'utf8'),
);
// Of ots-cel, the patterns go in, in a file that only those load who import ots-runtime/pattern.
await bundlePackage('runtime', {
  entries: ['index', 'pattern/pattern', 'testing/testing'],
  isExternal: isOneOf([...Object.keys(dependencies), ...Object.keys(peerDependencies)]),
  sourcemap: true,
});
// ots-cel goes in, in a file that is loaded with the first rule; of ots-kubernetes the tables do.
await bundlePackage('apiserver', { isExternal: isOneOf(['yaml']) });
// ots-apiserver stays outside: a project that imports both has one server.
await bundlePackage('testing', { isExternal: isOneOf(['ots-apiserver']) });
