import { createRequire } from 'node:module';
import type Handlebars from 'handlebars';

/** A template in the form that the runtime of Handlebars takes. */
export interface CompiledTemplate {
  /** Source of the object that `template()` of handlebars/runtime takes. */
  readonly source: string;
  /** The variables that the template names anywhere, also where rendering does not come by. */
  readonly names: readonly string[];
}

const require = createRequire(import.meta.url);
const HELPERS = new Set(['raw', 'if', 'unless', 'each']);

/**
 * Compiles a template, strictly: a variable that is not there is an error.
 *
 * @throws when the text is no template
 */
export function compileTemplate(text: string): CompiledTemplate {
  // Loaded when it is needed: the build compiles the templates of the CLI, which then does without a compiler.
  const handlebars = require('handlebars') as typeof Handlebars;
  const ast = handlebars.parse(text);
  // The result is the source, whatever its type says.
  const source = handlebars.precompile(ast, { strict: true, noEscape: true }) as unknown as string;
  return { source, names: [...namesIn(ast, handlebars)] };
}

/** `strict` finds an unknown variable only where rendering comes by; this finds it in every branch. */
function namesIn(ast: hbs.AST.Program, handlebars: typeof Handlebars): Set<string> {
  const names = new Set<string>();
  let depth = 0;
  class NameFinder extends handlebars.Visitor {
    override PathExpression(path: hbs.AST.PathExpression): void {
      const [name] = path.parts;
      // In an `each` a name belongs to the item, unless `../` leads out of it.
      if (name !== undefined && !HELPERS.has(name) && path.depth === depth && !path.data) names.add(name);
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
