import { goQuote } from 'ots-apimachinery/go/go-quote';
import { TestEnvironmentError } from '../../errors/test-environment-error.ts';
import type { NodeStates } from './node-states.ts';

/**
 * What a test does to the simulated nodes. Each call returns at once: wait for what it causes, or call `environment.settle()` or
 * `environment.advance()` where the test holds the time.
 */
export class TestNodes {
  readonly #states: NodeStates;

  /** @internal */
  constructor(states: NodeStates) {
    this.#states = states;
  }

  /** The names of the nodes, in the order of the options. */
  get names(): readonly string[] {
    return this.#states.names;
  }

  /**
   * Stops the kubelet of a node, as when a machine fails: it no longer renews its Lease, and its pods stay as they are. After 50 s
   * the node counts as lost: its conditions are `Unknown`, its pods are not ready, and after 5 minutes more, or what they tolerate,
   * they are deleted; their objects stay until the node is back or deleted. While all nodes are lost no pod is deleted.
   *
   * @throws {TestEnvironmentError} when the node does not exist
   */
  stop(name: string): void {
    this.#set(name, { isRunning: false });
  }

  /** Starts the kubelet of a node again. It reports at once. @throws {TestEnvironmentError} when the node does not exist */
  start(name: string): void {
    this.#set(name, { isRunning: true });
  }

  /**
   * Lets the kubelet of a node report whether the node is ready. Pods of a node that is not ready stay there for 5 minutes, or as
   * long as they tolerate it.
   *
   * @param message of the condition Ready, whose reason is `KubeletNotReady`. Default `container runtime is down`. Ignored for a node
   *   that is ready.
   * @throws {TestEnvironmentError} when the node does not exist
   */
  setReady(name: string, isReady: boolean, message = 'container runtime is down'): void {
    this.#set(name, { fault: isReady ? undefined : message });
  }

  #set(name: string, change: Parameters<NodeStates['set']>[1]): void {
    if (this.#states.set(name, change)) return;
    throw new TestEnvironmentError(
      `Node ${goQuote(name)} does not exist`,
      `Name one of the simulated nodes: ${this.names.join(', ')}.`,
    );
  }
}
