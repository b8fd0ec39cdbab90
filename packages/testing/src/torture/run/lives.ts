import type { ConnectionConfig } from 'ots-runtime';
import { OperatorProcess, type ProcessObserver } from '../../convergence/operator-process.ts';
import type { TestEnvironment } from '../../environment/test-environment.ts';
import type { Delivery } from '../../simulation/delivery.ts';
import type { TortureSetup } from '../torture-options.ts';
import { type DeletionObserver, type DeletionSurroundings, observeDeletions } from './deletions.ts';
import { Sight } from './sight.ts';
import { agentOf, lifeOf } from './views.ts';

/** How often replicas look at their lease: seldom, because each look costs time. */
const retryPeriod = '5s';

/** Knows what all lives of an operator do. */
export type LifeObserver = ProcessObserver & DeletionObserver;

/** What the lives of an operator share. */
interface Surroundings extends DeletionSurroundings {
  readonly setup: Pick<TortureSetup, 'start' | 'leaderElection'>;
  /** Whether replicas compete for a lease. */
  readonly elects: boolean;
  readonly environment: TestEnvironment;
  /** That of the identity of the operator. */
  readonly connection: ConnectionConfig;
  readonly observer: LifeObserver;
}

/** The processes of an operator: one after the other, or replicas beside each other. */
export class Lives {
  readonly #surroundings: Surroundings;
  readonly #processes: OperatorProcess[] = [];
  /** What each process has received. */
  readonly #sights: Sight[] = [];

  constructor(surroundings: Surroundings) {
    this.#surroundings = surroundings;
  }

  /** What ended processes that were not killed. */
  get failures(): unknown[] {
    return this.#processes.map(({ failure }) => failure).filter((failure) => failure !== undefined);
  }

  /** Starts another process. */
  async start(): Promise<void> {
    const { setup, elects, environment, connection } = this.#surroundings;
    const sight = new Sight();
    const exchange = observeDeletions(connection.exchange!, sight, this.#surroundings);
    const agent = agentOf(this.#processes.length);
    const process = new OperatorProcess({ ...connection, exchange }, this.#surroundings.observer, agent);
    this.#sights.push(sight);
    this.#processes.push(process);
    const { leaderElection: lease } = setup;
    const leaderElection = elects && lease ? { ...lease, retryPeriod } : undefined;
    await process.start((own) => setup.start(own, { environment, leaderElection }));
  }

  /** An event of a watch arrives at one of them. */
  saw({ userAgent, line = '' }: Delivery): void {
    this.#sights[lifeOf(userAgent)]?.receive(line);
  }

  /** Kills the process that started last, in the middle of whatever it does. */
  killLast(): void {
    this.#processes.at(-1)?.kill();
  }

  killFirst(): void {
    this.#processes[0]?.kill();
  }

  /** Stops all gracefully, or lets the code of killed ones end. Never rejects. */
  async stop(): Promise<void> {
    await Promise.allSettled(this.#processes.map((process) => process.stop()));
  }
}
