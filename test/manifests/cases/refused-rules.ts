import type { RefusedSpec } from '../refused-specs.ts';

const rule = (text: string) => ({ 'x-kubernetes-validations': [{ rule: text }] });
const array = (items: object) => ({ type: 'array', items });

export const refusedRules: readonly RefusedSpec[] = [
  {
    name: 'a rule that does not parse',
    spec: '/** @validation {rule: "self >", message: m} */ x: int32;',
    at: '", message: m',
    message: /found the end/,
    refusedSchema: { type: 'integer', ...rule('self >') },
  },
  {
    name: 'a rule about a property that is not there',
    types: '/** @validation {rule: "self.mix <= self.max"} */ interface Range { min: int32; max: int32 }',
    spec: 'x: Range;',
    at: 'mix <= self',
    message: /mix/,
    hint: /min/,
    refusedSchema: { type: 'object', properties: { min: { type: 'integer' } }, ...rule('self.mix <= 1') },
  },
  {
    name: 'a rule over several lines',
    types: `/**
 * A range.
 * @validation {
 *   rule: "self.min <= self.max &&
 *     self.top > 0",
 *   message: m
 * }
 */
interface Range { min: int32; max: int32 }`,
    spec: 'x: Range;',
    at: 'top > 0',
    message: /top/,
  },
  {
    name: 'a rule that compares a number with a string',
    spec: `/** @cel self > 'a' -- m */ x: int32;`,
    at: `self > 'a'`,
    message: /int > string/,
    refusedSchema: { type: 'integer', ...rule(`self > 'a'`) },
  },
  {
    name: 'a rule that is not a condition',
    spec: '/** @cel self + 1 -- m */ x: int32;',
    at: 'self + 1',
    message: /bool/,
    refusedSchema: { type: 'integer', ...rule('self + 1') },
  },
  {
    name: 'a rule in the spelling of kubebuilder',
    spec: '// +kubebuilder:validation:XValidation:rule="self.size() > 0",message="m"\nx: int32;',
    at: 'self.size()',
    message: /size/,
    refusedSchema: { type: 'integer', ...rule('self.size() > 0') },
  },
  {
    name: 'a rule that can cost too much',
    types: '/** @cel self.all(a, self.all(b, self.all(c, a != b || b != c))) -- m */ type Names = string[];',
    spec: 'x: Names;',
    at: 'self.all(a,',
    message: /cost/,
    hint: /@maxItems|maxItems/,
    refusedSchema: {
      ...array({ type: 'string' }),
      ...rule('self.all(a, self.all(b, self.all(c, a != b || b != c)))'),
    },
  },
  {
    name: 'oldSelf of items without a key',
    types: 'interface Item { /** @maxLength 9 @cel self == oldSelf -- m */ name: string }',
    spec: '/** @maxItems 9 */ x: Item[];',
    at: 'self == oldSelf',
    message: /oldSelf/,
    refusedSchema: array({
      type: 'object',
      properties: { name: { type: 'string', ...rule('self == oldSelf') } },
    }),
  },
  {
    name: 'optionalOldSelf without oldSelf',
    spec: '/** @validation {rule: "self > 0", optionalOldSelf: true} */ x: int32;',
    at: 'true} */',
    message: /oldSelf/,
    refusedSchema: {
      type: 'integer',
      'x-kubernetes-validations': [{ rule: 'self > 0', optionalOldSelf: true }],
    },
  },
  {
    name: 'a message that is an expression of another type',
    spec: '/** @validation {rule: "self > 0", messageExpression: "self"} */ x: int32;',
    at: 'self"} */',
    message: /string/,
    refusedSchema: {
      type: 'integer',
      'x-kubernetes-validations': [{ rule: 'self > 0', messageExpression: 'self' }],
    },
  },
  {
    name: 'a path to no property',
    types: '/** @validation {rule: "true", fieldPath: ".mix"} */ interface Range { min: int32 }',
    spec: 'x: Range;',
    at: '{rule: "true", fieldPath: ".mix"}',
    message: /mix/,
    refusedSchema: {
      type: 'object',
      properties: { min: { type: 'integer' } },
      'x-kubernetes-validations': [{ rule: 'true', fieldPath: '.mix' }],
    },
  },
  {
    name: 'a default that breaks a rule',
    spec: '/** @default 2 @cel self % 2 == 1 -- must be odd */ x?: int32;',
    at: 'x?: int32',
    message: /^default: must be odd \(at spec\.x\)$/,
    refusedSchema: { type: 'integer', default: 2, ...rule('self % 2 == 1') },
  },
  {
    name: 'a default of which a part breaks a rule',
    spec: '/** @default {a: 2} */ x?: { /** @cel self % 2 == 1 -- must be odd */ a: int32 };',
    at: 'x?: {',
    message: /^default\.a: must be odd \(at spec\.x\)$/,
    refusedSchema: {
      type: 'object',
      default: { a: 2 },
      properties: { a: { type: 'integer', ...rule('self % 2 == 1') } },
    },
  },
];
