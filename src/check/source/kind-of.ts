import type { Argument, Expression } from 'oxc-parser';
import { type HandledKind, builtInKind, definedKind } from '../../manifests/webhook/handled-kind.ts';
import type { Module, ValueDeclaration } from '../../manifests/source/module.ts';
import type { ModuleGraph } from '../../manifests/source/module-graph.ts';

/** Forms of a kind that are requested like the kind itself. */
const forms = new Set(['metadataOf', 'projectionOf']);

/** How many constants may stand between a use and its kind; ends the search in a cycle. */
const maxSteps = 8;

/**
 * The kind that an argument of a call stands for, such as `Deployment` or `metadataOf(Pod)`.
 *
 * @returns undefined for what is not a kind, or is not known before the program runs
 */
export function kindOfArgument(
  argument: Argument | undefined,
  module: Module,
  graph: ModuleGraph,
  steps = 0,
): HandledKind | undefined {
  if (!argument || steps > maxSteps) return undefined;
  switch (argument.type) {
    case 'TSAsExpression':
    case 'TSSatisfiesExpression':
    case 'TSNonNullExpression':
      return kindOfArgument(argument.expression, module, graph, steps + 1);
    case 'CallExpression': {
      const isForm = argument.callee.type === 'Identifier' && forms.has(argument.callee.name);
      return isForm ? kindOfArgument(argument.arguments[0], module, graph, steps + 1) : undefined;
    }
    default: {
      const name = nameOf(argument);
      return name === undefined ? undefined : kindOfName(name, module, graph, steps);
    }
  }
}

function kindOfName(
  name: string,
  module: Module,
  graph: ModuleGraph,
  steps: number,
): HandledKind | undefined {
  const found = graph.resolveValue(module, name);
  if (found.kind === 'package') {
    const [head = '', member] = name.split('.');
    // `Pod.kind` is a text.
    const isKind = member === undefined || module.imports.get(head)?.imported === '*';
    return isKind ? builtInKind(found.specifier, found.name) : undefined;
  }
  if (found.kind !== 'value' || found.members.length > 0) return undefined;
  return definitionOf(found.value) ?? kindOfArgument(found.value.init, found.value.module, graph, steps + 1);
}

/** The kind of `const Kind = defineKind(…)`. */
function definitionOf({ module, init }: ValueDeclaration): HandledKind | undefined {
  const definition = module.kindDefinitions.find(
    ({ span }) => init.start <= span.start && span.end <= init.end,
  );
  return definition?.callee.endsWith('defineKind') ? definedKind(definition) : undefined;
}

/** `Deployment`, or `apps.Deployment`. */
function nameOf(expression: Expression | Argument): string | undefined {
  if (expression.type === 'Identifier') return expression.name;
  if (expression.type !== 'MemberExpression' || expression.computed) return undefined;
  const { object, property } = expression;
  return object.type === 'Identifier' && property.type === 'Identifier'
    ? `${object.name}.${property.name}`
    : undefined;
}
