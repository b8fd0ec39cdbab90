import type { Admission, AdmissionAttributes } from '../registry/admission.ts';
import { keepValidManagers } from './keep-valid-managers.ts';
import type { AdmissionPlugin } from './plugin.ts';
import { Reinvocation } from './reinvocation.ts';

/** The plugins that have a phase, and how one of them runs. */
interface Phase {
  readonly plugins: readonly AdmissionPlugin[];
  readonly run: (plugin: AdmissionPlugin) => Promise<void> | undefined;
}

/** The plugins in their order. Each phase stops at the first refusal. */
export class AdmissionChain implements Admission {
  readonly #plugins: readonly AdmissionPlugin[];
  readonly #mutating: readonly AdmissionPlugin[];
  readonly #validating: readonly AdmissionPlugin[];

  /** @param plugins in the order of kube-apiserver, which does not depend on its flags */
  constructor(plugins: readonly AdmissionPlugin[]) {
    this.#plugins = plugins;
    this.#mutating = plugins.filter((plugin) => 'mutate' in plugin);
    this.#validating = plugins.filter((plugin) => 'validate' in plugin);
  }

  get mayWait(): boolean {
    return this.#plugins.some(({ mayWait }) => mayWait);
  }

  mutate(attributes: AdmissionAttributes): Promise<void> | undefined {
    const reinvocation = new Reinvocation();
    const phase: Phase = {
      plugins: this.#mutating,
      run: (plugin) => plugin.mutate?.(attributes, reinvocation),
    };
    // The options of a connection have no metadata.
    const managers =
      attributes.operation === 'CONNECT' ? undefined : attributes.object?.metadata.managedFields;
    const end = () => keepValidManagers(attributes, managers);
    const secondRound = (): Promise<void> | undefined => {
      if (!reinvocation.isNeeded) return undefined;
      reinvocation.isSecondRound = true;
      return this.#run(attributes, phase);
    };
    const waiting = this.#run(attributes, phase)?.then(secondRound) ?? secondRound();
    return waiting ? waiting.then(end) : end();
  }

  validate(attributes: AdmissionAttributes): Promise<void> | undefined {
    return this.#run(attributes, {
      plugins: this.#validating,
      run: (plugin) => plugin.validate?.(attributes),
    });
  }

  /** Runs a phase, without waiting for as long as no plugin has to. */
  #run(attributes: AdmissionAttributes, phase: Phase, first = 0): Promise<void> | undefined {
    for (let index = first; index < phase.plugins.length; index += 1) {
      const plugin = phase.plugins[index]!;
      if (!plugin.handles(attributes)) continue;
      const waiting = phase.run(plugin);
      if (waiting) return waiting.then(() => this.#run(attributes, phase, index + 1));
    }
    return undefined;
  }
}
