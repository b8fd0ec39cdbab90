import type { TSInterfaceDeclaration } from 'oxc-parser';
import type { Diagnostics } from '../diagnostics/diagnostics.ts';
import type { KindDefinition, Module, TypeDeclaration } from '../source/module.ts';
import type { ModuleGraph } from '../source/module-graph.ts';
import type { Span } from '../source/source-text.ts';
import { isKubernetesPackage } from '../types/builtin-types.ts';
import { checkNames } from './check-names.ts';
import type { Kind } from './kind.ts';

/** The literal type of a property of an interface. */
interface Literal {
  readonly value: string;
  readonly span: Span;
}

/**
 * Finds the kinds that a file declares: interfaces that extend KubernetesObject with literal types for apiVersion and kind, each with
 * its defineKind call. An interface with neither literal is a parent of kinds, unless defineKind is called with it.
 */
export function findKinds(module: Module, graph: ModuleGraph, diagnostics: Diagnostics): Kind[] {
  const definitions = module.kindDefinitions.filter((definition) => isDefineKind(definition, graph));
  const used = new Set<KindDefinition>();
  const kinds: Kind[] = [];
  for (const declaration of module.types.values()) {
    const { node } = declaration;
    if (node.type !== 'TSInterfaceDeclaration' || !isObject(declaration, graph, new Set())) continue;
    const definition = definitions.find((candidate) => typeArgumentName(candidate) === node.id.name);
    if (definition) used.add(definition);
    const kind = toKind(declaration, node, definition, diagnostics);
    if (kind && checkNames(kind, diagnostics)) kinds.push(kind);
  }
  for (const definition of definitions) {
    if (!used.has(definition)) reportStray(definition, graph, diagnostics);
  }
  return kinds;
}

function isDefineKind({ module, callee }: KindDefinition, graph: ModuleGraph): boolean {
  const resolution = graph.resolve(module, callee);
  return (
    resolution.kind === 'package' &&
    resolution.name === 'defineKind' &&
    isKubernetesPackage(resolution.specifier)
  );
}

/** Whether an interface extends KubernetesObject, itself or through its parents. */
function isObject(declaration: TypeDeclaration, graph: ModuleGraph, seen: Set<TypeDeclaration>): boolean {
  const { module, node } = declaration;
  if (node.type !== 'TSInterfaceDeclaration' || seen.has(declaration)) return false;
  seen.add(declaration);
  return node.extends.some(({ expression }) => {
    const resolution = graph.resolve(module, module.source.text.slice(expression.start, expression.end));
    if (resolution.kind === 'declaration') return isObject(resolution.declaration, graph, seen);
    if (resolution.kind !== 'package' || resolution.name !== 'KubernetesObject') return false;
    return isKubernetesPackage(resolution.specifier);
  });
}

