import { readFileSync, readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import Handlebars from 'handlebars';
import { PACKAGE_ROOT } from '../package-root.ts';

/** Values of a template. A name that a template uses and that is not here is an error. */
export type TemplateVariables = Readonly<Record<string, unknown>>;

interface Template {
  readonly render: Handlebars.TemplateDelegate;
  /** The variables that the template names anywhere, also where it does not come by this time. */
  readonly names: ReadonlySet<string>;
}

const TEMPLATES = fileURLToPath(new URL('templates/', PACKAGE_ROOT));
const SUFFIX = '.hbs';
const HELPERS = new Set(['raw', 'if', 'unless', 'each']);

const handlebars = Handlebars.create();
// Text with literal braces (GitHub expressions, Go templates) stands in a raw block.
handlebars.registerHelper('raw', function raw(this: unknown, options: Handlebars.HelperOptions) {
  return options.fn(this);
});

const compiled = new Map<string, Template>();

/**
 * Renders one template.
 *
 * @param name path below templates/, without `.hbs`
 * @throws when the template does not exist or names an unknown variable
 */
export function renderTemplate(name: string, variables: TemplateVariables): string {
  let template = compiled.get(name);
  if (!template) {
    const text = readFileSync(`${TEMPLATES}${name}${SUFFIX}`, 'utf8');
    // Many templates are plain text, and compiling is what rendering costs.
    template = text.includes('{{') ? compile(text) : { render: () => text, names: new Set() };
    compiled.set(name, template);
  }
  const unknown = [...template.names].filter((variable) => !Object.hasOwn(variables, variable));
  if (unknown.length > 0)
    throw new Error(`The template ${name} names unknown variables: ${unknown.join(', ')}`);
  return template.render(variables);
}

/** Renders a text that is itself a template, such as a path. */
export function renderText(text: string, variables: TemplateVariables): string {
  return text.includes('{{') ? compile(text).render(variables) : text;
}

/** Names of all templates below a directory of templates/, sorted; usable with {@link renderTemplate}. */
export function listTemplates(directory: string): string[] {
  return readdirSync(`${TEMPLATES}${directory}`, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith(SUFFIX))
    .map((entry) =>
      `${entry.parentPath}/${entry.name}`.slice(TEMPLATES.length, -SUFFIX.length).replaceAll('\\', '/'),
    )
    .toSorted();
}

function compile(text: string): Template {
  const ast = handlebars.parse(text);
  const finder = new NameFinder();
  finder.accept(ast);
  return { render: handlebars.compile(ast, { strict: true, noEscape: true }), names: finder.names };
}

/** `strict` finds an unknown variable only where rendering comes by; this finds it in every branch. */
class NameFinder extends Handlebars.Visitor {
  readonly names = new Set<string>();
  #depth = 0;

  override PathExpression(path: hbs.AST.PathExpression): void {
    const [name] = path.parts;
    // In an `each` a name belongs to the item, unless `../` leads out of it.
    if (name !== undefined && !HELPERS.has(name) && path.depth === this.#depth && !path.data)
      this.names.add(name);
  }

  override BlockStatement(block: hbs.AST.BlockStatement): void {
    const isEach = block.path.type === 'PathExpression' && block.path.original === 'each';
    this.acceptArray(block.params);
    if (isEach) this.#depth += 1;
    this.acceptKey(block, 'program');
    if (isEach) this.#depth -= 1;
    this.acceptKey(block, 'inverse');
  }
}
