import type { StrategyFactories } from '../strategy-factory.ts';
import { ClusterClasses } from './cluster-classes.ts';
import { PodStrategy } from './pod-strategy.ts';
import { PodTemplateStrategy } from './pod-template-strategy.ts';

export const podsStrategies: StrategyFactories = {
  '/pods': (traits, context) => new PodStrategy(traits, new ClusterClasses(context)),
  '/podtemplates': (traits) => new PodTemplateStrategy(traits),
};
