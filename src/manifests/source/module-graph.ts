import { posix } from 'node:path';
import { closestName } from 'ots-apimachinery/closest-name';
import type { Diagnostics } from '../diagnostics/diagnostics.ts';
import type { Module, TypeDeclaration, ValueDeclaration } from './module.ts';
import { parseModule } from './parse-module.ts';
import type { SourceFiles } from './source-files.ts';
import { SourceText } from './source-text.ts';

/** What a name refers to. */
export type Resolution =
  /** `member` is what follows the name of an enum. */
  | { readonly kind: 'declaration'; readonly declaration: TypeDeclaration; readonly member?: string }
  /** Exported by a package. ots reads nothing from node_modules. */
  | { readonly kind: 'package'; readonly specifier: string; readonly name: string }
  /** Neither declared nor imported here: a TypeScript type, or an unknown name. */
  | { readonly kind: 'unbound' }
  /** Imported from a file that cannot be read, which is reported there. */
  | { readonly kind: 'unreadable' }
  /** Imported from a file that does not exist or does not export it. */
  | { readonly kind: 'missing'; readonly message: string; readonly hint?: string };

/** What the operand of a `typeof` refers to. `members` are the properties that follow the name. */
export type ValueResolution =
  | { readonly kind: 'value'; readonly value: ValueDeclaration; readonly members: readonly string[] }
  | { readonly kind: 'enum'; readonly declaration: TypeDeclaration; readonly members: readonly string[] }
  | Exclude<Resolution, { kind: 'declaration' }>;

/** The type, value or module that a name refers to, before what follows its dots is looked up. */
type Found =
  | { readonly kind: 'declaration'; readonly declaration: TypeDeclaration }
  | { readonly kind: 'value'; readonly value: ValueDeclaration }
  | { readonly kind: 'module'; readonly module: Module }
  | { readonly kind: 'package-module'; readonly specifier: string }
  | Exclude<Resolution, { kind: 'declaration' }>;

/** Types and values are separate namespaces: an interface and a const can have the same name. */
type Space = 'type' | 'value';

/** The project files loaded so far, and how names resolve across them. */
export class ModuleGraph {
  readonly #files: SourceFiles;
  readonly #diagnostics: Diagnostics;
  readonly #modules = new Map<string, Module | undefined>();

  constructor(files: SourceFiles, diagnostics: Diagnostics) {
    this.#files = files;
    this.#diagnostics = diagnostics;
  }

  /** Every module that has been parsed so far. */
  get modules(): Module[] {
    return [...this.#modules.values()].filter((module) => module !== undefined);
  }

  /** Whether a file could not be parsed, so its references are unknown. */
  get hasUnreadable(): boolean {
    return [...this.#modules.values()].includes(undefined);
  }

  /**
   * Reads and parses a file once.
   * @returns undefined if it has syntax errors (reported) or does not exist
   */
  load(path: string, text = this.#files.read(path)): Module | undefined {
    if (!this.#modules.has(path)) {
      const module =
        text === undefined ? undefined : parseModule(new SourceText(path, text), this.#diagnostics);
      this.#modules.set(path, module);
    }
    return this.#modules.get(path);
  }

  /**
   * Resolves a type name in the file that contains it.
   * @param name a name, or names with dots between them: `namespace.Type`, `Enum.Member`
   */
  resolve(module: Module, name: string): Resolution {
    const [head = '', ...members] = name.split('.');
    return this.#typeOf(this.#local(module, head, 'type'), name, members);
  }

  /**
   * Resolves `import('specifier').name` in the file that contains it.
   * @param name as for `resolve`
   */
  resolveImported(module: Module, specifier: string, name: string): Resolution {
    const found = this.#resolveImport(module, { specifier, imported: '*' }, 'type', new Set());
    return this.#typeOf(found, name, name.split('.'));
  }

  /**
   * Resolves the operand of a `typeof` in the file that contains it.
   * @param name a name, or names with dots between them: `namespace.CONST`, `CONST.property`
   */
  resolveValue(module: Module, name: string): ValueResolution {
    const [head = '', ...names] = name.split('.');
    const { found, members } = this.#enter(this.#local(module, head, 'value'), names, 'value');
    switch (found.kind) {
      case 'value':
        return { kind: 'value', value: found.value, members };
      case 'declaration':
        return { kind: 'enum', declaration: found.declaration, members };
      case 'module':
      case 'package-module':
        return { kind: 'missing', message: `${name} is a module, not a constant` };
      default:
        return found;
    }
  }

  #typeOf(start: Found, name: string, names: readonly string[]): Resolution {
    const { found, members } = this.#enter(start, names, 'type');
    switch (found.kind) {
      case 'declaration': {
        const [member, ...more] = members;
        if (member === undefined) return found;
        const isEnum = found.declaration.node.type === 'TSEnumDeclaration' && more.length === 0;
        if (isEnum) return { ...found, member };
        return { kind: 'missing', message: `ots cannot follow the type ${name}` };
      }
      case 'value':
      case 'module':
      case 'package-module':
        return { kind: 'missing', message: `${name} is a module, not a type` };
      default:
        return found;
    }
  }

  /** Follows names through modules, up to a name that is not a module. */
  #enter(start: Found, names: readonly string[], space: Space): { found: Found; members: string[] } {
    let found = start;
    const members = [...names];
    while (members.length > 0) {
      if (found.kind === 'module') {
        found = this.#resolveExport(found.module, members.shift()!, space, new Set());
      } else if (found.kind === 'package-module') {
        found = { kind: 'package', specifier: found.specifier, name: members.shift()! };
      } else {
        break;
      }
    }
    return { found, members };
  }

  #local(module: Module, name: string, space: Space): Found {
    const own = findOwn(module, name, space);
    if (own) return own;
    const binding = module.imports.get(name);
    return binding ? this.#resolveImport(module, binding, space, new Set()) : { kind: 'unbound' };
  }

