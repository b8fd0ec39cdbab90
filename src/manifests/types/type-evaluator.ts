import type { TSType } from 'oxc-parser';
import type { Diagnostics } from '../diagnostics/diagnostics.ts';
import { markConsumed } from '../tag-syntax/tag.ts';
import type { ModuleGraph } from '../source/module-graph.ts';
import type { Module, TypeDeclaration, ValueDeclaration } from '../source/module.ts';
import { ArgumentBinder } from './bind-arguments.ts';
import { buildProperties, buildType } from './build-type.ts';
import { describeNode } from './describe-node.ts';
import { enumType } from './enum-type.ts';
import { interfaceType } from './interface-type.ts';
import { baseOf, layersOf, typeLayer, withLayer } from './layer.ts';
import { maxDepth } from '../schema/schema-size.ts';
import { originKey } from '../schema/origin.ts';
import { reduceType } from './reduce-type.ts';
import { rootFields } from '../schema/root-fields.ts';
import { maxSchemas } from '../schema/schema-size.ts';
import type { Schema } from '../schema/schema.ts';
import { knownSchema } from './schema-type.ts';
import { placeOf } from './type.ts';
import type { Place, Scope, Type } from './type.ts';
import type { TypeArguments, TypeContext } from './type-context.ts';

/** Something under evaluation, which must not depend on itself. */
interface Frame {
  /** The identity by which a cycle is found. */
  readonly key: TSType | TypeDeclaration | Type;
  readonly scope?: Scope;
  readonly declaration?: TypeDeclaration;
}

/**
 * A generic type that depends on itself this many times, each time with different arguments, is treated as
 * endless.
 */
const maxInstances = 20;

/** The maximum number of steps to evaluate one kind. A property takes two or three. */
const maxSteps = 5 * maxSchemas;

/**
 * Turns types into schemas. Reports a type that has no schema and returns undefined for it.
 *
 * It works as TypeScript does. A type is first reduced until its kind is known, without looking at the types
 * of its properties. So Pick, keyof and indexed access never look at what they do not need. Then the type is
 * built into a schema.
 */
export class TypeEvaluator implements TypeContext {
  readonly graph: ModuleGraph;
  readonly diagnostics: Diagnostics;
  /** The files whose types became part of a schema. */
  readonly modules = new Set<Module>();
  readonly values = new Map<ValueDeclaration, Type | undefined>();
  readonly #scopes = new Map<Module, Scope>();
  readonly #reduced = new Map<Scope, Map<TSType, Type | undefined>>();
  readonly #arguments = new ArgumentBinder(this);
  readonly #instances = new Map<TypeDeclaration, Map<Scope, Type | undefined>>();
  readonly #built = new Map<Type, Schema | undefined>();
  /** Generic types found to be endless. */
  readonly #endless = new Set<TypeDeclaration>();
  /** What is under evaluation, outermost first. */
  readonly #stack: Frame[] = [];
  #depth = 0;
  #steps = 0;
  #hasFailed = false;

  constructor(graph: ModuleGraph, diagnostics: Diagnostics) {
    this.graph = graph;
    this.diagnostics = diagnostics;
  }

  /** Whether an error was found in a type. Types that it refers to may then not have been read. */
  get hasFailed(): boolean {
    return this.#hasFailed;
  }

