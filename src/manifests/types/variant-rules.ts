import { escapeProperty } from 'ots-cel';
import type { VariantTag } from './find-tag.ts';
import type { Variant } from './object-union.ts';
import type { Json, Schema, ValidationRule } from '../schema/schema.ts';

/** What a variant requires of one property. */
interface Demand {
  readonly test: string;
  /** `is required`, `must not be set` … */
  readonly text: string;
  readonly name: string;
}

/**
 * Creates the rules for which properties belong together in a union of objects.
 * @param properties the properties of all variants, each of which has a name in rules
 * @param tag the property whose literals distinguish the variants
 * @returns undefined if there is no tag and nothing else distinguishes the variants
 */
export function variantRules(
  variants: readonly Variant[],
  properties: ReadonlyMap<string, Schema>,
  tag: VariantTag | undefined,
): ValidationRule[] | undefined {
  const demands = variants.map((variant) => demandsOf(variant, variants, properties, tag));
  if (tag) return demands.flatMap((demand, index) => taggedRule(tag, index, demand) ?? []);
  const isDistinguished = variants.every((variant) =>
    [...variant.required].some(
      (name) =>
        !variant.properties.get(name)?.nullable &&
        variants.every((other) => other === variant || !other.properties.has(name)),
    ),
  );
  if (!isDistinguished) return undefined;
  const keys = exclusiveKeys(variants, properties);
  if (keys) return [exactlyOne(keys)];
  const rule = demands
    .map((demand) => demand.map(({ test }) => test).join(' && '))
    .map((test) => `(${test})`);
  const texts = demands.map((demand) => demand.map(({ name, text }) => `${name} ${text}`).join(', '));
  return [{ rule: rule.join(' || '), message: `one of these must hold: ${texts.join('; or ')}` }];
}

function demandsOf(
  variant: Variant,
  variants: readonly Variant[],
  properties: ReadonlyMap<string, Schema>,
  tag: VariantTag | undefined,
): Demand[] {
  const demands: Demand[] = [];
  for (const [name, merged] of properties) {
    if (name === tag?.name) continue;
    const field = `self.${escapeProperty(name)}`;
    const own = variant.properties.get(name);
    if (!own) {
      demands.push({ name, test: `!has(${field})`, text: 'must not be set' });
      continue;
    }
    // Rules treat a property that is null as missing.
    const isRequired = variant.required.has(name) && !own.nullable;
    const isRequiredByAll = variants.every((other) => other.required.has(name));
    if (isRequired && !isRequiredByAll) demands.push({ name, test: `has(${field})`, text: 'is required' });
    const values = own.enum?.filter((value) => value !== null);
    const isNarrower = values && (merged.enum?.length ?? Infinity) > own.enum!.length;
    if (!isNarrower) continue;
    const test = `${field} in ${celList(values)}`;
    demands.push({
      name,
      test: isRequired ? test : `(!has(${field}) || ${test})`,
      text: `must be ${values.map(showValue).join(' or ')}`,
    });
  }
  return demands;
}

function taggedRule(
  { name, values }: VariantTag,
  index: number,
  demands: readonly Demand[],
): ValidationRule | undefined {
  if (demands.length === 0) return undefined;
  const literals = values[index]!;
  const field = `self.${escapeProperty(name)}`;
  const condition =
    literals.length === 1 ? `${field} == ${celLiteral(literals[0]!)}` : `${field} in ${celList(literals)}`;
  return {
    rule: `${condition} ? ${demands.map(({ test }) => test).join(' && ')} : true`,
    message: `${sentence(demands)} when ${name} is ${literals.map(showValue).join(' or ')}`,
  };
}

/** Returns for example `bucket is required and url must not be set`. */
function sentence(demands: readonly Demand[]): string {
  const byText = new Map<string, string[]>();
  for (const { name, text } of demands) byText.set(text, [...(byText.get(text) ?? []), name]);
  return [...byText]
    .map(([text, names]) => `${names.join(', ')} ${names.length > 1 ? text.replace(/^is /, 'are ') : text}`)
    .join(' and ');
}

/**
 * Finds the properties of which exactly one must be set: each variant has its own, and the variants share the
 * rest.
 */
function exclusiveKeys(
  variants: readonly Variant[],
  properties: ReadonlyMap<string, Schema>,
): string[] | undefined {
  const keys = [...properties.keys()].filter(
    (name) => !variants.every((variant) => variant.properties.has(name)),
  );
  const isOnePerVariant =
    keys.length === variants.length &&
    variants.every((variant) => keys.filter((name) => variant.properties.has(name)).length === 1);
  const isRestEqual = [...properties.keys()].every(
    (name) =>
      keys.includes(name) ||
      (new Set(variants.map((variant) => variant.required.has(name))).size === 1 &&
        new Set(variants.map((variant) => variant.properties.get(name)?.enum?.length)).size === 1),
  );
  return isOnePerVariant && isRestEqual ? keys : undefined;
}

/** Uses the words of @exactlyOneOf. */
function exactlyOne(names: readonly string[]): ValidationRule {
  const count = names.map((name) => `(has(self.${escapeProperty(name)})?1:0)`).join('+');
  return { rule: `${count} == 1`, message: `exactly one of the fields in [${names.join(' ')}] must be set` };
}

function celList(values: readonly Json[]): string {
  return `[${values.map(celLiteral).join(', ')}]`;
}

/** Returns a CEL literal. Line breaks and quotes are escaped, so the rule stays on one line. */
function celLiteral(value: Json): string {
  if (typeof value !== 'string') return JSON.stringify(value);
  const escaped = value.replaceAll(/[\\'\p{C}\u2028\u2029]/gu, (character) => {
    if (character === '\\' || character === "'") return `\\${character}`;
    return `\\U${character.codePointAt(0)!.toString(16).padStart(8, '0')}`;
  });
  return `'${escaped}'`;
}

/** Returns a literal for messages, which must not have line breaks. */
function showValue(value: Json): string {
  return typeof value === 'string' && /^[^\p{C}\u2028\u2029]+$/u.test(value) ? value : JSON.stringify(value);
}