  #resolveImport(
    from: Module,
    { specifier, imported }: { readonly specifier: string; readonly imported: string },
    space: Space,
    seen: Set<string>,
  ): Found {
    if (!/^\.\.?(?:\/|$)/.test(specifier)) {
      return imported === '*'
        ? { kind: 'package-module', specifier }
        : { kind: 'package', specifier, name: imported };
    }
    const path = this.findFile(from.source.path, specifier);
    if (path === undefined) return { kind: 'missing', message: `'${specifier}' does not exist` };
    const target = this.load(path);
    if (!target) return { kind: 'unreadable' };
    return imported === '*'
      ? { kind: 'module', module: target }
      : this.#resolveExport(target, imported, space, seen);
  }

  /** Follows re-exports. `seen` ends the search in a cycle. */
  #resolveExport(module: Module, name: string, space: Space, seen: Set<string>): Found {
    const step = `${module.source.path}\0${name}`;
    if (seen.has(step)) return missingExport(module, name, space);
    seen.add(step);
    const exported = module.exports.get(name);
    if (exported) {
      const { specifier, local } = exported;
      if (specifier !== undefined)
        return this.#resolveImport(module, { specifier, imported: local }, space, seen);
      const own = findOwn(module, local, space);
      if (own) return own;
      const binding = module.imports.get(local);
      return binding ? this.#resolveImport(module, binding, space, seen) : missingExport(module, name, space);
    }
    let fromPackage: Found | undefined;
    for (const { specifier } of module.starExports) {
      const found = this.#resolveImport(module, { specifier, imported: name }, space, seen);
      // The exports of a package are unknown here, so it comes last.
      if (found.kind === 'package') fromPackage ??= found;
      else if (found.kind !== 'missing') return found;
    }
    return fromPackage ?? missingExport(module, name, space);
  }

  /**
   * Finds the file of a relative specifier.
   * @returns undefined if it does not exist, or is outside of the project
   */
  findFile(from: string, specifier: string): string | undefined {
    const base = posix.join(posix.dirname(from), specifier);
    if (base.startsWith('..')) return undefined;
    const candidates = base.endsWith('.ts')
      ? [base]
      : base.endsWith('.js')
        ? [`${base.slice(0, -3)}.ts`]
        : [`${base}.ts`, `${base}/index.ts`];
    return candidates.find((path) => this.#modules.get(path) ?? this.#files.read(path) !== undefined);
  }
}

/** Returns a declaration of the module itself. An enum is both a type and a value. */
function findOwn(module: Module, name: string, space: Space): Found | undefined {
  const declaration = module.types.get(name);
  if (space === 'type') return declaration && { kind: 'declaration', declaration };
  const value = module.values.get(name);
  if (value) return { kind: 'value', value };
  return declaration?.node.type === 'TSEnumDeclaration' ? { kind: 'declaration', declaration } : undefined;
}

function missingExport(module: Module, name: string, space: Space): Found {
  const message = `${module.source.path} does not export ${name}`;
  if (findOwn(module, name, space))
    return { kind: 'missing', message, hint: `write export before the declaration of ${name}` };
  const others = [...module.exports.keys()].filter((exported) => exported !== name);
  const suggestion = closestName(name, others);
  return { kind: 'missing', message, ...(suggestion ? { hint: `did you mean ${suggestion}?` } : {}) };
}
