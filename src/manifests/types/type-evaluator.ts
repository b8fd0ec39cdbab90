import type { TSInterfaceDeclaration, TSLiteral, TSType, TSTypeName, TSTypeReference } from 'oxc-parser';
import { closestName } from '../../errors/closest-name.ts';
import type { Diagnostics } from '../diagnostics/diagnostics.ts';
import { excuse } from '../markers/tag.ts';
import type { ModuleGraph } from '../source/module-graph.ts';
import type { Module, TypeDeclaration } from '../source/module.ts';
import type { Span } from '../source/source-text.ts';
import { applyTags } from './apply-tags.ts';
import { builtinType, builtinTypeNames, isKubernetesPackage } from './builtin-types.ts';
import { interfaceSchema } from './interface-schema.ts';
import { literalValue } from './literal-value.ts';
import { MAX_DEPTH } from './max-depth.ts';
import { membersSchema } from './members-schema.ts';
import { ROOT_FIELDS } from './root-fields.ts';
import { makeNullable } from './schema.ts';
import type { Schema } from './schema.ts';
import type { TypeContext } from './type-context.ts';
import { unionSchema } from './union-schema.ts';
import { adviceForGlobal, adviceForSyntax } from './unsupported-types.ts';

/** Turns types into schemas. A type that has none is reported, and gives undefined. */
export class TypeEvaluator implements TypeContext {
  readonly graph: ModuleGraph;
  readonly diagnostics: Diagnostics;
  /** The files whose types became part of a schema. */
  readonly modules = new Set<Module>();
  readonly #done = new Map<TypeDeclaration, Schema | undefined>();
  /** The declarations being evaluated, outermost first. */
  readonly #open: TypeDeclaration[] = [];
  #depth = 0;

  constructor(graph: ModuleGraph, diagnostics: Diagnostics) {
    this.graph = graph;
    this.diagnostics = diagnostics;
  }

  /** The schema of a kind: an interface that extends KubernetesObject. */
  evaluateKind(declaration: TypeDeclaration, node: TSInterfaceDeclaration): Schema | undefined {
    this.modules.add(declaration.module);
    this.#open.push(declaration);
    const schema = interfaceSchema(this, declaration.module, node, [declaration]);
    this.#open.pop();
    const { description } = declaration.doc;
    return (
      schema && {
        ...schema,
        ...(description ? { description } : {}),
        properties: new Map([...schema.properties!, ...ROOT_FIELDS]),
      }
    );
  }

  evaluate(module: Module, type: TSType): Schema | undefined {
    this.modules.add(module);
    if (this.#depth >= MAX_DEPTH) return this.#tooDeep(module, type);
    this.#depth++;
    const schema = this.#evaluateNode(module, type);
    this.#depth--;
    return schema;
  }

  evaluateDeclaration(from: Module, at: Span, declaration: TypeDeclaration): Schema | undefined {
    const cycle = this.#open.indexOf(declaration);
    if (cycle >= 0) {
      const path = [...this.#open.slice(cycle), declaration].map(({ name }) => name).join(' -> ');
      const hint = 'a schema must be finite: refer to other objects by name instead of embedding them';
      return this.fail(from, at, 'recursive-type', `the type contains itself: ${path}`, hint);
    }
    if (this.#done.has(declaration)) return this.#done.get(declaration);
    if (this.#open.length >= MAX_DEPTH) return this.#tooDeep(from, at);
    this.modules.add(declaration.module);
    this.#open.push(declaration);
    const schema = this.#declared(from, at, declaration);
    this.#open.pop();
    const { description, tags } = declaration.doc;
    if (!schema) excuse(tags);
    const described = schema && description ? { ...schema, description } : schema;
    const tagged = described && applyTags(described, tags, 'type', this.diagnostics);
    this.#done.set(declaration, tagged);
    return tagged;
  }

  fail(module: Module, at: Span, code: string, message: string, hint?: string): undefined {
    this.diagnostics.error(module.source, at, code, message, hint);
    return undefined;
  }

  #tooDeep(module: Module, at: Span): undefined {
    return this.fail(
      module,
      at,
      'nesting',
      `the type nests more than ${MAX_DEPTH} levels deep`,
      'flatten it',
    );
  }

  #evaluateNode(module: Module, type: TSType): Schema | undefined {
    switch (type.type) {
      case 'TSStringKeyword':
        return { type: 'string' };
      case 'TSBooleanKeyword':
        return { type: 'boolean' };
      case 'TSLiteralType':
        return this.#literal(module, type.literal);
      case 'TSArrayType':
        return this.#array(module, type.elementType);
      case 'TSTypeLiteral':
        return membersSchema(this, module, type.members, { type: 'object' });
      case 'TSUnionType':
        return this.#union(module, type, type.types);
      case 'TSTypeReference':
        return this.#reference(module, type);
      case 'TSTypeOperator':
        return type.operator === 'readonly'
          ? this.evaluate(module, type.typeAnnotation)
          : this.#unsupported(module, type);
      default:
        return this.#unsupported(module, type);
    }
  }

  #literal(module: Module, literal: TSLiteral): Schema | undefined {
    const value = literalValue(literal);
    if (typeof value === 'string') return { type: 'string', enum: [value] };
    if (typeof value === 'boolean') return { type: 'boolean', enum: [value] };
    if (typeof value === 'number')
      return { type: Number.isSafeInteger(value) ? 'integer' : 'number', enum: [value] };
    return this.fail(
      module,
      literal,
      'unsupported-type',
      'this literal has no schema',
      'write a string or a number',
    );
  }

  #array(module: Module, element: TSType): Schema | undefined {
    const items = this.evaluate(module, element);
    return items && { type: 'array', items };
  }

