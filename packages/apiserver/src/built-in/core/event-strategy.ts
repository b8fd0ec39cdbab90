import type { ApiObject } from '../../objects/api-object.ts';
import { BuiltInStrategy } from '../built-in-strategy.ts';

/** The fields of core v1 Events by their names in events.k8s.io. */
const coreNames = new Map([
  ['regarding', 'involvedObject'],
  ['note', 'message'],
  ['reportingController', 'reportingComponent'],
  ['deprecatedSource', 'source'],
  ['deprecatedFirstTimestamp', 'firstTimestamp'],
  ['deprecatedLastTimestamp', 'lastTimestamp'],
  ['deprecatedCount', 'count'],
]);
const newNames = new Map([...coreNames].map(([newName, coreName]) => [coreName, newName]));

/** Events of events.k8s.io: the same objects as those of the core group, where they are stored, under other names. */
export class EventStrategy extends BuiltInStrategy {
  override toStorage(object: ApiObject): ApiObject {
    return { ...rename(object, coreNames), apiVersion: 'v1' };
  }

  override fromStorage(object: ApiObject): ApiObject {
    return { ...rename(object, newNames), apiVersion: 'events.k8s.io/v1' };
  }
}

function rename(object: ApiObject, names: ReadonlyMap<string, string>): ApiObject {
  const { apiVersion, kind, metadata, ...fields } = object;
  const renamed = Object.entries(fields).map(([name, value]) => [names.get(name) ?? name, value]);
  return { apiVersion, kind, metadata, ...Object.fromEntries(renamed) };
}
