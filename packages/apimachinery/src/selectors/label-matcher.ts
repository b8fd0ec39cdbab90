/** One condition on the labels of an object. Both forms of selectors, text and fields, consist of these. */
export interface LabelRequirement {
  readonly key: string;
  /** `NotIn` and `DoesNotExist` are met by objects without the label too. `Gt` and `Lt` compare whole numbers; only text has them. */
  readonly operator: 'In' | 'NotIn' | 'Exists' | 'DoesNotExist' | 'Gt' | 'Lt';
  /** Sorted and distinct. Empty for `Exists` and `DoesNotExist`; one whole number for `Gt` and `Lt`. */
  readonly values: readonly string[];
}

/** Tells whether labels, undefined for none, meet a selector. */
export type LabelMatcher = (labels: Readonly<Record<string, string>> | undefined) => boolean;

/** Compiles requirements, which all must be met, for testing the labels of many objects. */
export function labelMatcher(requirements: readonly LabelRequirement[]): LabelMatcher {
  const matchers = requirements.map(matcherOf);
  return (labels = {}) => matchers.every((matches) => matches(labels));
}

function matcherOf({
  key,
  operator,
  values,
}: LabelRequirement): (labels: Readonly<Record<string, string>>) => boolean {
  switch (operator) {
    case 'Exists':
      return (labels) => Object.hasOwn(labels, key);
    case 'DoesNotExist':
      return (labels) => !Object.hasOwn(labels, key);
    case 'In':
      return (labels) => Object.hasOwn(labels, key) && values.includes(labels[key]!);
    case 'NotIn':
      return (labels) => !Object.hasOwn(labels, key) || !values.includes(labels[key]!);
    default: {
      const bound = wholeNumber(values[0]!)!;
      return (labels) => {
        const number = Object.hasOwn(labels, key) ? wholeNumber(labels[key]!) : undefined;
        if (number === undefined) return false;
        return operator === 'Gt' ? number > bound : number < bound;
      };
    }
  }
}

/** The integer that a text is, within the 64 bits that Kubernetes compares; undefined for any other text. */
export function wholeNumber(text: string): bigint | undefined {
  if (!/^[-+]?\d+$/.test(text)) return undefined;
  const number = BigInt(text.replace('+', ''));
  return BigInt.asIntN(64, number) === number ? number : undefined;
}
