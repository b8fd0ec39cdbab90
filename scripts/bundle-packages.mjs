// Bundles ots-runtime and ots-apiserver into their dist, beside the declarations of tsc: an operator that starts, and a test
// file, wait for a few modules, not for hundreds. What is loaded when it is needed stays a file of its own.
import { readFile, readdir, rm } from 'node:fs/promises';
import { ROOT, bundle, isOneOf } from './bundle.mjs';

async function bundlePackage(name, isExternal) {
  const dist = new URL(`packages/${name}/dist/`, ROOT);
  // The names of its parts change with what is in them.
  const old = (await readdir(dist)).filter((file) => file.endsWith('.js'));
  await Promise.all(old.map((file) => rm(new URL(file, dist))));
  await bundle({ index: `packages/${name}/src/index.ts` }, dist, isExternal);
}

const { dependencies, peerDependencies } = JSON.parse(
  await readFile(new URL('packages/runtime/package.json', ROOT), 'utf8'),
);
await bundlePackage('runtime', isOneOf([...Object.keys(dependencies), ...Object.keys(peerDependencies)]));
// ots-cel goes in, in a file that is loaded with the first rule; of ots-kubernetes the tables do.
await bundlePackage('apiserver', isOneOf(['yaml']));
