import type { StrategyFactories } from '../strategy-factory.ts';
import { ConfigMapStrategy } from './config-map-strategy.ts';
import { EndpointSliceStrategy } from './endpoint-slice/endpoint-slice-strategy.ts';
import { EndpointsStrategy } from './endpoints-strategy.ts';
import { CoreEventStrategy, EventStrategy } from './event/event-strategy.ts';
import { LimitRangeStrategy } from './limit-range-strategy.ts';
import { NamespaceStrategy } from './namespace-strategy.ts';
import { NodeStrategy } from './node/node-strategy.ts';
import { ClaimStrategy } from './persistent-volume/claim-strategy.ts';
import { PersistentVolumeStrategy } from './persistent-volume/persistent-volume-strategy.ts';
import { ResourceQuotaStrategy } from './resource-quota-strategy.ts';
import { SecretStrategy } from './secret-strategy.ts';
import { ServiceStrategy } from './service/service-strategy.ts';

export const coreStrategies: StrategyFactories = {
  '/configmaps': (traits) => new ConfigMapStrategy(traits),
  '/endpoints': (traits) => new EndpointsStrategy(traits),
  '/events': (traits) => new CoreEventStrategy(traits),
  '/limitranges': (traits) => new LimitRangeStrategy(traits),
  '/namespaces': (traits) => new NamespaceStrategy(traits),
  '/nodes': (traits) => new NodeStrategy(traits),
  '/persistentvolumeclaims': (traits, context) => new ClaimStrategy(traits, context),
  '/persistentvolumes': (traits, { clock }) => new PersistentVolumeStrategy(traits, clock),
  '/resourcequotas': (traits) => new ResourceQuotaStrategy(traits),
  '/secrets': (traits) => new SecretStrategy(traits),
  '/services': (traits, context) => new ServiceStrategy(traits, context),
  'discovery.k8s.io/endpointslices': (traits) => new EndpointSliceStrategy(traits),
  'events.k8s.io/events': (traits) => new EventStrategy(traits),
};
