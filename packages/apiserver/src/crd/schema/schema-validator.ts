import * as implementation from 'ots-cel';
import { validateUniqueness } from '../../schema/validate-uniqueness.ts';
import type { Schema } from '../../schema/json-schema.ts';
import type { FieldError } from '../../status/field-error.ts';
import { provideCel } from '../rules/cel.ts';
import { validateDefaultValue, validateDefaults } from './validate-defaults.ts';
import { validateKeywords } from './validate-keywords.ts';
import { validateRoot } from './validate-schema.ts';
import { validateStructure } from './validate-structure.ts';

const ruleField = /\.x-kubernetes-validations(?:\[|$)/;

/**
 * Validates the schemas of definitions before a server sees them. The schemas may share objects: each is validated
 * once, until it has an error. The fields of errors start at the schema: `.properties[spec].type`.
 */
export class SchemaValidator {
  // What is sound in one check is not in another.
  readonly #structural = new WeakSet<Schema>();
  readonly #wellFormed = new WeakSet<Schema>();
  readonly #defaulted = new WeakSet<Schema>();

  /**
   * Validates the keywords and the structure of a schema, but neither its defaults nor its rules.
   *
   * @param hasStatus whether the version has a status subresource
   */
  validateForm(schema: Schema, hasStatus: boolean): FieldError[] {
    const keywords = validateKeywords(schema, '', this.#wellFormed).map(({ error }) => error);
    return [
      ...validateRoot(schema, '', hasStatus),
      ...validateStructure(schema, '', this.#structural),
      ...keywords.filter(({ field }) => !ruleField.test(field)),
    ];
  }

  /** Validates the defaults of a schema whose form and rules are valid. */
  validateDefaults(schema: Schema): FieldError[] {
    provideCel(implementation);
    return validateDefaults(schema, '', this.#defaulted);
  }
}

/**
 * Validates a value as a default, except for the rules. Unlike a server, also refuses what no object may have:
 * duplicate items of sets and maps.
 *
 * @param field the path of the value in errors
 */
export function validateValue(value: unknown, schema: Schema, field: string): FieldError[] {
  return [...validateDefaultValue(value, schema, field), ...validateUniqueness(value, schema, field)];
}
