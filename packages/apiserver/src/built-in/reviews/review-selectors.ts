import { type FieldTerm, parseFieldSelector } from 'ots-apimachinery/selectors/field-selector';
import { parseLabelSelector } from 'ots-apimachinery/selectors/parse-label-selector';
import type {
  FieldSelectorAttributes,
  LabelSelectorAttributes,
  ResourceAttributes,
} from 'ots-kubernetes/authorization/v1';
import type { FieldSelectorRequirement } from 'ots-kubernetes/meta/v1';

/** How much of a selector the authorizer can use. */
type Reading = 'all' | 'some' | 'nothing';

const labelOperators = ['In', 'NotIn', 'Exists', 'DoesNotExist'];
const fieldOperators = ['In', 'NotIn'];

/** The parts of a question that the authorizer ignores; empty for none. */
export function evaluationError({ fieldSelector, labelSelector }: ResourceAttributes): string {
  return [
    describe('fieldSelector', fieldSelector ? readFields(fieldSelector) : 'all'),
    describe('labelSelector', labelSelector ? readLabels(labelSelector) : 'all'),
  ]
    .filter((text) => text !== '')
    .join('; ');
}

function describe(field: string, reading: Reading): string {
  if (reading === 'all') return '';
  return `spec.resourceAttributes.${field} ${reading === 'some' ? 'partially ' : ''}ignored due to parse error`;
}

/** The parts of a field selector that the authorizer can use. */
export function fieldTermsOf({ rawSelector = '', requirements = [] }: FieldSelectorAttributes): FieldTerm[] {
  if (rawSelector !== '')
    return parses(() => parseFieldSelector(rawSelector)) === 'all' ? parseFieldSelector(rawSelector) : [];
  return requirements.filter(comparesOneValue).map(({ key, operator, values: [value = ''] = [] }) => ({
    field: key,
    value,
    negated: operator === 'NotIn',
  }));
}

function comparesOneValue({ operator, values = [] }: FieldSelectorRequirement): boolean {
  return fieldOperators.includes(operator) && values.length === 1;
}

/** A field selector may only compare a field with one value. */
function readFields({ rawSelector = '', requirements = [] }: FieldSelectorAttributes): Reading {
  if (rawSelector !== '') return parses(() => parseFieldSelector(rawSelector));
  return shareOf(requirements, comparesOneValue);
}

function readLabels({ rawSelector = '', requirements = [] }: LabelSelectorAttributes): Reading {
  if (rawSelector !== '') return parses(() => parseLabelSelector(rawSelector));
  return shareOf(requirements, ({ operator }) => labelOperators.includes(operator));
}

function parses(parse: () => unknown): Reading {
  try {
    parse();
    return 'all';
  } catch (error) {
    if (error instanceof SyntaxError) return 'nothing';
    throw error;
  }
}

function shareOf<T>(requirements: readonly T[], isReadable: (requirement: T) => boolean): Reading {
  const readable = requirements.filter(isReadable).length;
  if (readable === requirements.length) return 'all';
  return readable === 0 ? 'nothing' : 'some';
}
