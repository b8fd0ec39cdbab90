/** Selects objects by their labels, as the selectors in the specs of Kubernetes objects do. Empty selects all. */
export interface LabelSelector {
  /** Labels with exactly these values. */
  readonly matchLabels?: Readonly<Record<string, string>> | undefined;
  readonly matchExpressions?: readonly LabelRequirement[] | undefined;
}

export interface LabelRequirement {
  readonly key: string;
  readonly operator: 'In' | 'NotIn' | 'Exists' | 'DoesNotExist';
  /** For `In` and `NotIn`. */
  readonly values?: readonly string[] | undefined;
}
