import type { AuditAnnotations } from '../../audit/audit-annotations.ts';
import { escapeHtml } from '../../json/go-json.ts';
import type { AuditValue, Failure } from './validator.ts';

const maxValueBytes = 10 * 1024;

/** Records what a ValidatingAdmissionPolicy says about a request. */
export class PolicyAudit {
  readonly #audit: AuditAnnotations;
  readonly #policy: string;
  /** By key. */
  readonly #values = new Map<string, Set<string>>();

  constructor(audit: AuditAnnotations, policy: string) {
    this.#audit = audit;
    this.#policy = policy;
  }

  /** Records a failure for a binding with the action `Audit`. Only the first failure of a request is recorded. */
  addFailure(binding: string, validationActions: readonly string[], { message, index }: Failure): void {
    const value = { message, policy: this.#policy, binding, expressionIndex: index, validationActions };
    const text = escapeHtml(JSON.stringify([value]));
    this.#audit.add('validation.policy.admission.k8s.io/validation_failure', text);
  }

  /** Collects the values of one binding and parameter. */
  collect(values: readonly AuditValue[]): void {
    for (const { key, value } of values) {
      const collected = this.#values.get(key) ?? new Set();
      this.#values.set(key, collected.add(truncated(value)));
    }
  }

  /** Records what was collected: bindings and parameters can give a key several values. */
  end(): void {
    for (const [key, values] of this.#values)
      this.#audit.add(`${this.#policy}/${key}`, [...values].join(', '));
  }
}

/** Like Go, writes each byte of a character that the limit cuts in two as U+FFFD. */
function truncated(value: string): string {
  const bytes = Buffer.from(value);
  if (bytes.length <= maxValueBytes) return value;
  let end = maxValueBytes;
  while (isContinuation(bytes[end])) end -= 1;
  return bytes.toString('utf8', 0, end) + '\uFFFD'.repeat(maxValueBytes - end);
}

/** Whether a byte is not the first one of a character in UTF-8. */
function isContinuation(byte = 0): boolean {
  return byte >> 6 === 0b10;
}
