import type { StrategyFactories } from '../strategy-factory.ts';
import { EventStrategy } from './event-strategy.ts';
import { NamespaceStrategy } from './namespace-strategy.ts';

export const coreStrategies: StrategyFactories = {
  '/namespaces': (traits) => new NamespaceStrategy(traits),
  'events.k8s.io/events': (traits) => new EventStrategy(traits),
};
