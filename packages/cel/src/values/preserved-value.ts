import type { CelValue } from './cel-value.ts';
import { deepEqual } from './deep-equal.ts';
import { toJson } from './to-json.ts';

/** A value without a type that `x-kubernetes-preserve-unknown-fields` keeps. It can only be compared. */
export class PreservedValue {
  readonly typeName = 'unknown';
  readonly json: unknown;

  constructor(json: unknown) {
    this.json = json;
  }

  equals(other: CelValue): boolean {
    const json = toJson(other);
    return deepEqual(
      this.json,
      typeof json === 'bigint' && Number.isSafeInteger(Number(json)) ? Number(json) : json,
    );
  }
}
