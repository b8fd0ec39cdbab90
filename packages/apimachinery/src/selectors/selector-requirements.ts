import type { LabelRequirement } from './label-matcher.ts';

/** A selector as the specs of Kubernetes objects contain it. */
interface SelectorFields {
  readonly matchLabels?: Readonly<Record<string, string>>;
  readonly matchExpressions?: readonly {
    readonly key: string;
    readonly operator: string;
    readonly values?: readonly string[];
  }[];
}

/** Returns the requirements of a valid selector; none if it is empty and so selects everything. */
export function selectorRequirements({
  matchLabels = {},
  matchExpressions = [],
}: SelectorFields): LabelRequirement[] {
  return [
    ...Object.entries(matchLabels).map(([key, value]): LabelRequirement => ({
      key,
      operator: 'In',
      values: [value],
    })),
    ...matchExpressions.map(({ key, operator, values = [] }): LabelRequirement => {
      // Another operator is not valid.
      return { key, operator: operator as LabelRequirement['operator'], values };
    }),
  ];
}
