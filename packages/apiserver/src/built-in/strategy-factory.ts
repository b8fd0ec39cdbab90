import type { Clock } from 'ots-apimachinery/clock/clock';
import type { Random } from '../random/random.ts';
import type { Table } from '../storage/table.ts';
import type { BuiltInStrategy, BuiltInTraits } from '../registry/built-in-strategy.ts';

/** What a strategy can access besides its own objects. */
export interface StrategyContext {
  readonly clock: Clock;
  readonly random: Random;
  /** The objects of the resource itself. */
  readonly table: Table;
  /** The objects of another built-in resource, by its `group/plural`. Available once the server is created. */
  tableOf(id: string): Table | undefined;
}

/** Creates the strategy of one resource. */
type StrategyFactory = (traits: BuiltInTraits, context: StrategyContext) => BuiltInStrategy;

/** Strategies by `group/plural` of their resource, such as `apps/deployments` and `/pods`. */
export type StrategyFactories = Readonly<Record<string, StrategyFactory>>;
