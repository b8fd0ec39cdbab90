/** One condition on the labels of an object, in the form that both ways to write selectors come down to. */
export interface Requirement {
  readonly key: string;
  /** `Gt` and `Lt` compare whole numbers; they exist in text only. */
  readonly operator: 'In' | 'NotIn' | 'Exists' | 'DoesNotExist' | 'Gt' | 'Lt';
  /** Sorted and distinct. Empty for `Exists` and `DoesNotExist`; one whole number for `Gt` and `Lt`. */
  readonly values: readonly string[];
}
