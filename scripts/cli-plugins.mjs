// What makes the bundle of the CLI start faster: plugins of rolldown for build-cli.mjs.
import { fileURLToPath } from 'node:url';

/**
 * commander as ES modules: a CommonJS module stays a function in a bundle, which V8 parses twice. `node:child_process` stays out,
 * because commander starts programs only for commands that are programs of their own, which ots does not have.
 */
export const lightCommander = {
  name: 'light-commander',
  transform: {
    filter: { id: /\/node_modules\/commander\/(index|lib\/\w+)\.js$/ },
    handler: (code) => ({
      code: code
        .replace("require('node:child_process')", 'undefined')
        .replaceAll(/^const (.*) = require\(('\..*?')\);$/gm, 'import $1 from $2;')
        .replaceAll(/^exports\.(\w+) = \1;/gm, 'export { $1 };')
        .replaceAll(/^exports\.(\w+) =/gm, 'export const $1 ='),
      moduleSideEffects: false,
    }),
  },
};

/**
 * oxc-parser loads everything that it exports. The bundle contains what ots uses. What loads files next to itself still finds
 * them in the package.
 */
export const lightParser = {
  name: 'light-parser',
  transform: {
    filter: { id: /\/node_modules\/oxc-parser\/src-js\// },
    handler: (code, id) => ({
      code: code.replace(
        'createRequire(import.meta.url)',
        `(${requireFrom})(createRequire(import.meta.url), '${id.split('/node_modules/').at(-1)}')`,
      ),
      moduleSideEffects: false,
    }),
  },
};

/** Finds the file of a package without its `exports`, for which Node would load its resolver of ES modules first. */
const requireFrom = `(own, file) => {
  const { existsSync } = own('node:fs');
  const path = own.resolve.paths(file).map((modules) => modules + '/' + file).find(existsSync);
  return path ? createRequire(path) : own;
}`;

/**
 * pino in the bundle: the runtime requires it when it creates a logger, and the package of the CLI does not depend on it. What
 * creates loggers is imported when it is needed.
 */
export const bundledPino = {
  name: 'bundled-pino',
  transform: {
    filter: { id: /\/packages\/runtime\/src\/logging\/create-logger\.ts$/ },
    handler: (code) => ({
      code: `import { pino as bundled } from 'pino';\n${code.replace("require('pino')", '({ pino: bundled })')}`,
    }),
  },
};

/** Loads CEL with the first rule. What imports it dynamically gets the same module. */
export const lazyCel = {
  name: 'lazy-cel',
  resolveId(id, _, { kind }) {
    const isStatic = id === 'ots-cel' && kind === 'import-statement';
    return isStatic ? fileURLToPath(new URL('lazy-cel.mjs', import.meta.url)) : undefined;
  },
};

/** Code from the compile cache of Node 20 cannot import, so a file outside the bundle does. */
export const importOutside = {
  name: 'import-outside',
  renderChunk: (code) =>
    code.replaceAll(/\bimport\(("[\w@:/-]+")\)/g, 'require("../bin/import-package.cjs")($1)'),
};
