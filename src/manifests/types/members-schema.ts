import type { TSPropertySignature, TSSignature, TSType } from 'oxc-parser';
import { excuse } from '../markers/tag.ts';
import type { Module } from '../source/module.ts';
import { applyTags } from './apply-tags.ts';
import type { Schema } from './schema.ts';
import type { TypeContext } from './type-context.ts';

/**
 * Adds the members of an interface or an object type to a schema. All of them are looked at, so that all errors show at once.
 * @param base what the parents of an interface give; its properties are replaced by members of the same name
 * @param skipped names that get their schema elsewhere
 */
export function membersSchema(
  context: TypeContext,
  module: Module,
  members: readonly TSSignature[],
  base: Schema,
  skipped?: ReadonlyMap<string, unknown>,
): Schema | undefined {
  const properties = new Map(base.properties);
  const required = new Set(base.required);
  const own = new Set<string>();
  let failed = false;
  for (const member of members) {
    const name = propertyName(member);
    if (member.type !== 'TSPropertySignature' || name === undefined) {
      const hint =
        member.type === 'TSIndexSignature'
          ? 'write Record<string, T> as the type of a property'
          : 'leave it out';
      context.fail(
        module,
        member,
        'unsupported-member',
        'an API type can only have properties with plain names',
        hint,
      );
      failed = true;
      continue;
    }
    if (skipped?.has(name)) continue;
    if (own.has(name))
      context.fail(module, member.key, 'duplicate-property', `${name} is declared twice`, 'remove one');
    own.add(name);
    const schema = propertySchema(context, module, member);
    if (schema) properties.set(name, schema);
    else failed = true;
    if (isOptional(member)) required.delete(name);
    else required.add(name);
  }
  if (failed) return undefined;
  return { type: 'object', properties, ...(required.size > 0 ? { required: [...required].toSorted() } : {}) };
}

function propertySchema(
  context: TypeContext,
  module: Module,
  member: TSPropertySignature,
): Schema | undefined {
  const doc = module.docAt(member.start);
  const type = member.typeAnnotation?.typeAnnotation;
  const schema = type
    ? context.evaluate(module, type)
    : context.fail(
        module,
        member.key,
        'unsupported-type',
        'the property has no type',
        'write one after a colon',
      );
  if (!schema) {
    excuse(doc.tags);
    return undefined;
  }
  const described = doc.description ? { ...schema, description: doc.description } : schema;
  return applyTags(described, doc.tags, 'field', context.diagnostics);
}

function propertyName(member: TSSignature): string | undefined {
  if (member.type !== 'TSPropertySignature') return undefined;
  const { key } = member;
  if (key.type === 'Identifier') return member.computed ? undefined : key.name;
  if (key.type !== 'Literal') return undefined;
  return typeof key.value === 'string' || typeof key.value === 'number' ? String(key.value) : undefined;
}

function isOptional(member: TSPropertySignature): boolean {
  return member.optional || allowsUndefined(member.typeAnnotation?.typeAnnotation);
}

function allowsUndefined(type: TSType | undefined): boolean {
  return type?.type === 'TSUnionType' && type.types.some((member) => member.type === 'TSUndefinedKeyword');
}
