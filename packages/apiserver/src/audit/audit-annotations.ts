import { isQualifiedName } from 'ots-apimachinery/names';

/** The audit annotations of a request. Only a request that an observer records has them. */
export class AuditAnnotations {
  readonly #values: Record<string, string> = {};

  /**
   * Adds an annotation. Like in kube-apiserver, the first value of a key remains, and a key that is not a qualified name is
   * dropped.
   *
   * @param key with its prefix, such as `authorization.k8s.io/decision`
   */
  add(key: string, value: string): void {
    if (!Object.hasOwn(this.#values, key) && isQualifiedName(key)) this.#values[key] = value;
  }

  all(): Readonly<Record<string, string>> {
    return this.#values;
  }
}
