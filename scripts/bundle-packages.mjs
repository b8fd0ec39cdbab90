// Bundles the published packages that have code into their dist, beside the declarations of tsc: an operator that starts, and
// a test file, wait for a few modules, not for hundreds. What is imported lazily stays in its own file. An operator's stacks
// still name the modules, by the source maps of the runtime. ots-apimachinery is not published: it goes into each bundle.
import { readdir, rm } from 'node:fs/promises';
import { readJson, writeJson } from 'fs-extra/esm';
import { rootDirectory, bundle, entriesOf, isOneOf } from './bundle.mjs';
import { embedApimachinery } from './embed-apimachinery.mjs';

async function bundlePackage(name, isExternal, { sourcemap = false } = {}) {
  const dist = new URL(`packages/${name}/dist/`, rootDirectory);
  // The names of its parts change with what is in them.
  const old = (await readdir(dist, { recursive: true })).filter((file) => /\.js(\.map)?$/.test(file));
  await Promise.all(old.map((file) => rm(new URL(file, dist))));
  const entries = await entriesOf(name);
  const input = Object.fromEntries(entries.map((entry) => [entry.name, entry.source]));
  await bundle(input, dist, isExternal, [], { sourcemap });
  if (sourcemap) await dropSources(dist);
  await embedApimachinery(dist);
}

/** Stacks need the names and positions alone; the sources would make the package half as large again. */
async function dropSources(dist) {
  const maps = (await readdir(dist)).filter((file) => file.endsWith('.js.map'));
  for (const map of maps) {
    const { sourcesContent: _, ...rest } = await readJson(new URL(map, dist));
    await writeJson(new URL(map, dist), rest);
  }
}

const { dependencies, peerDependencies } = await readJson(
  new URL('packages/runtime/package.json', rootDirectory),
);
// ots-kubernetes is not bundled: its readers read types, and few of its modules.
await embedApimachinery(new URL('packages/kubernetes/dist/', rootDirectory));
await bundlePackage('cel', isOneOf([]));
// Of ots-cel, the patterns go in, in a file that only those load who import ots-runtime/pattern.
await bundlePackage('runtime', isOneOf([...Object.keys(dependencies), ...Object.keys(peerDependencies)]), {
  sourcemap: true,
});
// ots-cel goes in, in a file that is loaded with the first rule; of ots-kubernetes the tables do.
await bundlePackage('apiserver', isOneOf(['yaml']));
// The others stay outside: a project that imports them, too, has one of each.
await bundlePackage('testing', isOneOf(['ots-apiserver', 'ots-kubernetes', 'ots-runtime']));
