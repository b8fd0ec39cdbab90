import { readFileSync } from 'node:fs';
import { PACKAGE_ROOT } from './package-root.ts';

const manifest = JSON.parse(readFileSync(new URL('package.json', PACKAGE_ROOT), 'utf8')) as {
  version: string;
};

/** The version of ots, which is that of all its packages. */
export const VERSION = manifest.version;
