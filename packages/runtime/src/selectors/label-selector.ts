/** Selects objects by their labels, as the selectors in the specs of Kubernetes objects do. Empty selects all. */
export interface LabelSelector {
  /** Labels with exactly these values. */
  readonly matchLabels?: Readonly<Record<string, string>> | undefined;
  /** Requirements, all of which must be met. */
  readonly matchExpressions?: readonly LabelRequirement[] | undefined;
}

/** One requirement on a label. */
export interface LabelRequirement {
  /** The name of the label. */
  readonly key: string;
  /** `NotIn` and `DoesNotExist` also select objects without the label. */
  readonly operator: 'In' | 'NotIn' | 'Exists' | 'DoesNotExist';
  /** For `In` and `NotIn`. */
  readonly values?: readonly string[] | undefined;
}
