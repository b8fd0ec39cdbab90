import type { TSInterfaceDeclaration } from 'oxc-parser';
import type { Diagnostics } from '../diagnostics/diagnostics.ts';
import type { KindDefinition, Module, TypeDeclaration } from '../source/module.ts';
import type { ModuleGraph } from '../source/module-graph.ts';
import { isKubernetesPackage } from '../schema/builtin-types.ts';
import { isKubernetesObject } from '../types/is-kubernetes-object.ts';
import { maxDepth } from '../schema/schema-size.ts';
import { definitionOf } from '../tag-syntax/registry.ts';
import { markConsumed } from '../tag-syntax/tag.ts';
import { checkNames } from './check-names.ts';
import { fileTags, isSkipped } from './file-tags.ts';
import type { Kind } from './kind.ts';
import { readKind } from './read-kind.ts';

export interface FoundKinds {
  readonly kinds: Kind[];
  /**
   * Kinds that do not become a CRD: their declaration has errors or @skipVersion. Their types are still
   * checked.
   */
  readonly broken: { declaration: TypeDeclaration; node: TSInterfaceDeclaration }[];
}

/**
 * Finds the kinds that a file declares: interfaces that extend KubernetesObject with literal types for
 * apiVersion and kind, each with its defineKind call. An interface with neither literal is a parent of kinds,
 * unless it has a defineKind call.
 */
export function findKinds(module: Module, graph: ModuleGraph, diagnostics: Diagnostics): FoundKinds {
  if (isSkipped(module)) return { kinds: [], broken: [] };
  const definitions = module.kindDefinitions.filter((definition) => isDefineKind(definition, graph));
  const used = new Set<KindDefinition>();
  const kinds: Kind[] = [];
  const broken: FoundKinds['broken'] = [];
  for (const declaration of module.types.values()) {
    const { node } = declaration;
    if (node.type !== 'TSInterfaceDeclaration' || !hasKubernetesObjectAncestor(declaration, graph)) continue;
    const definition = definitions.find((candidate) => typeArgumentName(candidate) === node.id.name);
    if (definition) used.add(definition);
    // The code below reports a call that means this kind without naming it.
    const isNamedByCall = definitions.some(
      ({ properties }) => properties.get('kind')?.value === node.id.name,
    );
    const kind =
      !definition && isNamedByCall ? undefined : readKind(declaration, node, definition, diagnostics);
    if (kind === 'parent') continue;
    const isLeftOut = declaration.doc.tags.some((tag) => definitionOf(tag)?.name === 'skipVersion');
    if (kind && checkNames(kind, diagnostics) && !isLeftOut) kinds.push(kind);
    else broken.push({ declaration, node });
  }
  if (kinds.length + broken.length > 0) markConsumed(fileTags(module));
  for (const definition of definitions) {
    if (!used.has(definition)) reportUnmatched(definition, graph, diagnostics);
  }
  return { kinds, broken };
}

function isDefineKind({ module, callee }: KindDefinition, graph: ModuleGraph): boolean {
  const resolution = graph.resolve(module, callee);
  return (
    resolution.kind === 'package' &&
    resolution.name === 'defineKind' &&
    isKubernetesPackage(resolution.specifier)
  );
}

/** Returns whether an interface extends KubernetesObject, directly or through its parents. */
function hasKubernetesObjectAncestor(declaration: TypeDeclaration, graph: ModuleGraph): boolean {
  const seen = new Set<TypeDeclaration>();
  let level = [declaration];
  for (let depth = 0; level.length > 0 && depth <= maxDepth; depth++) {
    const parents: TypeDeclaration[] = [];
    for (const { module, node } of level) {
      for (const { expression } of node.type === 'TSInterfaceDeclaration' ? node.extends : []) {
        const resolution = graph.resolve(module, module.source.text.slice(expression.start, expression.end));
        if (isKubernetesObject(resolution)) return true;
        if (resolution.kind !== 'declaration' || seen.has(resolution.declaration)) continue;
        seen.add(resolution.declaration);
        parents.push(resolution.declaration);
      }
    }
    level = parents;
  }
  return false;
}

function typeArgumentName({ typeArgument }: KindDefinition): string | undefined {
  if (typeArgument?.type !== 'TSTypeReference' || typeArgument.typeName.type !== 'Identifier')
    return undefined;
  return typeArgument.typeName.name;
}

/**
 * Reports a defineKind call without an interface in its file, which would otherwise be left out of the CRDs
 * silently.
 */
function reportUnmatched(definition: KindDefinition, graph: ModuleGraph, diagnostics: Diagnostics): void {
  const { module, span, typeArgument } = definition;
  const name = typeArgumentName(definition);
  const resolution = name === undefined ? undefined : graph.resolve(module, name);
  // A kind from another file or a package, whose CRD is not generated here.
  if (resolution && (resolution.kind === 'package' || resolution.kind === 'unreadable')) return;
  const message =
    name === undefined
      ? 'the defineKind call does not name its interface'
      : `${name} is not an interface in this file that extends KubernetesObject`;
  diagnostics.error(
    module.source,
    typeArgument ?? span,
    'kind-definition',
    message,
    'write defineKind<T>({ … }) beside: export interface T extends KubernetesObject { apiVersion: …; kind: …; … }',
  );
}
