import type { TSClassImplements, TSType } from 'oxc-parser';
import { resources as builtIn } from 'ots-kubernetes/resources';
import { closestName } from 'ots-apimachinery/closest-name';
import { builtinModule } from '../schema/builtin-types.ts';
import type { KindDefinition, Module } from '../source/module.ts';
import type { ModuleGraph } from '../source/module-graph.ts';

/** The kind that a handler is for. */
export interface HandledKind {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly plural: string;
  readonly isBuiltIn: boolean;
}

/** Why an argument cannot be derived, and what to do about it. */
export interface Problem {
  readonly message: string;
  readonly hint?: string;
}

/**
 * Returns the kind between the angle brackets of `Validator<JobWatcher>`, or undefined if an error about it
 * is reported elsewhere.
 */
export function kindOf(
  { typeArguments }: TSClassImplements,
  module: Module,
  graph: ModuleGraph,
): HandledKind | Problem | undefined {
  const [type] = typeArguments?.params ?? [];
  if (!type)
    return { message: 'the kind of this webhook is not named', hint: 'name it, as in Validator<JobWatcher>' };
  const written = module.source.text.slice(type.start, type.end);
  if (!isName(type)) {
    const message =
      type.type === 'TSUnionType' ? `${written} is more than one kind` : `${written} is not a kind`;
    return { message, hint: 'give each kind a class' };
  }
  const resolution = graph.resolve(module, written);
  if (resolution.kind === 'unreadable') return undefined;
  if (resolution.kind === 'missing') return { message: `${written} is not a kind: ${resolution.message}` };
  if (resolution.kind === 'unbound') return unknownName(written, module);
  if (resolution.kind === 'package') {
    const message = `${written} comes from ${resolution.specifier}, which ots does not read`;
    return builtInKind(resolution.specifier, resolution.name) ?? { message };
  }
  const { name, module: declaring } = resolution.declaration;
  const definition = declaring.kindDefinitions.find((candidate) => isFor(candidate, name));
  const kind = definition && definedKind(definition);
  return kind ?? { message: `${written} is not a kind`, hint: 'define it with defineKind' };
}

function unknownName(written: string, module: Module): Problem {
  const message = `${written} is not declared or imported here`;
  const suggestion = closestName(written, [...module.types.keys(), ...module.imports.keys()]);
  return suggestion === undefined ? { message } : { message, hint: `did you mean ${suggestion}? Correct it` };
}

function isName(type: TSType): boolean {
  return type.type === 'TSTypeReference' && !type.typeArguments;
}

/** Returns whether a defineKind call is for an interface of its file. */
function isFor({ typeArgument, properties, module }: KindDefinition, name: string): boolean {
  if (!typeArgument) return properties.get('kind')?.value === name;
  return module.source.text.slice(typeArgument.start, typeArgument.end) === name;
}

/** The kind that a defineKind call defines; undefined if its values cannot be read. */
export function definedKind({ properties }: KindDefinition): HandledKind | undefined {
  const [apiVersion, kind, plural] = ['apiVersion', 'kind', 'plural'].map(
    (name) => properties.get(name)?.value,
  );
  if (apiVersion === undefined || kind === undefined || plural === undefined) return undefined;
  const [version = '', group = ''] = apiVersion.split('/').toReversed();
  return { group, version, kind, plural, isBuiltIn: false };
}

/** The kind of Kubernetes that a package exports under a name. */
export function builtInKind(specifier: string, name: string): HandledKind | undefined {
  const module = builtinModule(specifier);
  const found = builtIn.find((resource) => resource.module === module && resource.kind === name);
  return found && { ...found, isBuiltIn: true };
}