  #union(module: Module, at: Span, types: readonly TSType[]): Schema | undefined {
    const members = types.filter(({ type }) => type !== 'TSNullKeyword' && type !== 'TSUndefinedKeyword');
    const schemas = members.map((type) => this.evaluate(module, type));
    if (!schemas.every((schema) => schema !== undefined)) return undefined;
    const merged = schemas.length === 0 ? 'this type has no values but null' : unionSchema(schemas);
    if (typeof merged === 'string') {
      const hint =
        'write literals of one type, int32 | string, T | null, or one interface with optional properties';
      return this.fail(module, at, 'unsupported-union', merged, hint);
    }
    const nullable =
      types.some(({ type }) => type === 'TSNullKeyword') || schemas.some((schema) => schema.nullable);
    return nullable ? makeNullable(merged) : merged;
  }

  #reference(module: Module, type: TSTypeReference): Schema | undefined {
    const name = writtenTypeName(type.typeName);
    const resolution = this.graph.resolve(module, name);
    if (resolution.kind === 'unbound') return this.#global(module, type, name);
    if (resolution.kind === 'unreadable') return undefined;
    if (resolution.kind === 'missing') return this.fail(module, type, 'unknown-type', resolution.message);
    if (type.typeArguments) return this.#generic(module, type.typeArguments);
    if (resolution.kind === 'declaration')
      return this.evaluateDeclaration(module, type, resolution.declaration);
    return this.#packageType(module, type, resolution.specifier, resolution.name);
  }

  #packageType(module: Module, at: Span, specifier: string, name: string): Schema | undefined {
    if (!isKubernetesPackage(specifier)) {
      const hint = 'declare the type in this project; types of other packages are not read';
      return this.fail(module, at, 'unknown-type', `${name} comes from ${specifier}`, hint);
    }
    const schema = builtinType(name);
    if (schema) return schema;
    const hint = `of ${specifier}, API types can use ${builtinTypeNames.join(', ')}`;
    return this.fail(module, at, 'unknown-type', `${name} of ${specifier} has no schema`, hint);
  }

  /** A name that is neither declared nor imported: one of the language, or a mistake. */
  #global(module: Module, type: TSTypeReference, name: string): Schema | undefined {
    const [first, second] = type.typeArguments?.params ?? [];
    if ((name === 'Array' || name === 'ReadonlyArray') && first && !second) return this.#array(module, first);
    if (name === 'Record' && first && second) return this.#record(module, first, second);
    const advice = adviceForGlobal(name);
    if (advice) return this.fail(module, type, 'unsupported-type', advice.message, advice.hint);
    const isBuiltin = builtinTypeNames.includes(name);
    const meant = closestName(name, [...module.types.keys(), ...module.imports.keys(), ...builtinTypeNames]);
    const hint = isBuiltin
      ? `import it: import type { ${name} } from 'ots-runtime'`
      : meant && `did you mean ${meant}?`;
    return this.fail(module, type, 'unknown-type', `there is no type ${name} in this file`, hint);
  }

  #record(module: Module, key: TSType, value: TSType): Schema | undefined {
    if (key.type === 'TSStringKeyword') {
      const values = this.evaluate(module, value);
      return values && { type: 'object', additionalProperties: values };
    }
    const hint = 'write Record<string, T>, or an interface with the properties';
    return this.fail(module, key, 'unsupported-type', 'the keys of a Record can only be string', hint);
  }

  #declared(from: Module, at: Span, { module, name, node }: TypeDeclaration): Schema | undefined {
    if (node.type === 'other') {
      const hint = 'write an interface, or a union of string literals';
      const message = `${name} is ${node.what}, not an interface or type alias`;
      return this.fail(from, at, 'unsupported-type', message, hint);
    }
    if (node.typeParameters) return this.#generic(module, node.typeParameters);
    if (node.type === 'TSTypeAliasDeclaration') return this.evaluate(module, node.typeAnnotation);
    return interfaceSchema(this, module, node);
  }

  #generic(module: Module, at: Span): undefined {
    const message = 'generic types are not supported in API types';
    return this.fail(module, at, 'unsupported-type', message, 'declare an interface for each use');
  }

  #unsupported(module: Module, type: TSType): undefined {
    const { message, hint } = adviceForSyntax(type.type);
    return this.fail(module, type, 'unsupported-type', message, hint);
  }
}

function writtenTypeName(name: TSTypeName): string {
  let suffix = '';
  let current = name;
  while (current.type === 'TSQualifiedName') {
    suffix = `.${current.right.name}${suffix}`;
    current = current.left;
  }
  return (current.type === 'Identifier' ? current.name : 'this') + suffix;
}
