/** The first two numbers of the addresses of pods. */
const network = '10.244';
const hostsPerSubnet = 254;
const capacity = 256 * hostsPerSubnet;

/** Which addresses pods have, and which one is next. */
export interface AddressMemory {
  readonly taken: readonly string[];
  readonly next: number;
}

/** The addresses of the pods of a cluster, from 10.244.0.1 on. An address that is free again is given away last. */
export class PodAddresses {
  readonly #taken: Set<string>;
  #next: number;

  /** @param memory what earlier ones gave away. Default: nothing. */
  constructor({ taken, next }: AddressMemory = { taken: [], next: 0 }) {
    this.#taken = new Set(taken);
    this.#next = next;
  }

  get memory(): AddressMemory {
    return { taken: [...this.#taken], next: this.#next };
  }

  /** @throws {Error} when 65,024 pods have addresses */
  take(): string {
    if (this.#taken.size >= capacity) throw new Error('all addresses of pods are taken');
    for (;;) {
      const address = addressAt(this.#next % capacity);
      this.#next += 1;
      if (this.keep(address)) return address;
    }
  }

  /** Takes an address that a pod has already. @returns false if another pod has it */
  keep(address: string): boolean {
    if (this.#taken.has(address)) return false;
    this.#taken.add(address);
    return true;
  }

  release(address: string): void {
    this.#taken.delete(address);
  }
}

function addressAt(index: number): string {
  return `${network}.${Math.trunc(index / hostsPerSubnet)}.${1 + (index % hostsPerSubnet)}`;
}
