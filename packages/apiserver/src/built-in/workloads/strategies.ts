import type { StrategyFactories } from '../strategy-factory.ts';

export const workloadsStrategies: StrategyFactories = {};
