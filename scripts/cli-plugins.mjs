// What makes the bundle of the CLI start faster: plugins of rolldown for build-cli.mjs.
import { fileURLToPath } from 'node:url';

/**
 * Modules of Node that commander requires and ots does not need to load. commander starts programs only for commands that are
 * programs of their own, which ots does not have. The module `process` opens stdin, stdout and stderr; the global does not.
 */
const substitutes = { 'node:child_process': '', 'node:process': 'module.exports = process;' };
const substitutePrefix = '\0commander/';

export const lightCommander = {
  name: 'light-commander',
  resolveId(id, importer) {
    return id in substitutes && importer?.includes('/commander/') ? substitutePrefix + id : undefined;
  },
  load(id) {
    return id.startsWith(substitutePrefix) ? substitutes[id.slice(substitutePrefix.length)] : undefined;
  },
};

/**
 * An `import` of a module of Node evaluates all its exports, and some of them load further modules: the streams of `node:fs`, the
 * Web Crypto of `node:crypto`. The module itself loads them on use.
 */
export const lazyBuiltins = {
  name: 'lazy-builtins',
  renderChunk(code) {
    // Only the imports at the start: templates contain others.
    const imports = /^(?:import .*;\n)+/.exec(code)?.[0] ?? '';
    return imports.replaceAll(builtinImport, withoutImport) + code.slice(imports.length);
  },
};

const builtinImport = /^import (?:\* as )?(\w+)?(?:, )?(\{.*\})? from "(node:.*)";$/gm;

function withoutImport(_, whole, named, module) {
  const targets = [whole, named?.replaceAll(' as ', ': ')].filter(Boolean);
  return targets.map((target) => `const ${target} = process.getBuiltinModule("${module}");`).join('\n');
}

/**
 * oxc-parser loads everything that it exports. The bundle contains what ots uses. What loads files next to itself stays in the
 * package: the native parser, and the visitor.
 */
const keptInParser = ['bindings.js', 'visit/index.js'];

export const lightParser = {
  name: 'light-parser',
  resolveId(id, importer) {
    if (!importer?.includes('/node_modules/oxc-parser/')) return undefined;
    const kept = keptInParser.find((file) => id.endsWith(`/${file}`));
    // Commands without a use of the visitor do not import it.
    return kept && { id: `oxc-parser/src-js/${kept}`, external: true, moduleSideEffects: false };
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
