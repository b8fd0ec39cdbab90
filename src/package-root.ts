/**
 * The folder of this package, where package.json and templates/ are. It is one up from here in src/, and one up from
 * the bundle in dist/.
 */
export const packageRoot = new URL('../', import.meta.url);
