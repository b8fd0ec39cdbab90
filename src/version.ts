import { readFileSync } from 'node:fs';
import { packageRoot } from './package-root.ts';

const manifest = JSON.parse(readFileSync(new URL('package.json', packageRoot), 'utf8')) as {
  version: string;
};

/** The version of ots, which is that of all its packages. */
export const packageVersion = manifest.version;