  /** Returns the schema of a kind: an interface that extends KubernetesObject. */
  evaluateKind(declaration: TypeDeclaration): Schema | undefined {
    this.#steps = 0;
    const { module, nameSpan, doc } = declaration;
    const at: Place = { module, span: nameSpan };
    const type = this.reduceDeclaration(declaration, this.scopeOf(module), null, at);
    if (type?.kind !== 'object') return undefined;
    const properties = new Map([...type.properties].filter(([name]) => !rootFields.has(name)));
    // The outermost layer is the comment above the kind, whose tags have their own meaning.
    const layers = layersOf(type).slice(0, -1);
    const schema = this.#within({ key: baseOf(type), declaration }, () =>
      buildProperties(this, { kind: 'object', at, properties, broken: type.broken }),
    );
    return (
      schema && {
        ...layers.reduce((inner, layer) => layer.apply(inner), schema),
        ...(doc.description ? { description: doc.description } : {}),
        properties: new Map([...schema.properties!, ...rootFields]),
        [originKey]: { source: module.source, span: nameSpan },
      }
    );
  }

  scopeOf(module: Module): Scope {
    let scope = this.#scopes.get(module);
    if (!scope) this.#scopes.set(module, (scope = { module, bindings: new Map() }));
    return scope;
  }

  reduce(scope: Scope, node: TSType): Type | undefined {
    this.modules.add(scope.module);
    if (isSimple(scope, node)) return reduceType(this, scope, node);
    let known = this.#reduced.get(scope);
    if (!known) this.#reduced.set(scope, (known = new Map()));
    if (known.has(node)) return known.get(node);
    const frame: Frame = { key: node, scope };
    const at = placeOf(scope, node);
    if (this.#isInCircle(frame, at) || !this.#isWithinLimits(at)) return undefined;
    const type = this.#within(frame, () => reduceType(this, scope, node));
    known.set(node, type);
    return type;
  }

  reduceDeclaration(
    declaration: TypeDeclaration,
    from: Scope,
    typeArguments: TypeArguments | null,
    at: Place,
  ): Type | undefined {
    const scope = this.#endless.has(declaration)
      ? undefined
      : this.#arguments.bind(declaration, from, typeArguments, at);
    if (!scope) return undefined;
    let known = this.#instances.get(declaration);
    if (!known) this.#instances.set(declaration, (known = new Map()));
    if (known.has(scope)) return known.get(scope);
    const frame: Frame = { key: declaration, scope, declaration };
    if (this.#isInCircle(frame, at) || this.#isEndless(frame, at) || !this.#isWithinLimits(at))
      return undefined;
    const { module, nameSpan, doc } = declaration;
    this.modules.add(module);
    const type = this.#within(frame, () => this.#reduceNode(declaration, scope, at));
    if (!type) markConsumed(doc.tags);
    const layer = typeLayer(
      doc,
      { module, span: nameSpan },
      this.diagnostics,
      scope.bindings.size > 0 ? undefined : declaration.name,
    );
    const layered = type && { ...withLayer(type, layer), declaration };
    known.set(scope, layered);
    return layered;
  }

  build(type: Type, at: Place): Schema | undefined {
    return this.#build(type, at, type.declaration);
  }

  fail(at: Place, code: string, message: string, hint?: string): undefined {
    this.#hasFailed = true;
    this.diagnostics.error(at.module.source, at.span, code, message, hint);
    return undefined;
  }

  #reduceNode(declaration: TypeDeclaration, scope: Scope, at: Place): Type | undefined {
    const { node, name } = declaration;
    switch (node.type) {
      case 'TSInterfaceDeclaration':
        return interfaceType(this, scope, declaration, node);
      case 'TSTypeAliasDeclaration':
        return this.reduce(scope, node.typeAnnotation);
      case 'TSEnumDeclaration':
        return enumType(this, declaration, node);
      default: {
        const message = `${name} is ${node.what}, not an interface or type alias`;
        return this.fail(
          at,
          'unsupported-type',
          message,
          'write an interface, or a union of string literals',
        );
      }
    }
  }

  /** @param declaration the name of the type in the path of a cycle */
  #build(type: Type, at: Place, declaration: TypeDeclaration | undefined): Schema | undefined {
    if (this.#built.has(type)) return this.#built.get(type);
    const { inner, layer } = type;
    let schema = knownSchema(type);
    if (!schema && inner) {
      schema = this.#build(inner, at, inner.declaration ?? declaration);
      if (!schema) layer?.consumeTags();
      else if (layer) schema = layer.apply(schema);
    } else if (!schema) {
      const frame: Frame = { key: type, ...(declaration ? { declaration } : {}) };
      if (this.#isInCircle(frame, at) || !this.#isWithinLimits(at)) return undefined;
      schema = this.#within(frame, () => buildType(this, type, at));
    }
    this.#built.set(type, schema);
    return schema;
  }

  #within<T>(frame: Frame, run: () => T): T {
    // A reference does not count as a level. Its target does.
    const weight = isReference(frame.key) ? 0 : 1;
    this.#stack.push(frame);
    this.#depth += weight;
    const result = run();
    this.#depth -= weight;
    this.#stack.pop();
    return result;
  }

  /** Reports a type that depends on itself. */
  #isInCircle({ key, scope, declaration }: Frame, at: Place): boolean {
    const first = this.#stack.findIndex((frame) => frame.key === key && frame.scope === scope);
    if (first < 0) return false;
    const last = declaration?.name ?? describeNode(at, at.span);
    // An alias is on the stack twice: while it is read and while it is built.
    const names = this.#stack
      .slice(first)
      .flatMap((frame) => frame.declaration?.name ?? [])
      .filter((name, index, all) => name !== all[index - 1]);
    this.#failRecursion([...(names[0] === last ? [] : [last]), ...names, last], at);
    return true;
  }

  #failRecursion(path: readonly string[], at: Place): void {
    const hint =
      'a schema must be finite: refer to other objects by name, or add @schemaless and @preserveUnknownFields to the property';
    this.fail(at, 'recursive-type', `the type contains itself: ${path.join(' -> ')}`, hint);
  }

  /** Enforces the limits that end an evaluation that would otherwise take forever. */
  #isWithinLimits(at: Place): boolean {
    if (this.#steps > maxSteps) return false;
    if (++this.#steps > maxSteps) {
      const hint = 'write out the types that are made from generic types and intersections';
      this.fail(at, 'schema-size', 'this kind uses too many types', hint);
      return false;
    }
    if (this.#depth < maxDepth) return true;
    this.fail(at, 'nesting', `the type nests more than ${maxDepth} levels deep`, 'flatten it');
    return false;
  }

  /** Reports a generic type that depends on itself with different arguments every time. */
  #isEndless({ declaration, scope }: Frame, at: Place): boolean {
    if (!declaration || scope?.bindings.size === 0) return false;
    const instances = this.#stack.filter((frame) => frame.declaration === declaration);
    if (instances.length < maxInstances) return false;
    this.#endless.add(declaration);
    this.#failRecursion([declaration.name, `${declaration.name} with other type arguments`], at);
    return true;
  }
}

/**
 * Returns whether a type is as cheap to evaluate as to cache: a keyword, a literal or the name of a declared
 * type.
 */
function isSimple({ bindings }: Scope, node: TSType): boolean {
  if (node.type === 'TSTypeReference') return !node.typeArguments && bindings.size === 0;
  return node.type === 'TSLiteralType' || node.type.endsWith('Keyword');
}

function isReference(key: Frame['key']): boolean {
  return 'type' in key && key.type === 'TSTypeReference';
}
