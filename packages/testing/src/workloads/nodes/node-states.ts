import type { SimulatedNode } from './node-options.ts';

/** What a kubelet finds out about its node: undefined if nothing is wrong, otherwise what. */
export type Fault = string | undefined;

interface NodeState {
  isRunning: boolean;
  fault: Fault;
}

/** What a test has done to a node. */
export type NodeMemory = Readonly<NodeState>;

/** What a test has done to the simulated nodes. Kubelets ask before they act. */
export class NodeStates {
  readonly #states: ReadonlyMap<string, NodeState>;
  readonly #listeners: ((name: string) => void)[] = [];

  /** @param memory by name. Default: nothing was done. */
  constructor(nodes: readonly SimulatedNode[], memory?: ReadonlyMap<string, NodeMemory>) {
    this.#states = new Map(
      nodes.map(({ name }) => [name, { isRunning: true, fault: undefined, ...memory?.get(name) }]),
    );
  }

  get memory(): ReadonlyMap<string, NodeMemory> {
    return new Map([...this.#states].map(([name, state]) => [name, { ...state }]));
  }

  /** The names of the nodes, in their order. */
  get names(): string[] {
    return [...this.#states.keys()];
  }

  /** Whether the kubelet of a node runs: a stopped one neither reports nor starts, ends or restarts containers. */
  isRunning(name: string): boolean {
    return this.#states.get(name)?.isRunning ?? false;
  }

  /** Why the kubelet of a node reports that it is not ready. */
  faultOf(name: string): Fault {
    return this.#states.get(name)?.fault;
  }

  /** Changes the state of a node. @returns false if there is no such node */
  set(name: string, change: Partial<NodeState>): boolean {
    const state = this.#states.get(name);
    if (!state) return false;
    Object.assign(state, change);
    for (const listener of this.#listeners) listener(name);
    return true;
  }

  /** Calls a function with the name of each node whose state changes. */
  onChange(listener: (name: string) => void): void {
    this.#listeners.push(listener);
  }
}
