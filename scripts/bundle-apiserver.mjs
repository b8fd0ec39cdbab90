// Bundles ots-apiserver into packages/apiserver/dist, beside the declarations of tsc: a test file that starts a server waits
// for one module, not for hundreds. ots-cel goes in, in a file that is loaded with the first rule; of ots-kubernetes the
// tables do.
import { readdir, rm } from 'node:fs/promises';
import { ROOT, bundle, isOneOf } from './bundle.mjs';

const DIST = new URL('packages/apiserver/dist/', ROOT);

// The names of its parts change with what is in them.
const old = (await readdir(DIST)).filter((name) => name.endsWith('.js'));
await Promise.all(old.map((name) => rm(new URL(name, DIST))));
await bundle({ index: 'packages/apiserver/src/index.ts' }, DIST, isOneOf(['yaml']));
