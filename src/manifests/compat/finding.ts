import type { Origin } from '../schema/origin.ts';

/** A change that breaks users of the earlier API. */
export interface Finding {
  /** Stable identifier of the rule, for machines. */
  readonly code: string;
  readonly kind: string;
  /** The version of the API; left out when all are concerned. */
  readonly version?: string;
  /** Where in an object of the kind, like `.spec.ports[].name`; left out when the kind itself is concerned. */
  readonly path?: string;
  /** What changed, from what to what, and whom it breaks. */
  readonly message: string;
  /** What to do instead. */
  readonly hint: string;
  /** The nearest declaration that still exists; undefined when there is none. */
  readonly origin: Origin | undefined;
}

/** Records a finding about the place that a comparison is at. */
export type Report = (code: string, message: string, hint: string, origin?: Origin) => void;
