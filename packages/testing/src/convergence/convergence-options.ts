import type {
  Client,
  ConnectionConfig,
  DeepReadonly,
  Duration,
  KubernetesObject,
  Manager,
} from 'ots-runtime';
import type { TestEnvironment, TestEnvironmentOptions } from '../environment/test-environment.ts';
import type { Identity } from '../requests/user-of.ts';

/** What a change of a scenario works with. */
export interface ChangeContext {
  /** Of the administrator. */
  readonly client: Client;
  readonly environment: TestEnvironment;
}

/** Where an operator starts. */
export interface StartContext {
  /** Has what is outside of the operator, such as the network of simulated applications. */
  readonly environment: TestEnvironment;
}

/** An operator, and what users do with one of its objects. */
export interface ConvergenceOptions<T extends KubernetesObject = KubernetesObject> {
  /** What each environment starts with. Its clock is virtual. Default: nothing. */
  environment?: Omit<TestEnvironmentOptions, 'clock' | 'env'>;
  /** Prepares each environment, such as `(environment) => environment.install('config/rbac', { namespace: 'system' })`. Default: nothing. */
  prepare?: (environment: TestEnvironment) => unknown;
  /** Who the operator is. Disturbances tell its requests from those of others by it. */
  identity: Identity;
  /**
   * Creates a manager with its controllers and webhooks, and does not start it. It is called for each life of the operator.
   *
   * @param connection that of the identity
   */
  start: (connection: ConnectionConfig, context: StartContext) => Manager | Promise<Manager>;
  /** The object that the operator reconciles, as a user creates it. */
  object: T;
  /** What users do after the object was created, in this order, by what they do, such as `is scaled`. Default: nothing. */
  changes?: Readonly<Record<string, (context: ChangeContext) => unknown>>;
  /**
   * How long the operator needs at most after each step without disturbances, in virtual time. A disturbed one has ten minutes more.
   * Default `1m`.
   */
  time?: Duration;
  /**
   * How many writes of a step are disturbed at most, spread evenly, for an operator with so many writes that all of them take too long.
   * A positive integer. Default: all.
   */
  maxWrites?: number;
  /**
   * Which objects that the operator created it does not repair: they are not edited or deleted by hand. Default: none.
   *
   * @param child as it is stored
   */
  spare?: (child: DeepReadonly<KubernetesObject>) => boolean;
  /**
   * What of an object must be the same in the end, such as all but a counter of restarts in the status. Default: the object.
   *
   * @param object without what the server sets and what chance decides: UIDs, versions, times, generated names,
   *   addresses of Services. It has a status only if
   *   the operator writes it. It may be changed.
   * @returns JSON; undefined leaves the object out
   */
  comparable?: (object: KubernetesObject) => unknown;
}

/** What {@link expectConvergence} has done. */
export interface ConvergenceReport {
  /** The writes of the undisturbed operator, such as `patch deployments.apps default/web`. */
  readonly writes: readonly string[];
  /** What the operator went through, each in its own environment. */
  readonly disturbances: readonly string[];
  /** What was done to its children by hand. */
  readonly edits: readonly string[];
}
