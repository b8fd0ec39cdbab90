import type { TSInterfaceDeclaration, TSInterfaceHeritage } from 'oxc-parser';
import type { Module, TypeDeclaration } from '../source/module.ts';
import type { Span } from '../source/source-text.ts';
import { isKubernetesObject } from './is-kubernetes-object.ts';
import { MAX_DEPTH } from './max-depth.ts';
import { membersSchema } from './members-schema.ts';
import { ROOT_FIELDS } from './root-fields.ts';
import type { Schema } from './schema.ts';
import type { TypeContext } from './type-context.ts';

/** The interfaces from a kind up to KubernetesObject, which it is made of and not merely refers to. */
type KindChain = readonly TypeDeclaration[];

/** The schema of an interface: its own properties over those of its parents. */
export function interfaceSchema(
  context: TypeContext,
  module: Module,
  node: TSInterfaceDeclaration,
  chain?: KindChain,
): Schema | undefined {
  const properties = new Map<string, Schema>();
  const required: string[] = [];
  let failed = false;
  for (const heritage of node.extends) {
    const parent = parentSchema(context, module, heritage, chain);
    failed ||= !parent;
    for (const [name, property] of parent?.properties ?? []) properties.set(name, property);
    required.push(...(parent?.required ?? []));
  }
  const base: Schema = { type: 'object', properties, required };
  const schema = membersSchema(context, module, node.body.body, base, chain && ROOT_FIELDS);
  return failed ? undefined : schema;
}

function parentSchema(
  context: TypeContext,
  module: Module,
  heritage: TSInterfaceHeritage,
  chain?: KindChain,
): Schema | undefined {
  const { expression } = heritage;
  const name = module.source.text.slice(expression.start, expression.end);
  const resolution = context.graph.resolve(module, name);
  if (resolution.kind === 'unreadable') return undefined;
  if (isKubernetesObject(resolution)) {
    if (chain) return { type: 'object' };
    const hint = 'refer to the other object by its name, or give its spec a type of its own and embed that';
    return context.fail(module, heritage, 'embedded-kind', 'a kind cannot be part of another type', hint);
  }
  if (resolution.kind !== 'declaration' || heritage.typeArguments) {
    const hint = 'extend an interface of this project that has no type parameters';
    return context.fail(module, heritage, 'unknown-type', `${name} cannot be extended by an API type`, hint);
  }
  const parent = declaredParent(context, module, heritage, resolution.declaration, chain);
  if (!parent || parent.properties) return parent;
  return context.fail(
    module,
    heritage,
    'unknown-type',
    `${name} has no properties to extend`,
    'extend an interface',
  );
}

/** A parent of a kind may lead to KubernetesObject, and then has no schema of its own. */
function declaredParent(
  context: TypeContext,
  module: Module,
  at: Span,
  declaration: TypeDeclaration,
  chain?: KindChain,
): Schema | undefined {
  const { node } = declaration;
  if (!chain || node.type !== 'TSInterfaceDeclaration' || node.typeParameters) {
    return context.evaluateDeclaration(module, at, declaration);
  }
  if (chain.includes(declaration)) {
    return context.fail(
      module,
      at,
      'recursive-type',
      `${declaration.name} extends itself`,
      'remove it from the chain',
    );
  }
  if (chain.length >= MAX_DEPTH) {
    const hint = 'flatten the chain of parents';
    return context.fail(module, at, 'nesting', `the kind has more than ${MAX_DEPTH} parents`, hint);
  }
  return interfaceSchema(context, declaration.module, node, [...chain, declaration]);
}
