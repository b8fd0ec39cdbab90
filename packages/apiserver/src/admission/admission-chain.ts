import type { Admission, AdmissionAttributes } from '../registry/admission.ts';
import type { AdmissionPlugin } from './plugin.ts';

/** The plugins in their order. Each phase stops at the first refusal. */
export class AdmissionChain implements Admission {
  readonly #plugins: readonly AdmissionPlugin[];

  /** @param plugins in the order of kube-apiserver, which does not depend on its flags */
  constructor(plugins: readonly AdmissionPlugin[]) {
    this.#plugins = plugins;
  }

  get mayWait(): boolean {
    return this.#plugins.some(({ mayWait }) => mayWait);
  }

  mutate(attributes: AdmissionAttributes): Promise<void> | undefined {
    return runAll(this.#plugins, 'mutate', attributes);
  }

  validate(attributes: AdmissionAttributes): Promise<void> | undefined {
    return runAll(this.#plugins, 'validate', attributes);
  }
}

/** Runs a phase without waiting for as long as no plugin has to. */
function runAll(
  plugins: readonly AdmissionPlugin[],
  phase: 'mutate' | 'validate',
  attributes: AdmissionAttributes,
): Promise<void> | undefined {
  for (const [index, plugin] of plugins.entries()) {
    if (!plugin[phase] || !plugin.handles(attributes)) continue;
    const waiting = plugin[phase](attributes);
    if (waiting) return waiting.then(() => runAll(plugins.slice(index + 1), phase, attributes));
  }
  return undefined;
}
