import { createRequire } from 'node:module';
import type Handlebars from 'handlebars';

/** A template in the form that the runtime of Handlebars accepts. */
export interface CompiledTemplate {
  /** Source of the object that `template()` of handlebars/runtime accepts. */
  readonly source: string;
  /** All variables of the template, including those in branches that rendering skips. */
  readonly names: readonly string[];
}

const require = createRequire(import.meta.url);
const helpers = new Set(['raw', 'if', 'unless', 'each']);

/**
 * Compiles a template in strict mode: a missing variable is an error.
 *
 * @throws if the text is not a template
 */
export function compileTemplate(text: string): CompiledTemplate {
  // Loaded on demand: the build compiles the templates, so the built CLI does not need the compiler.
  const handlebars = require('handlebars') as typeof Handlebars;
  const ast = handlebars.parse(text);
  // The result is the source, although its type says otherwise.
  const source = handlebars.precompile(ast, { strict: true, noEscape: true }) as unknown as string;
  return { source, names: [...namesIn(ast, handlebars)] };
}

/** `strict` finds an unknown variable only in branches that are rendered; this finds it in every branch. */
function namesIn(ast: hbs.AST.Program, handlebars: typeof Handlebars): Set<string> {
  const names = new Set<string>();
  let depth = 0;
  class NameFinder extends handlebars.Visitor {
    override PathExpression(path: hbs.AST.PathExpression): void {
      const [name] = path.parts;
      // In an `each`, a name belongs to the item unless it starts with `../`.
      if (name !== undefined && !helpers.has(name) && path.depth === depth && !path.data) names.add(name);
    }

    override BlockStatement(block: hbs.AST.BlockStatement): void {
      const isEach = block.path.type === 'PathExpression' && block.path.original === 'each';
      this.acceptArray(block.params);
      if (isEach) depth += 1;
      this.acceptKey(block, 'program');
      if (isEach) depth -= 1;
      this.acceptKey(block, 'inverse');
    }
  }
  new NameFinder().accept(ast);
  return names;
}
