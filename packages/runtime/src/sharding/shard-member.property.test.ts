import fc from 'fast-check';
import { expect, test } from 'vitest';
import { propertyRuns } from '../../../../test/support/property-runs.ts';
import { LeaseServer, type Network } from '../../test/sharding/lease-server.ts';
import { Replica } from '../../test/sharding/replica.ts';
import { ShardWitness } from '../../test/sharding/shard-witness.ts';
import { World } from '../../test/sharding/world.ts';
import { shardCount } from './shard-of.ts';

/** mulberry32 */
function generator(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mix = Math.imul(state ^ (state >>> 15), 1 | state);
    mix = (mix + Math.imul(mix ^ (mix >>> 7), 61 | mix)) ^ mix;
    return ((mix ^ (mix >>> 14)) >>> 0) / 4294967296;
  };
}

const seconds = (min: number, max: number): fc.Arbitrary<number> =>
  fc.integer({ min: min * 1000, max: max * 1000 });
/** Often around the duration of a Lease, and somewhat longer. */
const durations = fc.oneof(seconds(0, 10), seconds(10, 20), seconds(20, 40));
/** Of the time of day. */
const clockSteps = fc.oneof(fc.constant(0), seconds(-60, 60));
const fault = fc.record({
  /** After the fault before. */
  after: fc.oneof(fc.constant(0), seconds(0, 3), seconds(0, 20)),
  member: fc.nat({ max: 4 }),
  event: fc.oneof(
    fc.record({ type: fc.constant('pause'), duration: durations, by: clockSteps }),
    fc.record({ type: fc.constant('partition'), duration: durations, by: clockSteps }),
    fc.record({ type: fc.constant('outage'), duration: durations }),
    fc.record({ type: fc.constantFrom('kill', 'stop', 'join', 'join by another scheme', 'wake') }),
  ),
});

interface Scenario {
  seed: number;
  members: number;
  /** Whether machines are suspended, instead of processes stopped. Their clocks are never set back then. */
  suspends: boolean;
  loss: number;
  /** In milliseconds, after the last fault. */
  rest: number;
  faults: {
    after: number;
    member: number;
    event: {
      type: string;
      duration?: number;
      by?: number;
    };
  }[];
}

const scenario: fc.Arbitrary<Scenario> = fc.record({
  seed: fc.nat(),
  members: fc.integer({ min: 1, max: 4 }),
  suspends: fc.boolean(),
  loss: fc.constantFrom(0, 0.02, 0.15),
  rest: fc.oneof(fc.constant(0), seconds(15, 40)),
  faults: fc.array(fault, { minLength: 1, maxLength: 14 }),
});

/** Members under faults, and then in peace. */
class Simulation {
  readonly world = new World();
  readonly witness = new ShardWitness();
  readonly replicas: Replica[] = [];
  readonly #server = new LeaseServer(this.world);
  readonly #random: () => number;
  readonly #scenario: Scenario;
  readonly #cutOff = new Set<Replica>();
  #isDown = false;
  #loss: number;

  constructor(given: Scenario) {
    this.#scenario = given;
    this.#random = generator(given.seed);
    this.#loss = given.loss;
    for (let count = 0; count < given.members; count += 1) this.join();
  }

  get alive(): Replica[] {
    return this.replicas.filter(({ isAlive }) => isAlive);
  }

  join(by: 'namespace' | 'uid' = 'namespace'): void {
    let replica: Replica | undefined;
    const network: Network = {
      delay: () => {
        if (this.#isDown || this.#cutOff.has(replica!) || this.#random() < this.#loss) return undefined;
        return this.#random() < this.#loss ? this.#random() * 8000 : 1 + this.#random() * 30;
      },
    };
    const { world, witness } = this;
    const parts = { world, server: this.#server, network, witness, random: this.#random, by };
    replica = new Replica(`replica-${this.replicas.length}`, parts);
    this.replicas.push(replica);
  }

  async suffer(): Promise<void> {
    for (const { after, member, event } of this.#scenario.faults) {
      await this.world.run(after);
      const replica = this.replicas[member % this.replicas.length]!;
      this.#inflict(replica, event);
    }
    await this.world.run(this.#scenario.rest);
  }

  /** Ends what still lasts. */
  async calm(): Promise<void> {
    this.#loss = 0;
    this.#isDown = false;
    this.#cutOff.clear();
    for (const { clock } of this.replicas) clock.resume();
    for (const replica of this.alive) if (replica.by === 'uid') void replica.stop();
    if (this.alive.length === 0) this.join();
    await this.world.run(30_000);
  }

  #inflict(replica: Replica, { type, duration = 0, by = 0 }: Scenario['faults'][number]['event']): void {
    const { suspends } = this.#scenario;
    replica.clock.step(suspends ? Math.abs(by) : by);
    const later = (end: () => void): unknown => this.world.outside.setTimeout(end, duration);
    if (type === 'pause') {
      replica.clock.pause(suspends);
      later(() => replica.clock.resume());
    } else if (type === 'partition') {
      this.#cutOff.add(replica);
      later(() => this.#cutOff.delete(replica));
    } else if (type === 'outage') {
      this.#isDown = true;
      later(() => (this.#isDown = false));
    } else if (type === 'kill') replica.kill();
    else if (type === 'stop') void replica.stop();
    else if (type === 'join') this.join();
    else if (type === 'join by another scheme') this.join('uid');
    else replica.member.wake();
  }
}

test('whatever happens to members, network and clocks: no shard has two writers, and soon each has one', async () => {
  let writes = 0;
  await fc.assert(
    fc.asyncProperty(scenario, async (given) => {
      const simulation = new Simulation(given);
      await simulation.suffer();
      await simulation.calm();
      const { alive, witness } = simulation;
      expect(witness.complaints).toEqual([]);
      const owners = Array.from({ length: shardCount }, (_, number) =>
        alive.filter(({ member }) => member.shard(number) !== undefined),
      );
      expect(owners.filter(({ length }) => length !== 1)).toEqual([]);
      expect(alive.map(({ member }) => member.busyWith)).toEqual(alive.map(() => undefined));
      writes += witness.writes;
    }),
    { numRuns: propertyRuns(60), endOnFailure: true },
  );
  expect(writes).toBeGreaterThan(10_000);
}, 120_000);
