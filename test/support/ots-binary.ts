import { fileURLToPath } from 'node:url';
import { assertFreshBuild } from './assert-fresh-build.ts';

assertFreshBuild();

/** The CLI as users run it, with `node` before it; it is what `npm run build` made of the sources. */
export const otsBinary = fileURLToPath(new URL('../../bin/ots.cjs', import.meta.url));
