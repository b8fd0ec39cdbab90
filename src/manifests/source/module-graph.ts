import { posix } from 'node:path';
import type { Diagnostics } from '../diagnostics/diagnostics.ts';
import type { Module, TypeDeclaration } from './module.ts';
import { parseModule } from './parse-module.ts';
import type { SourceFiles } from './source-files.ts';
import { SourceText } from './source-text.ts';

/** What a name means. */
export type Resolution =
  | { readonly kind: 'declaration'; readonly declaration: TypeDeclaration }
  /** Exported by a package; nothing is read from node_modules. */
  | { readonly kind: 'package'; readonly specifier: string; readonly name: string }
  /** Neither declared nor imported here: a type of the language, or a mistake. */
  | { readonly kind: 'unbound' }
  /** Imported, but from a file that cannot be read (reported there). */
  | { readonly kind: 'unreadable' }
  /** Imported from a file that is not there or does not export it. */
  | { readonly kind: 'missing'; readonly message: string };

/** The files of the project that were needed so far, and how names lead from one to another. */
export class ModuleGraph {
  readonly #files: SourceFiles;
  readonly #diagnostics: Diagnostics;
  readonly #modules = new Map<string, Module | undefined>();

  constructor(files: SourceFiles, diagnostics: Diagnostics) {
    this.#files = files;
    this.#diagnostics = diagnostics;
  }

  /** Every module that could be parsed so far. */
  get modules(): Module[] {
    return [...this.#modules.values()].filter((module) => module !== undefined);
  }

  /** Whether a file could not be parsed, so that what it refers to is not known. */
  get hasUnreadable(): boolean {
    return [...this.#modules.values()].includes(undefined);
  }

  /**
   * Reads and parses a file once.
   * @returns undefined when it has syntax errors (reported) or there is no such file
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
   * Finds out what a type name means where it is written.
   * @param name a name, or `namespace.name` of a namespace import
   */
  resolve(module: Module, name: string): Resolution {
    const [head = '', member] = name.split('.');
    const declaration = member === undefined && module.types.get(head);
    if (declaration) return { kind: 'declaration', declaration };
    const binding = module.imports.get(head);
    if (!binding) return { kind: 'unbound' };
    const imported = binding.imported === '*' ? member : member === undefined ? binding.imported : undefined;
    if (imported === undefined)
      return { kind: 'missing', message: `${name} is not a type that can be followed` };
    return this.#resolveImport(module, binding.specifier, imported, new Set());
  }

  #resolveImport(from: Module, specifier: string, name: string, seen: Set<string>): Resolution {
    if (!/^\.\.?(?:\/|$)/.test(specifier)) return { kind: 'package', specifier, name };
    const path = this.#findFile(from.source.path, specifier);
    if (path === undefined) return { kind: 'missing', message: `there is no file for '${specifier}'` };
    const target = this.load(path);
    if (!target) return { kind: 'unreadable' };
    return (
      this.#resolveExport(target, name, seen) ?? {
        kind: 'missing',
        message: `${path} does not export ${name}`,
      }
    );
  }

  /** Follows re-exports; `seen` ends the search where they run in a circle. */
  #resolveExport(module: Module, name: string, seen: Set<string>): Resolution | undefined {
    const step = `${module.source.path}\0${name}`;
    if (seen.has(step)) return undefined;
    seen.add(step);
    const exported = module.exports.get(name);
    if (exported) {
      if (exported.specifier !== undefined) {
        return this.#resolveImport(module, exported.specifier, exported.local, seen);
      }
      const declaration = module.types.get(exported.local);
      if (declaration) return { kind: 'declaration', declaration };
      const binding = module.imports.get(exported.local);
      return binding && this.#resolveImport(module, binding.specifier, binding.imported, seen);
    }
    for (const { specifier } of module.starExports) {
      const found = this.#resolveImport(module, specifier, name, seen);
      if (found.kind === 'declaration' || found.kind === 'unreadable') return found;
    }
    return undefined;
  }

  #findFile(from: string, specifier: string): string | undefined {
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