function toKind(
  declaration: TypeDeclaration,
  node: TSInterfaceDeclaration,
  definition: KindDefinition | undefined,
  diagnostics: Diagnostics,
): Kind | undefined {
  const { source } = declaration.module;
  const apiVersion = literalProperty(node, 'apiVersion');
  const kind = literalProperty(node, 'kind');
  if (!apiVersion && !kind && !definition) return undefined;
  const name = node.id.name;
  if (!apiVersion || !kind) {
    const missing = apiVersion ? `kind: '${name}'` : `apiVersion: 'group.example.com/v1'`;
    diagnostics.error(
      source,
      declaration.nameSpan,
      'kind-literal',
      `${name} does not say its ${apiVersion ? 'kind' : 'apiVersion'}`,
      `declare it with a literal type: ${missing};`,
    );
    return undefined;
  }
  if (!definition) {
    const hint = `add: export const ${name} = defineKind<${name}>({ apiVersion: '${apiVersion.value}', kind: '${kind.value}', plural: '…', scope: 'Namespaced' });`;
    diagnostics.error(
      source,
      declaration.nameSpan,
      'kind-undefined',
      `${name} has no defineKind call in this file, which sets its plural and scope`,
      hint,
    );
    return undefined;
  }
  const [group, version, ...rest] = apiVersion.value.split('/');
  if (!group || !version || rest.length > 0) {
    diagnostics.error(
      source,
      apiVersion.span,
      'kind-name',
      `'${apiVersion.value}' is not group/version`,
      `write it like 'batch.example.com/v1'`,
    );
    return undefined;
  }
  const plural = definitionProperty(definition, 'plural', diagnostics);
  const scope = definitionProperty(definition, 'scope', diagnostics);
  const agrees = [
    definitionProperty(definition, 'apiVersion', diagnostics, apiVersion.value),
    definitionProperty(definition, 'kind', diagnostics, kind.value),
  ];
  if (plural === undefined || scope === undefined || agrees.includes(undefined)) return undefined;
  if (scope !== 'Namespaced' && scope !== 'Cluster') {
    const span = definition.properties.get('scope')!.span;
    diagnostics.error(
      source,
      span,
      'kind-definition',
      `scope cannot be '${scope}'`,
      `write 'Namespaced' or 'Cluster'`,
    );
    return undefined;
  }
  return {
    group,
    version,
    kind: kind.value,
    plural,
    scope,
    declaration,
    node,
    definition,
    apiVersionSpan: apiVersion.span,
  };
}

function literalProperty(node: TSInterfaceDeclaration, name: string): Literal | undefined {
  for (const member of node.body.body) {
    if (member.type !== 'TSPropertySignature' || member.key.type !== 'Identifier' || member.key.name !== name)
      continue;
    const type = member.typeAnnotation?.typeAnnotation;
    if (type?.type !== 'TSLiteralType' || type.literal.type !== 'Literal') return undefined;
    const { value } = type.literal;
    return typeof value === 'string' ? { value, span: { start: type.start, end: type.end } } : undefined;
  }
  return undefined;
}

/** A string of the defineKind call, which must be `expected` where the interface says the same. */
function definitionProperty(
  { module, span, properties }: KindDefinition,
  name: string,
  diagnostics: Diagnostics,
  expected?: string,
): string | undefined {
  const property = properties.get(name);
  if (property?.value !== undefined && (expected === undefined || expected === property.value))
    return property.value;
  const message = !property
    ? `the defineKind call does not set ${name}`
    : property.value === undefined
      ? `${name} is not a string literal, so it cannot be read without running the code`
      : `${name} is '${property.value}' here and '${expected}' in the interface`;
  diagnostics.error(
    module.source,
    property?.span ?? span,
    'kind-definition',
    message,
    `write ${name}: '${expected ?? '…'}'`,
  );
  return undefined;
}

function typeArgumentName({ typeArgument }: KindDefinition): string | undefined {
  if (typeArgument?.type !== 'TSTypeReference' || typeArgument.typeName.type !== 'Identifier')
    return undefined;
  return typeArgument.typeName.name;
}

/** A defineKind call that belongs to no interface of its file would leave the CRD out without a word. */
function reportStray(definition: KindDefinition, graph: ModuleGraph, diagnostics: Diagnostics): void {
  const { module, span, typeArgument } = definition;
  const name = typeArgumentName(definition);
  const resolution = name === undefined ? undefined : graph.resolve(module, name);
  // A kind of another file, or of a package, whose CRD is not made here.
  if (resolution && (resolution.kind === 'package' || resolution.kind === 'unreadable')) return;
  const message =
    name === undefined
      ? 'the defineKind call does not name its interface'
      : `${name} is no interface of this file that extends KubernetesObject`;
  diagnostics.error(
    module.source,
    typeArgument ?? span,
    'kind-definition',
    message,
    'write defineKind<T>({ … }) beside: export interface T extends KubernetesObject { apiVersion: …; kind: …; … }',
  );
}
