import type { StrategyFactories } from '../strategy-factory.ts';
import { PodStrategy } from './pod-strategy.ts';

export const podsStrategies: StrategyFactories = {
  '/pods': (traits) => new PodStrategy(traits),
};
