import type { AcceptedSchema } from '../accepted-schemas.ts';

export const acceptedRules: readonly AcceptedSchema[] = [
  {
    name: 'rules of the field before rules of the type, and a default that keeps them',
    types: '/** @cel self < 10 -- below ten */ type Digit = int32;',
    spec: '/** @cel self % 2 == 1 -- must be odd @default 3 */ x?: Digit;',
    optional: true,
    schema: {
      type: 'integer',
      format: 'int32',
      default: 3,
      'x-kubernetes-validations': [
        { rule: 'self % 2 == 1', message: 'must be odd' },
        { rule: 'self < 10', message: 'below ten' },
      ],
    },
  },
  {
    name: 'a rule over several lines',
    types: `/**
 * @validation {
 *   rule: "self.min <= self.max &&
 *     self.max < 100",
 *   message: "min <= max",
 *   reason: FieldValueForbidden,
 *   fieldPath: .max
 * }
 */
interface Range { min: int32; max: int32 }`,
    spec: 'x: Range;',
    schema: {
      type: 'object',
      properties: {
        max: { type: 'integer', format: 'int32' },
        min: { type: 'integer', format: 'int32' },
      },
      required: ['max', 'min'],
      'x-kubernetes-validations': [
        {
          fieldPath: '.max',
          message: 'min <= max',
          reason: 'FieldValueForbidden',
          rule: 'self.min <= self.max &&\n    self.max < 100',
        },
      ],
    },
  },
  {
    name: 'a rule about a list with a bound, quantities and old values',
    types: `interface Volume { /** @maxLength 63 */ name: string; /** @cel quantity(self).isGreaterThan(quantity('1Gi')) -- too small */ size: string }`,
    spec: `/** @maxItems 10 @listType map @listMapKey name @validation {rule: "oldSelf.all(old, self.exists(v, v.name == old.name))", message: keep them} */ x: Volume[];`,
    schema: {
      type: 'array',
      maxItems: 10,
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['name'],
      items: {
        type: 'object',
        properties: {
          name: { type: 'string', maxLength: 63 },
          size: {
            type: 'string',
            'x-kubernetes-validations': [
              { rule: `quantity(self).isGreaterThan(quantity('1Gi'))`, message: 'too small' },
            ],
          },
        },
        required: ['name', 'size'],
      },
      'x-kubernetes-validations': [
        { rule: 'oldSelf.all(old, self.exists(v, v.name == old.name))', message: 'keep them' },
      ],
    },
  },
];
