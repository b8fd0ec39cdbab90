import { type EcmaScriptModule, type Program, parseSync } from 'oxc-parser';
import { Diagnostics } from '../../manifests/diagnostics/diagnostics.ts';
import type { Module } from '../../manifests/source/module.ts';
import { ModuleGraph } from '../../manifests/source/module-graph.ts';
import type { SourceFiles } from '../../manifests/source/source-files.ts';
import type { Place } from '../finding.ts';

/** A module and its syntax tree. */
export interface ParsedModule {
  readonly module: Module;
  readonly program: Program;
  /** The project files that it imports at run time. */
  readonly imports: readonly string[];
}

/** What `npm start` runs. */
export const mainFile = 'src/main.ts';

/** The modules of a project, and which of them src/main.ts runs. Leaves out modules with errors, which `ots manifests` reports. */
export class Sources {
  readonly graph: ModuleGraph;
  readonly #files: SourceFiles;
  readonly #parsed = new Map<string, ParsedModule | undefined>();
  #running: readonly ParsedModule[] | undefined;

  constructor(files: SourceFiles) {
    this.#files = files;
    this.graph = new ModuleGraph(files, new Diagnostics());
  }

  /** A module; undefined if it does not exist or has errors. */
  parse(path: string): ParsedModule | undefined {
    if (!this.#parsed.has(path)) {
      const module = this.graph.load(path);
      this.#parsed.set(path, module && this.#complete(module));
    }
    return this.#parsed.get(path);
  }

  /** All modules of the project but tests and declarations. */
  get all(): ParsedModule[] {
    return this.#files
      .list('src')
      .filter((path) => path.endsWith('.ts') && !/\.(?:test|d)\.ts$/.test(path))
      .flatMap((path) => this.parse(path) ?? []);
  }

  /** The modules that src/main.ts imports, directly or through others: what the operator runs, and no helpers of tests. */
  get running(): readonly ParsedModule[] {
    this.#running ??= this.#follow(mainFile, new Map());
    return this.#running;
  }

  #complete(module: Module): ParsedModule {
    const { path, text } = module.source;
    const { program, module: syntax } = parseSync(path, text, {
      lang: 'ts',
      sourceType: 'module',
      preserveParens: false,
    });
    const imports = specifiersOf(syntax, text).flatMap((specifier) =>
      specifier.startsWith('.') ? (this.graph.findFile(path, specifier) ?? []) : [],
    );
    return { module, program, imports };
  }

  #follow(path: string, seen: Map<string, ParsedModule>): ParsedModule[] {
    const queue = [path];
    for (const next of queue) {
      if (seen.has(next)) continue;
      const parsed = this.parse(next);
      if (!parsed) continue;
      seen.set(next, parsed);
      queue.push(...parsed.imports);
    }
    return [...seen.values()];
  }
}

/** The place of an offset of a module. */
export function placeIn({ source }: Module, offset: number): Place {
  return { file: source.path, ...source.positionAt(offset) };
}

/** What a module imports at run time: neither types nor what is computed. */
function specifiersOf(module: EcmaScriptModule, text: string): string[] {
  const { staticImports, staticExports, dynamicImports } = module;
  return [
    ...staticImports
      .filter(({ entries }) => entries.length === 0 || entries.some(({ isType }) => !isType))
      .map(({ moduleRequest }) => moduleRequest.value),
    ...staticExports.flatMap(({ entries }) =>
      entries.filter(({ isType }) => !isType).flatMap(({ moduleRequest }) => moduleRequest?.value ?? []),
    ),
    ...dynamicImports.flatMap(({ moduleRequest: { start, end } }) => {
      const literal = /^(['"])(.*)\1$/.exec(text.slice(start, end));
      return literal?.[2] ?? [];
    }),
  ];
}
