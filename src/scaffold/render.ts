import type Handlebars from 'handlebars';
import runtime from 'handlebars/runtime.js';
import { compiledTemplate, templateNames } from './templates.ts';

/** Values of a template. A missing name is an error. */
export type TemplateVariables = Readonly<Record<string, unknown>>;

interface Template {
  readonly names: readonly string[];
  readonly render: (variables: TemplateVariables) => string;
}

// Only the runtime: its types are those of the whole package.
const handlebars = (runtime as typeof Handlebars).create();
// Text with literal braces (GitHub expressions, Go templates) is in raw blocks.
handlebars.registerHelper('raw', function raw(this: unknown, options: Handlebars.HelperOptions) {
  return options.fn(this);
});

const loaded = new Map<string, Template>();

/**
 * Renders one template.
 *
 * @param name path below templates/, without `.hbs`
 * @throws if the template does not exist or names an unknown variable
 */
export function renderTemplate(name: string, variables: TemplateVariables): string {
  const template = loaded.get(name) ?? load(name);
  loaded.set(name, template);
  const unknown = template.names.filter((variable) => !Object.hasOwn(variables, variable));
  if (unknown.length > 0)
    throw new Error(`The template ${name} names unknown variables: ${unknown.join(', ')}`);
  return template.render(variables);
}

/**
 * Replaces the variables in the name of a template, which has no other parts in braces.
 *
 * @throws if it names an unknown variable
 */
export function renderName(name: string, variables: TemplateVariables): string {
  return name.replaceAll(/\{\{(\w+)\}\}/g, (_, variable: string) => {
    const value = variables[variable];
    if (typeof value === 'string') return value;
    throw new Error(`The name of the template ${name} has the unknown variable ${variable}`);
  });
}

/** Names of all templates below a directory of templates/, sorted; usable with {@link renderTemplate}. */
export function listTemplates(directory: string): string[] {
  return templateNames().filter((name) => name.startsWith(`${directory}/`));
}

function load(name: string): Template {
  const { names, source } = compiledTemplate(name);
  // eslint-disable-next-line typescript/no-implied-eval -- the source comes from a template of this package
  const spec: unknown = new Function(`return ${source}`)();
  return { names, render: handlebars.template(spec as Parameters<typeof Handlebars.template>[0]) };
}
