import type { StrategyFactories } from '../strategy-factory.ts';
import { PodStrategy } from './pod-strategy.ts';
import { PodTemplateStrategy } from './pod-template-strategy.ts';

export const podsStrategies: StrategyFactories = {
  '/pods': (traits) => new PodStrategy(traits),
  '/podtemplates': (traits) => new PodTemplateStrategy(traits),
};
